// Messages between windows: target origins are mapped on the way out, `event.origin` on the way in.
//
// `postMessage` itself is not patched: windows of other origins cannot be, and any script between
// the caller and the native function becomes `event.source`. The rewriter sends calls of
// `X.postMessage(...)` to `post`, which runs in the caller's own window.

/** The target origin named by the arguments of `postMessage`, and the arguments with it mapped. */
function messageArguments(args) {
  const target = args[1];
  if (typeof target === "string") return { wanted: target, mapped: [args[0], targetOrigin(target), ...args.slice(2)] };
  if (target && typeof target === "object" && typeof target.targetOrigin === "string") {
    const options = { ...target, targetOrigin: targetOrigin(target.targetOrigin) };
    return { wanted: target.targetOrigin, mapped: [args[0], options] };
  }
  return { wanted: "/", mapped: args };
}

/** `*` and `/` stay; what is no http(s) origin is left to fail as it would. */
function targetOrigin(origin) {
  if (origin === "*" || origin === "/") return origin;
  return originToReplay(origin);
}

/** `target.postMessage(...args)`, whatever `target` is. */
function post(target, args) {
  if (!inWindow || !isWindow(target) || !hasNativePost(target)) return target.postMessage(...args);
  const { wanted, mapped } = messageArguments(args);
  if (config.layout === "path" && !isOfOrigin(target, wanted)) return undefined;
  return nativePostMessage(target, ...mapped);
}

/** Whether a window's `postMessage` is the browser's, and not one that its page has put there. */
function hasNativePost(target) {
  const found = target.postMessage;
  return typeof found === "function" && includes(functionText(found), "[native code]");
}

/** In path layout the browser cannot tell archived origins apart, so the check is ours. */
function isOfOrigin(target, wanted) {
  if (!matches(WEB, wanted)) return true;
  try {
    return target.origin === new NativeURL(wanted).origin;
  } catch {
    return true;
  }
}

/** The archived origin of a message's sender. */
function senderOrigin(origin, event) {
  if (!origin) return origin;
  if (config.layout !== "path" || origin !== config.replay) return originToArchived(origin);
  try {
    return nativeSource(event).origin;
  } catch {
    return archivedOrigin();
  }
}

/** What the viewer says to the shim is not for the page. */
function hideViewerMessage(event) {
  if (!config.top || !viewerIsTop() || nativeSource(event) !== realParent(root)) return;
  stopEvent(event);
}

const nativeSource = getterOf(prototypeOf("MessageEvent"), "source");
const stopEvent = methodOf(prototypeOf("Event"), "stopImmediatePropagation");

function installMessages() {
  patchReading(prototypeOf("MessageEvent"), "origin", senderOrigin);
}
