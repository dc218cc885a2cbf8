// Archived URL -> replay URL and back, in both layouts.
//
// Mapping is idempotent and never touches what does not leave the document: fragments, `data:`,
// `blob:`, `about:`, `javascript:`, `mailto:` and other schemes. In host layout a relative URL means
// the same as at capture; in path layout only as long as it stays below the archived host's root.

const SCHEME = /^[\u0000-\u0020]*([a-z][a-z0-9+.\-]*):/i;
const WEB = /^[\u0000-\u0020]*https?:/i;
const FROM_ROOT = /^[\u0000-\u0020]*[\/\\]/;
const SCHEME_RELATIVE = /^[\u0000-\u0020]*[\/\\][\t\n\r]*[\/\\]/;
const CLIMBS = /(?:^|[\/\\])(?:\.|%2e)(?:\.|%2e)(?:[\/\\?#]|$)/i;

/** A URL without what browsers overlook: blanks and controls before it, line breaks and tabs in it. */
function plainUrl(value) {
  if (!matches(/^[\u0000-\u0020]|[\t\n\r]/, value)) return value;
  return replaceAll(value, /^[\u0000-\u0020]+|[\t\n\r]/g, () => "");
}

const isJavascript = (value) => matches(/^javascript:/i, plainUrl(value));

let replayPattern = null;
let replayTextPattern = null;
let realStart = "";
let archivedStart = null;

const escapePattern = (literal) =>
  replaceAll(literal, /[.*+?^${}()|[\]\\\/]/g, (match) => `\\${match[0]}`);

/** Builds what recognises replay URLs of this configuration. */
function prepareUrls() {
  const replay = escapePattern(config.replay);
  const source =
    config.layout === "path"
      ? `(?<!blob:)(?:${replay}|(${replay.replace(/^https?:/, "")})|(/\\.))?/web/\\d{14}(?:[a-z]{2,3}_)?/(https?:)(//[^/?#"'()\\s<>]*)?`
      : `(?<!blob:)https?://((?:[a-z0-9_\\-%]+\\.)*?[a-z0-9_\\-%]+)\\.(https?)(?:-(\\d+))?\\.\\d{14}\\.${replay}(?![\\w.:\\-])`;
  replayPattern = new RegExp(`^[\\u0000-\\u0020]*${source}`, "i");
  replayTextPattern = new RegExp(source, "gi");
}

/** The archived origin that a match of a host-layout URL stands for. */
function archivedOriginOf(match) {
  if (config.layout === "path") {
    const [, fromScheme, fromRoot, scheme, host = ""] = match;
    return fromRoot ? "" : fromScheme ? host : scheme + host;
  }
  const port = match[3] ? `:${match[3]}` : "";
  return `${lower(match[2])}://${archivedHost(match[1])}${port}`;
}

function archivedHost(label) {
  if (!startsWith(label, "v6-")) return label;
  try {
    return new NativeURL(`http://[${replaceAll(slice(label, 3), /-/g, () => ":")}]/`).hostname;
  } catch {
    return label;
  }
}

/** The host label of an archived host: IPv6 literals have all eight groups spelled out. */
function hostLabel(hostname) {
  if (charCode(hostname, 0) !== 91) return endsWith(hostname, ".") ? slice(hostname, 0, -1) : hostname;
  const [head, tail] = split(slice(hostname, 1, -1), "::");
  const groups = head ? split(head, ":") : [];
  const last = tail ? split(tail, ":") : [];
  while (groups.length + last.length < 8) push(groups, "0");
  return `v6-${join([...groups, ...last], "-")}`;
}

/** The replay origin of an archived `URL` object (host layout). */
function replayOriginOf(url) {
  const port = url.port ? `-${url.port}` : "";
  const scheme = slice(url.protocol, 0, -1);
  return `${replayScheme}//${hostLabel(url.hostname)}.${scheme}${port}.${config.time}.${config.replay}`;
}

/** The replay URL of an absolute archived http(s) URL. */
function toReplay(absolute, mod = "mp_") {
  const url = new NativeURL(absolute);
  if (config.layout === "path") return `${config.replay}/web/${config.time}${mod}/${url.href}`;
  return replayOriginOf(url) + url.pathname + url.search + url.hash;
}

const isReplay = (value) => matches(replayPattern, value);

/** The archived URL of a replay URL; anything else as it is. Blobs are the browser's own names. */
function toArchived(value) {
  if (typeof value !== "string") return value;
  const match = execute(replayPattern, value);
  return match ? archivedOriginOf(match) + slice(value, match[0].length) : archivedFromOwnOrigin(value);
}

/** The address of a blob as the blob's own document or worker would have seen it. */
function blobToArchived(value, origin) {
  return startsWith(value, "blob:") ? `blob:${origin}${slice(value, 5 + originInText(value).length)}` : value;
}

/** In path layout, a URL of the replay origin outside `/web/` was root-relative by mistake. */
function archivedFromOwnOrigin(value) {
  if (config.layout !== "path" || !startsWith(value, `${config.replay}/`)) return value;
  if (startsWith(value, `${replayOrigin}/__varve/`)) return value;
  const origin = archivedOrigin();
  return origin === "null" ? value : origin + slice(value, config.replay.length);
}

/** Every replay URL inside a longer text (HTML, CSS, JSON) as the archived one. */
function textToArchived(value) {
  if (typeof value !== "string" || !mentionsReplay(value)) return value;
  return replaceAll(value, replayTextPattern, archivedOriginOf);
}

const mentionsReplay = (value) =>
  includes(value, config.layout === "path" ? "/web/" : config.replay);

/** The replay form of a URL as a page writes it: absolute, relative or of another scheme. */
function toReplayUrl(given, mod = "mp_", base = archivedBase) {
  const written = text(given);
  const value = matches(/[\t\n\r]/, written) ? plainUrl(written) : written;
  const scheme = execute(SCHEME, value);
  if (scheme && !matches(WEB, value)) return value;
  if (!scheme && !mustResolve(value)) return value;
  if (isReplay(value) || startsWith(value, `${replayOrigin}/__varve/`)) return value;
  try {
    const resolved = new NativeURL(value, typeof base === "function" ? base() : base).href;
    if (!matches(WEB, resolved)) return value;
    return toReplay(archivedFromOwnOrigin(resolved), isThisDocument(resolved) ? ownMod() : mod);
  } catch {
    return value;
  }
}

/**
 * The same for an attribute. In path layout the mapped URL begins as the written one did, so that
 * reading it back gives what was written: `/./web/...` was from the root, `//host/web/...` had a host.
 */
function toReplayAttribute(given, mod, base) {
  const value = text(given);
  const mapped = toReplayUrl(value, mod, base);
  if (config.layout !== "path" || mapped === value || !startsWith(mapped, config.replay)) return mapped;
  if (matches(SCHEME_RELATIVE, value)) return slice(mapped, indexOf(mapped, "//"));
  return matches(FROM_ROOT, value) ? `/.${slice(mapped, config.replay.length)}` : mapped;
}

/** Whether a URL is that of this document, apart from the fragment; then it keeps its modifier. */
function isThisDocument(url) {
  return config.layout === "path" && withoutHash(url) === withoutHash(archivedHref());
}

/** Whether a URL without scheme would mean something else in replay. */
function mustResolve(value) {
  if (config.layout === "path") return matches(FROM_ROOT, value) || matches(CLIMBS, value);
  return matches(SCHEME_RELATIVE, value);
}

/** An archived origin as the replay origin that stands for it, and other words as they are. */
function originToReplay(origin) {
  if (!matches(WEB, origin)) return origin;
  if (config.layout === "path") return replayOrigin;
  try {
    return isReplay(origin) ? origin : replayOriginOf(new NativeURL(origin));
  } catch {
    return origin;
  }
}

function originToArchived(origin) {
  if (config.layout === "path") return origin === config.replay ? archivedOrigin() : origin;
  return toArchived(origin);
}

function withoutHash(href) {
  const hash = indexOf(href, "#");
  return hash < 0 ? href : slice(href, 0, hash);
}

/** The archived URL of this document or worker, as its `location.href`. */
function archivedHref() {
  const real = hrefOf(realLocation);
  const bare = withoutHash(real);
  if (archivedStart !== null && bare === realStart) return archivedStart + slice(real, bare.length);
  const creator = startsWith(real, "blob:") && config.base;
  return creator ? blobToArchived(real, new NativeURL(creator).origin) : toArchived(real);
}

/** The archived base URL: that of `<base>`, of the parent for `about:` documents, or the address. */
function archivedBase() {
  if (inWindow) {
    const base = toArchived(nativeBaseUri(root.document));
    if (matches(WEB, base)) return base === realStart && archivedStart ? archivedStart : base;
  }
  const href = archivedHref();
  return matches(WEB, href) ? href : config.base || href;
}

/** The archived origin: of `about:` and `blob:` documents the one they come from. */
function archivedOrigin() {
  for (const candidate of [archivedHref(), config.base]) {
    const match = candidate && execute(/^(?:blob:)?(https?:\/\/[^/?#]+)/i, candidate);
    if (match) return new NativeURL(match[1]).origin;
  }
  return "null";
}

const nativeBaseUri = getterOf(prototypeOf("Node"), "baseURI");
