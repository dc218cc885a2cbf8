// The last gate. A policy of the server's stops every request that a page makes, but not where its
// window goes, nor what a new window opens with. Whatever way around the mapping a page finds, it
// ends here: where it would leave the archive, it goes to the archived copy instead.

const destinationOf = getterOf(prototypeOf("NavigateEvent"), "destination");
const formOf = getterOf(prototypeOf("NavigateEvent"), "formData");
const destinationUrl = getterOf(prototypeOf("NavigationDestination"), "url");
const prevent = methodOf(prototypeOf("Event"), "preventDefault");
const typeOf = getterOf(prototypeOf("Event"), "type");
const pathOf = methodOf(prototypeOf("Event"), "composedPath");
const linkHref = getterOf(prototypeOf("HTMLAnchorElement"), "href");
const areaHref = getterOf(prototypeOf("HTMLAreaElement"), "href");
const svgHref = getterOf(prototypeOf("SVGAElement"), "href");
const animatedText = getterOf(prototypeOf("SVGAnimatedString"), "animVal");
const hostOfShadow = getterOf(prototypeOf("ShadowRoot"), "host");
const countFrames = getterOf(root, "length");
const submitterOf = getterOf(prototypeOf("SubmitEvent"), "submitter");

/** Whether an absolute URL is one of the live web. */
function leaves(url) {
  if (typeof url !== "string" || !matches(WEB, url) || isReplay(url)) return false;
  return config.layout !== "path" || !startsWith(url, `${config.replay}/`);
}

/** Every way to go elsewhere ends in this event, if the browser has it; nobody hears it before. */
function guardNavigation(event) {
  const url = destinationUrl(destinationOf(event));
  if (!leaves(url)) return void leadInstead(event);
  prevent(event);
  const inside = toReplay(url, ownMod());
  // What a form sends is not sent anywhere else.
  if (!formOf(event) && !leaves(inside)) nativeSetTimeout(() => nativeSetHref(realLocation, inside), 0);
}

/** Forms that are sent by scripts say nothing before. */
function guardForms() {
  patchArguments(prototypeOf("HTMLFormElement"), "submit", (args, self) => noteTargetOf(self, null));
}

function guardSubmit(event) {
  const [form] = pathOf(event);
  if (isForm(form)) attempt("form", () => noteTargetOf(form, submitterOf(event)));
}

/** Links open windows, and tell others about it. One with an address that nobody mapped is mapped. */
function guardLink(element, event) {
  if (nodeTypeOf(element) !== 1) return;
  const name = lower(localNameOf(element));
  if (name !== "a" && name !== "area") return;
  noteTargetOf(element, null);
  if (namespaceOf(element) === SVG) return guardSvgLink(element, event);
  const href = name === "a" ? linkHref(element) : areaHref(element);
  if (leaves(href)) nativeSetAttribute(element, "href", toReplay(href));
  if (nativeHasAttribute(element, "ping")) nativeRemoveAttribute(element, "ping");
}

/** The address of a link in SVG may be animated, and then an attribute does not change it. */
function guardSvgLink(element, event) {
  const href = svgHref(element);
  const url = href && new NativeURL(animatedText(href), nativeBaseUri(root.document)).href;
  if (!leaves(url)) return;
  nativeSetAttribute(element, "href", toReplay(url));
  if (event) prevent(event);
}

/** The links around a node, up to the top of its tree. */
function guardLinksAround(node) {
  for (let at = node; at; at = parentOfNode(at) || shadowHost(at)) attempt("link", () => guardLink(at));
}

const shadowHost = (node) => (root.ShadowRoot && node instanceof root.ShadowRoot ? hostOfShadow(node) : null);
const isNode = (value) => value instanceof root.Node;
const isForm = (value) => value instanceof root.HTMLFormElement;

function guardClick(event) {
  for (const node of pathOf(event)) if (isNode(node)) attempt("link", () => guardLink(node, event));
}

function guardLinks() {
  // Links that are in no document are followed, too.
  patchArguments(prototypeOf("HTMLElement"), "click", (args, self) => guardLinksAround(self));
  patchArguments(prototypeOf("EventTarget"), "dispatchEvent", ([event], self) => {
    const isClick = event instanceof root.Event && matches(/^(?:aux)?click$/, typeOf(event));
    if (isClick && isNode(self)) guardLinksAround(self);
  });
}

/** Windows that were looked at. */
const completed = newWeakMap();

/** Gives the shim to frames that have none: a script may reach them as soon as they are there. */
function completeFrames() {
  for (let at = countFrames(root) - 1; at >= 0; at -= 1) {
    const frame = root[at];
    if (!frame || completed.has(frame)) continue;
    completed.set(frame, true);
    installIn(frame);
  }
}

/** interface -> methods that may put a frame into the document. */
const INSERTING = {
  Node: ["appendChild", "insertBefore", "replaceChild"],
  Element: [
    "append", "prepend", "before", "after", "replaceWith", "replaceChildren", "moveBefore",
    "insertAdjacentElement", "insertAdjacentHTML", "setHTMLUnsafe", "setHTML",
  ],
  CharacterData: ["before", "after", "replaceWith"],
  DocumentType: ["before", "after", "replaceWith"],
  Document: ["append", "prepend", "replaceChildren", "moveBefore", "write", "writeln", "execCommand"],
  DocumentFragment: ["append", "prepend", "replaceChildren", "moveBefore"],
  ShadowRoot: ["setHTMLUnsafe", "setHTML"],
  Range: ["insertNode", "surroundContents"],
};

function guardFrames() {
  const thenComplete = (self, args, native) => {
    const result = apply(native, self, args);
    if (countFrames(root) > 0) completeFrames();
    return result;
  };
  for (const [name, methods] of Object.entries(INSERTING)) {
    for (const method of methods) patchMethod(prototypeOf(name), method, thenComplete);
  }
  for (const [name, property] of [["Element", "innerHTML"], ["Element", "outerHTML"], ["ShadowRoot", "innerHTML"]]) {
    patchAccessor(prototypeOf(name), property, { set: (self, value, native) => thenComplete(self, [value], native) });
  }
}

const isShowing = (node) => nodeTypeOf(node) === 1 && matches(/^(?:i?frame|object|embed)$/, localNameOf(node));

/** Frames that the parser makes: the observer is told before the next script runs. */
function guardParsedFrames() {
  const Observer = root.MutationObserver;
  if (!Observer || root.document.readyState !== "loading") return;
  const observer = new Observer((records) => {
    for (const { addedNodes } of records) addedNodes.forEach((node) => isShowing(node) && completeHeld(node));
    completeFrames();
  });
  observer.observe(root.document, { childList: true, subtree: true });
  addListener(root.document, "DOMContentLoaded", () => observer.disconnect());
}

/** What must be heard before any listener of the page; what these change afterwards is mapped as always. */
function installGuardsAgain() {
  if (root.navigation) addListener(root.navigation, "navigate", guardNavigation);
  addListener(root, "click", guardClick, true);
  addListener(root, "auxclick", guardClick, true);
  addListener(root, "submit", guardSubmit, true);
  attempt("parsed frames", guardParsedFrames);
}

function installGuards() {
  if (!inWindow) return;
  attempt("links", guardLinks);
  attempt("forms", guardForms);
  attempt("frames", guardFrames);
  installGuardsAgain();
}
