// What the server says about this document: where it lies in the archive and what its client was.
//
// Windows find it in `data-varve` of the shim's own element, which is removed; workers in
// `__varveConfig`; frames without a document of the server's get it from their parent (`GIVEN`).

const CONFIGURE = Symbol.for("varve.configure");
const CONFIG_FOR = Symbol.for("varve.configFor");
const TIME = /^[0-9]{14}$/;

let config = null;
let replayScheme = "http:";
let replayOrigin = "";

const realLocation = root.location;
const hrefOf = getterOf(realLocation, "href");
const originOf = getterOf(root, "origin");

/** Reads the configuration from wherever this realm has it. */
function readConfig() {
  if (GIVEN) return GIVEN;
  if (!inWindow) return takeWorkerConfig();
  const element = root.document.currentScript;
  const json = element && element.getAttribute("data-varve");
  if (element) element.remove();
  const version = element ? versionOf(element) : "";
  try {
    return json ? { ...parseJson(json), version } : configFromParent(version);
  } catch {
    return null;
  }
}

/** A page in `srcdoc` is where its parent is. */
function configFromParent(version) {
  const above = root.parent !== root && root.parent.__varve;
  return above ? { ...above[CONFIG_FOR](hrefOf(realLocation)), version } : null;
}

/** The query by which the shim was asked for; frames and workers made here ask for the same. */
function versionOf(element) {
  const src = element.getAttribute("src") || "";
  return includes(src, "?") ? slice(src, indexOf(src, "?")) : "";
}

function takeWorkerConfig() {
  const found = root.__varveConfig;
  delete root.__varveConfig;
  return found || null;
}

/** Takes a configuration; called again when a window is used for a second document. */
function configure(given) {
  config = assign(create(null), given || guessConfig());
  const origin = text(originOf(root));
  const isOpaque = origin === "null" || origin === "undefined";
  replayOrigin = isOpaque ? config.origin || originInText(hrefOf(realLocation)) : origin;
  if (config.layout === "path") replayOrigin = config.replay;
  replayScheme = startsWith(replayOrigin, "https:") ? "https:" : "http:";
  config.client = config.client || {};
  prepareUrls();
  realStart = withoutHash(hrefOf(realLocation));
  archivedStart = config.url ? withoutHash(config.url) : null;
  if (inWindow) config.top = isTopmostDocument();
}

/** The origin of a URL's text, also of a blob's. */
function originInText(href) {
  const match = execute(/^(?:blob:)?(https?:\/\/[^/?#]+)/, href);
  return match ? match[1] : `http://${config.replay}`;
}

/** Where the server said nothing, the address tells the layout. */
function guessConfig() {
  const own = hrefOf(realLocation);
  const href = inWindow && startsWith(own, "about:") ? root.document.baseURI : own;
  const host = execute(/^https?:\/\/[^/]+?\.https?(?:-\d+)?\.(\d{14})\.([^/?#]+)/, href);
  if (host) return { layout: "host", time: host[1], replay: host[2], top: true };
  const path = execute(/^(https?:\/\/[^/]+)\/web\/(\d{14})/, href);
  if (path) return { layout: "path", time: path[2], replay: path[1], top: true };
  return { layout: "host", time: "00000000000000", replay: "replay.invalid", top: true };
}

/** The configuration of a realm that this one makes: a frame without a server document, a worker. */
function configFor(url, base) {
  const clock = config.clock && { ...config.clock, start: archivedNow() };
  const fresh = { url, base, clock, top: false, origin: replayOrigin, referrer: archivedHref(), cookies: undefined };
  return { ...config, ...fresh };
}
