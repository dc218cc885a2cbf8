// What is installed in a worker, in this order.

const INSTALLATION = [
  installOrigin,
  installDeterminism,
  installClient,
  installCode,
  installStacks,
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
