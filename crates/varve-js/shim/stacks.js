// The stacks of errors name scripts by archived addresses. The browser asks for the text of a stack
// through a property that pages may take over for their own ends.

/** The text of a stack as the browser writes it, with archived addresses. */
function stackText(error, sites) {
  let head;
  try {
    head = text(error);
  } catch {
    head = "<error>";
  }
  return textToArchived(head + join(sites.map((site) => `\n    at ${site}`), ""));
}

function installStacks() {
  if ("prepareStackTrace" in root.Error || !("captureStackTrace" in root.Error)) return;
  defineProperty(root.Error, "prepareStackTrace", {
    value: stackText,
    writable: true,
    enumerable: false,
    configurable: true,
  });
}
