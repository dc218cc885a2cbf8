// Runs before the shim and keeps what the shim will change, so that tests can look behind it.

window.varveUntouched = (() => {
  const kept = Object.create(null, {
    parent: Object.getOwnPropertyDescriptor(window, "parent"),
    localStorage: Object.getOwnPropertyDescriptor(window, "localStorage"),
  });
  kept.postMessage = window.postMessage;
  for (const name of ["CSSRule", "Document", "Element", "Node"]) {
    const members = Object.getOwnPropertyDescriptors(window[name].prototype);
    kept[name] = { prototype: Object.create(null, members) };
  }
  return kept;
})();
