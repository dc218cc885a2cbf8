// What is installed in a window, in this order.

const INSTALLATION = [
  installOrigin,
  installDeterminism,
  installClient,
  installCode,
  installStacks,
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
  installGuards,
];
