// A page of plain http had no access to what browsers keep for secure contexts. Replay hosts are
// local and count as secure, so what such a page would have missed is taken away.

const SECURE_ONLY = {
  Navigator: [
    "serviceWorker", "mediaDevices", "clipboard", "credentials", "storage", "locks", "userAgentData", "deviceMemory",
    "bluetooth", "usb", "hid", "serial", "gpu", "wakeLock", "share", "canShare", "xr", "keyboard", "getBattery",
  ],
  WorkerNavigator: ["storage", "locks", "userAgentData", "deviceMemory", "gpu", "serviceWorker"],
  Crypto: ["subtle", "randomUUID"],
  Screen: ["isExtended"],
  Document: ["requestStorageAccess", "hasStorageAccess"],
};
const SECURE_GLOBALS = [
  "caches", "cookieStore", "CacheStorage", "Cache", "CookieStore", "ServiceWorkerContainer", "SubtleCrypto", "PaymentRequest",
];
const LOCAL = /^http:\/\/(?:localhost|[^/:]+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::|$)/;

/** Whether the archived page was of an origin that browsers trust. */
function wasSecure() {
  const origin = archivedOrigin();
  return !startsWith(origin, "http:") || matches(LOCAL, origin);
}

function installSecureContext() {
  patchReading(root, "isSecureContext", (value) => value && wasSecure());
  if (wasSecure()) return;
  for (const [name, properties] of Object.entries(SECURE_ONLY)) {
    for (const property of properties) remove(prototypeOf(name), property);
  }
  for (const name of SECURE_GLOBALS) remove(root, name);
}
