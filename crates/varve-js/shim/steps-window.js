// What is installed in a window, in this order.

const INSTALLATION = [
  installDeterminism,
  installClient,
  installCode,
  installWindows,
  installDocuments,
  installAttributes,
  installMarkup,
  installCss,
  installNet,
  installMessages,
  installHistory,
  installWorkers,
  installStorage,
  installFrames,
  installDisabled,
  installSecureContext,
];
