// Frames and windows that a script makes. A frame without a document of the server's (`about:blank`,
// `javascript:`, `document.write`) gets this same shim before any script can reach into it.

const SOURCE = functionText(varveShim);
const frameWindow = getterOf(prototypeOf("HTMLIFrameElement"), "contentWindow");
const frameWindowOfSet = getterOf(prototypeOf("HTMLFrameElement"), "contentWindow");
const isFrame = (node) => !!node && node.nodeType === 1 && (node.localName === "iframe" || node.localName === "frame");

/** Installs the shim in a window of this origin that has none yet. */
function installIn(target) {
  try {
    if (target === root || target.__varve || !isEmptyDocument(target)) return;
    const shim = target.eval(`(${SOURCE})`);
    shim(configFor(hrefOfWindow(target), archivedBase()));
  } catch {
    // Of another origin, or gone: not ours to complete.
  }
}

const hrefOfWindow = (target) => target.location.href;

/** Whether a window shows something that did not come from the server. */
const isEmptyDocument = (target) => matches(/^(?:about:|blob:|javascript:)/, hrefOfWindow(target));

function installInFrame(node) {
  if (!isFrame(node)) return;
  const target = node.localName === "frame" ? frameWindowOfSet(node) : frameWindow(node);
  if (target) installIn(target);
}

function installFrames() {
  if (!inWindow) return;
  for (const name of ["HTMLIFrameElement", "HTMLFrameElement", "HTMLObjectElement", "HTMLEmbedElement"]) {
    const windowOf = getterOf(prototypeOf(name), "contentWindow");
    patchReading(prototypeOf(name), "contentWindow", (value) => {
      if (value) installIn(value);
      return value;
    });
    patchReading(prototypeOf(name), "contentDocument", (value, self) => {
      if (value && windowOf(self)) installIn(windowOf(self));
      return value;
    });
    patchMethod(prototypeOf(name), "getSVGDocument", (self, args, native) => apply(native, self, args));
  }
  installOpening();
  installHtmlBlobs();
}

/** What a new window shows: held documents have the shim put in. */
const openedUrl = (value) => navigableUrl(documentUrl(value), "mp_");

/** `window.open`: mapped, and never onto the viewer's own window. */
function installOpening() {
  patchMethod(root, "open", (self, args, native) => {
    const goes = args.length && args[0] !== undefined && args[0] !== "";
    if (goes) args[0] = openedUrl(text(args[0]));
    const reached = args.length > 1 && args[1] !== undefined ? outOfReach(args[1]) : null;
    if (reached) {
      if (goes) lead(reached, new NativeURL(args[0], nativeBaseUri(root.document)).href);
      return reached;
    }
    if (args.length > 1 && args[1] !== undefined) args[1] = archivedTarget(args[1]);
    const opened = apply(native, self, args);
    if (opened) installIn(opened);
    return opened;
  });
}

/** Blob of HTML -> its text, as far as it was made of strings. */
const htmlOfBlobs = newWeakMap();

/** HTML that becomes a document by way of a blob has the shim in it; the blob itself stays as made. */
function installHtmlBlobs() {
  patchConstructor("Blob", (args, target, native) => {
    const made = construct(native, args, target);
    const [parts, options] = args;
    const type = options && options.type ? lower(text(options.type)) : "";
    const isHtml = startsWith(type, "text/html") || startsWith(type, "application/xhtml");
    if (isHtml && Array.isArray(parts) && parts.every((part) => typeof part === "string")) {
      htmlOfBlobs.set(made, join(parts, ""));
    }
    return made;
  });
  patchArguments(root.URL, "createObjectURL", (args) => {
    const html = args.length && typeof args[0] === "object" && args[0] !== null ? htmlOfBlobs.get(args[0]) : undefined;
    if (html === undefined) return;
    args[0] = new NativeBlob([withShim(rewritten("html", html), undefined)], { type: args[0].type });
  });
}
