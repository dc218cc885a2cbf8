// What is installed in a worker, in this order.

const INSTALLATION = [
  installDeterminism,
  installClient,
  installCode,
  installCss,
  installNet,
  installMessages,
  installWorkers,
  installStorage,
  installDisabled,
  installSecureContext,
];

/** A worker has no frames to complete. */
function installIn() {}
