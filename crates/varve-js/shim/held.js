// Documents in blobs and data URLs: no server puts the shim into them, so it is done here, when a
// frame or a window is about to show one.

const xhrHeader = methodOf(prototypeOf("XMLHttpRequest"), "getResponseHeader");
const HELD = /^(?:blob|data):/i;
const SHOWN_TYPE = /^\s*(?:text\/html|application\/xhtml\+xml|image\/svg\+xml|text\/xsl|(?:text|application)\/(?:[\w.-]+\+)?xml)\b/i;

/** The address of a document with the shim in it, for one that is held in a URL; others as they are. */
function documentUrl(value) {
  const url = plainUrl(value);
  if (!matches(HELD, url)) return value;
  const key = `document ${url}`;
  if (blobs.has(key)) return blobs.get(key);
  const held = heldDocument(url);
  if (!held || includes(held.source, "/__varve/shim.js")) return value;
  const made = heldAgain(url, held.type, completedDocument(held));
  keep(blobs, key, made);
  return made;
}

/** The type and text of what a URL holds, if it is a document. */
function heldDocument(url) {
  const isData = matches(/^data:/i, url);
  if (isData && !matches(SHOWN_TYPE, slice(url, 5))) return null;
  try {
    const request = new NativeXhr();
    xhrOpen(request, "GET", url, false);
    xhrSend(request, null);
    const type = split(xhrHeader(request, "content-type") || "", ";")[0];
    return matches(SHOWN_TYPE, type) ? { type: lower(trim(type)), source: xhrText(request) } : null;
  } catch {
    return null;
  }
}

function heldAgain(url, type, source) {
  if (matches(/^data:/i, url)) return `data:${type};charset=utf-8,${encodeURIComponent(source)}`;
  return apply(createObjectUrl, NativeURL, [new NativeBlob([source], { type: `${type};charset=utf-8` })]);
}

/** A document's text with the shim: first in HTML, first in the root element of XML. */
function completedDocument({ type, source }) {
  if (type === "text/html") return withShim(rewritten("html", source), undefined);
  const start = execute(/^(?:\s|<\?[^]*?\?>|<!--[^]*?-->|<!doctype[^>[]*(?:\[[^\]]*\])?[^>]*>)*<[^>]*[^\/]>/i, source);
  const at = start ? start[0].length : 0;
  const tag = replaceAll(shimTag(undefined), /^<script/g, () => `<script xmlns="${XHTML}"`);
  return at ? slice(source, 0, at) + tag + slice(source, at) : source;
}

/** Frames that the parser has just made: what they are about to show is replaced before it comes. */
function completeHeld(node) {
  const attribute = node.localName === "object" ? "data" : "src";
  const value = nativeGetAttribute(node, attribute);
  const made = value && matches(HELD, plainUrl(value)) ? documentUrl(value) : value;
  if (made === value) return;
  remember(node, attribute, made, value);
  nativeSetAttribute(node, attribute, made);
}
