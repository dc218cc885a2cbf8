// Runs before the page's own scripts, in our world. Notes what Chromium measures anew while a page
// loads: replay has to repeat what the page was told first.
if (window === top) {
  globalThis.firstConnection = {};
  for (const name of ['effectiveType', 'rtt', 'downlink', 'saveData', 'type']) {
    globalThis.firstConnection[name] = navigator.connection?.[name] ?? null;
  }
}
