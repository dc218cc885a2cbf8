// Which windows are archived ones: `top`, `parent` and what lies above the topmost document.
//
// Replay may be shown in a frame of the viewer. Archived code must not meet the viewer's window:
// for it the topmost archived document is `top`.

const realTop = inWindow ? root.top : null;
const realParent = getterOf(root, "parent");
const realName = getterOf(root, "name");
const setRealName = setterOf(root, "name");

/** The name that the viewer gives its frame, so that nested frames can target it. */
const TOP_FRAME_NAME = "varve_top";

/** Whether an origin is one of archived documents. */
function isArchivedOrigin(origin) {
  return config.layout === "path" ? origin === config.replay : isReplay(origin);
}

/**
 * Whether no archived document lies above this one. The server cannot always tell a frame of the
 * viewer from one of a page; the browser can, where it lists the origins above.
 */
function isTopmostDocument() {
  if (realParent(root) === root) return true;
  const ancestors = nativeAncestors(realLocation);
  if (!ancestors) return !!config.top;
  for (let at = 0; at < ancestors.length; at += 1) {
    if (isArchivedOrigin(ancestors[at])) return false;
  }
  return true;
}

/** Whether the browser's top window is the viewer's, and not an archived document. */
function viewerIsTop() {
  if (realTop === root) return false;
  const ancestors = nativeAncestors(realLocation);
  if (ancestors && ancestors.length) return !isArchivedOrigin(ancestors[ancestors.length - 1]);
  return config.framed !== false;
}

let knownTop = null;

/** The topmost archived window. */
function archivedTop() {
  if (knownTop) return knownTop;
  let found = root;
  const end = viewerIsTop() ? realTop : null;
  while (!isTopmost(found, end)) found = parentOf(found);
  return (knownTop = found);
}

function isTopmost(candidate, end) {
  if (candidate === root && config.top) return true;
  const above = parentOf(candidate);
  return above === candidate || above === end;
}

/** The window above, as the browser sees it; readable across origins. */
function parentOf(candidate) {
  return candidate === root ? realParent(root) : candidate.parent;
}

/** `X.top` as archived code should see it. */
function topOf(object) {
  const value = object.top;
  return value === realTop && value !== null && inWindow ? archivedTop() : value;
}

/** Whether a value is a window, of this origin or another. */
function isWindow(value) {
  if (value === root) return true;
  if (value === null || (typeof value !== "object" && typeof value !== "function")) return false;
  try {
    return value.window === value && value.self === value;
  } catch {
    return false;
  }
}

/** The target of a link, form or `window.open`: never the viewer's own window. */
function archivedTarget(given) {
  const target = text(given);
  const word = lower(target);
  if (word !== "_top" && word !== "_parent" && word !== "_unfencedtop") return target;
  if (config.top) return "_self";
  if (word === "_parent") return target;
  return viewerIsTop() ? TOP_FRAME_NAME : "_top";
}

/**
 * Whether this is the topmost document and was reached from a page of another time. Windows are sent
 * to the document's own time by the server; of frames only the browser knows whether they are topmost.
 */
function isElsewhen() {
  return inWindow && config.top && realTop !== root && config.own !== undefined && config.own !== config.time;
}

/** The same document at its own time, near which its parts were captured. */
function goToOwnTime() {
  root.stop();
  const url = config.url;
  config.time = config.own;
  nativeReplace(realLocation, toReplay(url, ownMod()));
}

/** Tells the viewer what is shown, so that its address line can follow. */
function announce() {
  if (!inWindow || !config.top || !viewerIsTop()) return;
  const page = { varve: "page", url: archivedHref(), title: root.document.title, time: config.time };
  nativePostMessage(realParent(root), page, config.ui || "*");
}

const nativePostMessage = methodOf(root, "postMessage");

function installWindows() {
  if (!inWindow) return;
  patchAccessor(root, "parent", {
    get: (self, native) => (config.top && (self === root || self === undefined) ? root : apply(native, self, [])),
    set: (self, value, native) => apply(native, self, [value]),
  });
  patchReading(root, "frameElement", (value) => (config.top ? null : value));
  installName();
}

/** The archived origin, in windows and workers; opaque ones stay opaque. */
function installOrigin() {
  patchReading(root, "origin", (value) => (value === "null" ? value : archivedOrigin()));
}

/** The viewer's name for its frame is hidden from the page, which may use the name for its own ends. */
function installName() {
  let given = null;
  const hidden = () => config.top && realName(root) === TOP_FRAME_NAME;
  patchAccessor(root, "name", {
    get: (self, native) => (hidden() ? (given ?? "") : apply(native, self, [])),
    set: (self, value, native) => {
      if (hidden()) given = text(value);
      else apply(native, self, [value]);
    },
  });
}
