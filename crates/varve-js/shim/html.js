// HTML given as text: parsed into a document that loads nothing, walked, and written out again.

/** Without any of these an HTML text holds nothing to map. */
const HTML_INTEREST = new RegExp(
  [
    "<(?:script|style|base|meta|template)\\b",
    "\\bon[a-z]+\\s*=",
    "\\b(?:integrity|srcdoc|ping|target|csp)\\b",
    "//|\\\\\\\\|&#|url\\(|javascript:",
  ].join("|"),
  "i",
);
const HTML_INTEREST_OF_PATHS =
  /\b(?:href|src|srcset|action|formaction|poster|data|background|cite|content)\s*=|\.\.\//i;

const htmlOf = getterOf(prototypeOf("Element"), "innerHTML");
const setHtmlOf = setterOf(prototypeOf("Element"), "innerHTML");
const templateContent = getterOf(prototypeOf("HTMLTemplateElement"), "content");
const elementsIn = methodOf(prototypeOf("Document"), "createNodeIterator");
const nextNode = methodOf(prototypeOf("NodeIterator"), "nextNode");
const documentOfNode = getterOf(prototypeOf("Node"), "ownerDocument");
const nativeTextContent = getterOf(prototypeOf("Node"), "textContent");
const nativeSetTextContent = setterOf(prototypeOf("Node"), "textContent");
const createElementIn = methodOf(prototypeOf("Document"), "createElementNS");
const inertDocument = methodOf(prototypeOf("DOMImplementation"), "createHTMLDocument");
const XHTML = "http://www.w3.org/1999/xhtml";
/** The languages whose elements load and lead. */
const HAS_RULES = { __proto__: null, [XHTML]: true, [SVG]: true, "http://www.w3.org/1998/Math/MathML": true };

const htmlMatters = (html) =>
  matches(HTML_INTEREST, html) || (config.layout === "path" && matches(HTML_INTEREST_OF_PATHS, html));

let parsing = null;

/** HTML for replay, as the content of an element like `context`. */
function htmlToReplay(given, context) {
  const html = text(given);
  const name = context ? lower(localNameOf(context)) : "body";
  if (name === "style") return cssToReplay(html);
  if (name === "script") return scriptTextToReplay(nativeGetAttribute(context, "type"), html);
  if (!htmlMatters(html)) return html;
  parsing = parsing || inertDocument(root.document.implementation, "");
  const holder = createElementIn(parsing, context ? namespaceOf(context) : XHTML, name);
  setHtmlOf(holder, html);
  mapTree(name === "template" && templateContent(holder) ? templateContent(holder) : holder);
  return htmlOf(holder);
}

/** Maps every element below `top`, the contents of templates included. */
function mapTree(top) {
  const document = documentOfNode(top) || top;
  const nodes = elementsIn(document, top, 1);
  for (let element; (element = nextNode(nodes)) !== null; ) {
    if (element !== top) attempt("element", () => mapElement(element));
  }
}

/** Maps one element's attributes and, for scripts and styles, its text. Other XML has no rules. */
function mapElement(element) {
  if (!HAS_RULES[namespaceOf(element)]) return;
  for (const name of nativeAttributeNames(element)) {
    const known = lower(name);
    if (attributeMatters(known)) mapAttribute(element, name, known);
  }
  const name = lower(localNameOf(element));
  if (name === "template") mapTree(templateContent(element));
  else if (name === "style") mapText(element, cssToReplay(nativeTextContent(element)));
  else if (name === "script") {
    mapText(element, scriptTextToReplay(nativeGetAttribute(element, "type"), nativeTextContent(element)));
  } else if (name === "pre" || name === "textarea" || name === "listing") keepFirstNewline(element);
}

function mapAttribute(element, name, known) {
  const rule = ruleFor(element, known);
  if (rule === undefined) return;
  const value = nativeGetAttribute(element, name);
  const aside = asideName(rule, known);
  if (aside) {
    nativeRemoveAttribute(element, name);
    nativeSetAttribute(element, aside, value);
    return;
  }
  const mapped = valueToReplay(rule, element, value);
  if (mapped !== value) nativeSetAttribute(element, name, mapped);
}

function mapText(element, mapped) {
  if (mapped !== nativeTextContent(element)) nativeSetTextContent(element, mapped);
}

/** The parser drops one newline at the start of such elements; the next parse must find it again. */
function keepFirstNewline(element) {
  const first = element.firstChild;
  if (first && first.nodeType === 3 && startsWith(nativeTextContent(first), "\n")) {
    nativeSetTextContent(first, `\n${nativeTextContent(first)}`);
  }
}

/** HTML as the page would have written it: archived URLs, attributes under their own names. */
function htmlToArchived(html) {
  if (typeof html !== "string") return html;
  const aside = / _(integrity|ping|csp|attributionsrc)=(?=")/g;
  return textToArchived(withoutAbsence(replaceAll(html, aside, ([, name]) => ` ${name}=`)));
}

/** A frame's `srcdoc`: mapped, with the shim in front of everything else. */
function srcdocToReplay(html) {
  if (includes(html, "/__varve/shim.js")) return html;
  return withShim(rewritten("html", html), "about:srcdoc");
}

/** The shim's element, for a document at `url` that is made here. */
function shimTag(url) {
  const json = writeJson(configFor(url, archivedBase()));
  const escaped = replaceAll(json, /[&'<]/g, ([sign]) => ({ "&": "&amp;", "'": "&#39;", "<": "&lt;" })[sign]);
  return `<script src='${replayOrigin}/__varve/shim.js${config.version || ""}' data-varve='${escaped}'></script>`;
}

/** An HTML document with the shim's element at its start; the doctype stays first. */
function withShim(html, url) {
  const start = execute(/^(?:\s|<!--[^]*?-->)*<!doctype[^>]*>/i, html);
  const at = start ? start[0].length : 0;
  return slice(html, 0, at) + shimTag(url) + slice(html, at);
}
