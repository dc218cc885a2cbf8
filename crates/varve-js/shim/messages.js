// Messages between windows: target origins are mapped on the way out, `event.origin` on the way in.
//
// A method of a window of another origin cannot be patched, so the rewriter sends calls of
// `X.postMessage(...)` to `post`; the patched method serves this window's own name for it.

/** The arguments of `postMessage` with the target origin mapped. */
function messageArguments(args) {
  const target = args[1];
  if (typeof target === "string") args[1] = targetOrigin(target);
  else if (target && typeof target === "object" && typeof target.targetOrigin === "string") {
    args[1] = { ...target, targetOrigin: targetOrigin(target.targetOrigin) };
  }
  return args;
}

/** `*` and `/` stay; an origin of another scheme than http(s) is left to fail as it would. */
function targetOrigin(origin) {
  if (origin === "*" || origin === "/") return origin;
  if (config.layout !== "path") return originToReplay(origin);
  return matches(WEB, origin) ? "*" : origin;
}

/** `target.postMessage(...args)`, whatever `target` is. */
function post(target, args) {
  if (inWindow && isWindow(target)) messageArguments(args);
  return target.postMessage(...args);
}

/** What the viewer says to the shim is not for the page. */
function hideViewerMessage(event) {
  if (!config.top || !viewerIsTop() || nativeSource(event) !== realParent(root)) return;
  stopEvent(event);
}

const nativeSource = getterOf(prototypeOf("MessageEvent"), "source");
const stopEvent = methodOf(prototypeOf("Event"), "stopImmediatePropagation");

function installMessages() {
  patchReading(prototypeOf("MessageEvent"), "origin", (value) => (value ? originToArchived(value) : value));
  if (!inWindow) return;
  patchMethod(root, "postMessage", (self, args, native) => apply(native, self ?? root, messageArguments(args)));
}
