// Which attribute of which element holds what. One table for `setAttribute`, reflected properties
// and HTML given as text; it agrees with the server's.

/** Attributes that would do harm in replay; kept under another name, which `getAttribute` knows. */
const SET_ASIDE = { integrity: "_integrity", ping: "_ping", csp: "_csp", attributionsrc: "_attributionsrc" };

/** Attributes of SVG that may name what they paint with: `fill="url(https://this.page/#shade)"`. */
const PAINT_ATTRIBUTES = [
  "fill", "stroke", "filter", "mask", "clip-path", "cursor", "marker-start", "marker-mid", "marker-end",
];

/** attribute -> element -> rule. A rule of two letters and `_` is a URL with that modifier. */
const RULES = {
  href: { a: "page", area: "page", base: "mp_", link: "link", image: "im_", use: "im_", feimage: "im_", script: "js_" },
  src: {
    img: "im_", input: "im_", script: "script", iframe: "frame", frame: "frame", source: "oe_", track: "oe_",
    audio: "oe_", video: "oe_", embed: "oe_", bgsound: "oe_", portal: "if_", image: "im_",
  },
  srcset: { img: "srcset", source: "srcset" },
  imagesrcset: { link: "srcset" },
  action: { form: "page" },
  formaction: { button: "page", input: "page" },
  poster: { video: "im_" },
  data: { object: "oe_" },
  codebase: { object: "oe_", applet: "oe_" },
  background: { "*": "im_" },
  cite: { blockquote: "mp_", q: "mp_", ins: "mp_", del: "mp_" },
  longdesc: { img: "mp_", iframe: "mp_", frame: "mp_" },
  lowsrc: { img: "im_" },
  content: { meta: "meta" },
  type: { script: "language" },
  "http-equiv": { meta: "equiv" },
  srcdoc: { iframe: "srcdoc" },
  style: { "*": "style" },
  ...Object.fromEntries(PAINT_ATTRIBUTES.map((name) => [name, { "*": "style" }])),
  target: { a: "target", area: "target", form: "target", base: "target", link: "target" },
  formtarget: { button: "target", input: "target" },
  integrity: { "*": "aside" },
  ping: { a: "aside", area: "aside" },
  csp: { iframe: "aside" },
  attributionsrc: { "*": "aside" },
};

setPrototypeOf(RULES, null);
for (const name of Object.keys(RULES)) setPrototypeOf(RULES[name], null);

const localNameOf = getterOf(prototypeOf("Element"), "localName");
const namespaceOf = getterOf(prototypeOf("Element"), "namespaceURI");
const SVG = "http://www.w3.org/2000/svg";

/** Whether any element has a rule for this (lower-case) attribute; a quick no for most. */
const attributeMatters = (name) =>
  RULES[name] !== undefined || isHandler(name) || name === "xlink:href";

/** `on...`, told by its first two letters. */
const isHandler = (name) => charCode(name, 0) === 111 && charCode(name, 1) === 110;

/** The rule for an attribute of an element, or `undefined`. */
function ruleFor(element, name) {
  if (name === "xlink:href") return ruleFor(element, "href");
  const byElement = RULES[name];
  if (!byElement) return startsWith(name, "on") && !startsWith(name, "on-") ? "handler" : undefined;
  const rule = byElement[lower(localNameOf(element))] || byElement["*"];
  return rule || (name === "href" && namespaceOf(element) === SVG ? "page" : undefined);
}

/** The name under which an attribute is really kept. */
function asideName(rule, name) {
  return rule === "aside" ? SET_ASIDE[name] : null;
}

/** An attribute's value for replay. */
function valueToReplay(rule, element, value) {
  switch (rule) {
    case "page":
    case "frame":
      return navigableUrl(value, rule === "frame" ? "if_" : "mp_");
    case "link":
      return toReplayAttribute(value, linkMod(element));
    case "script":
      return scriptUrl(element, value);
    case "srcset":
      return srcsetToReplay(value);
    case "style":
      return cssToReplay(value);
    case "handler":
      return rewrittenCode("handler", value);
    case "srcdoc":
      return srcdocToReplay(value);
    case "target":
      return archivedTarget(value);
    case "language":
      return matches(/^\s*speculationrules\s*$/i, value) ? "_speculationrules" : value;
    case "meta":
      return metaToReplay(element, value);
    case "equiv":
      return matches(/^\s*content-security-policy/i, value) ? "_content-security-policy" : value;
    case "oe_":
      return toReplayAttribute(isPlugin(element) ? documentUrl(value) : value, rule);
    default:
      return toReplayAttribute(value, rule);
  }
}

const isPlugin = (element) => matches(/^(?:object|embed)$/i, localNameOf(element));

/** A URL that is navigated to: code in it runs. */
function navigableUrl(value, mod) {
  if (isJavascript(value)) return javascriptUrl(plainUrl(value), mod === "if_" ? COMPLETE_FRAME : "");
  return toReplayAttribute(mod === "if_" ? documentUrl(value) : value, mod);
}

/** Code that a frame's address brings runs before anything else there: first it calls for the shim. */
const COMPLETE_FRAME = '"__varve" in window || parent.__varve[Symbol.for("varve.complete")](window);';

function scriptUrl(element, value) {
  const as = lower(nativeGetAttribute(element, "type") || "") === "module" ? "module" : "script";
  return matches(/^(?:blob|data):/i, value) ? rewrittenBlob(value, as) : toReplayAttribute(value, "js_");
}

function linkMod(element) {
  const rel = lower(nativeGetAttribute(element, "rel") || "");
  const as = lower(nativeGetAttribute(element, "as") || "");
  if (matches(/\bstylesheet\b/, rel) || as === "style") return "cs_";
  if (matches(/\bmodulepreload\b/, rel) || as === "script" || as === "worker") return "js_";
  if (matches(/\bicon\b/, rel) || as === "image") return "im_";
  return as === "document" ? "if_" : as && as !== "fetch" ? "oe_" : "mp_";
}

/** Each candidate's URL; candidates end at a comma that follows white space or a descriptor. */
function srcsetToReplay(value) {
  return replaceAll(value, /([\s,]*)([^\s,]\S*[^\s,]|[^\s,])(\s+[^,()]*(?:\([^)]*\)[^,()]*)*)?(,|$)?/g, (match) => {
    const [, before, url, descriptors = "", comma = ""] = match;
    return before + toReplayAttribute(url, "im_") + descriptors + comma;
  });
}

/** Candidates that were not captured have a descriptor of ours, so that browsers pass them over. */
const withoutAbsence = (text) => (includes(text, " varve-absent") ? replaceAll(text, / varve-absent/g, () => "") : text);

/** `<meta content>`: the address of a refresh; other metadata stays. */
function metaToReplay(element, value) {
  if (!matches(/^\s*refresh\s*$/i, nativeGetAttribute(element, "http-equiv") || "")) return value;
  const match = execute(/^(\s*[\d.]*\s*[;,]?\s*(?:url\s*=\s*)?["']?)(.*?)(["']?\s*)$/i, value);
  return match && match[2] ? match[1] + navigableUrl(match[2], ownMod()) + match[3] : value;
}

const nativeGetAttribute = methodOf(prototypeOf("Element"), "getAttribute");
const nativeSetAttribute = methodOf(prototypeOf("Element"), "setAttribute");
const nativeHasAttribute = methodOf(prototypeOf("Element"), "hasAttribute");
const nativeRemoveAttribute = methodOf(prototypeOf("Element"), "removeAttribute");
const nativeAttributeNames = methodOf(prototypeOf("Element"), "getAttributeNames");
