// The ways in which pages give or take HTML, and the texts of scripts and styles.

/** Patches a property that holds HTML. */
function patchHtmlProperty(prototype, name, contextOf) {
  patchAccessor(prototype, name, {
    get: (self, native) => {
      const html = apply(native, self, []);
      return known(self, html) ?? (isCodeElement(self) ? textToArchived(html) : htmlToArchived(html));
    },
    set: (self, value, native) => {
      const given = value === null ? "" : text(value);
      const mapped = htmlToReplay(given, contextOf(self));
      if (isCodeElement(self)) rememberText(self, mapped, given);
      return apply(native, self, [mapped]);
    },
  });
}

/** Patches a method whose argument number `at` is HTML. */
function patchHtmlArgument(prototype, name, at, contextOf) {
  patchArguments(prototype, name, (args, self) => {
    if (args.length > at) args[at] = htmlToReplay(args[at], contextOf(self, args));
  });
}

const elementOrNull = (node) => (node instanceof root.Element ? node : null);

/** The element that holds what is inserted beside or inside another. */
function insertionContext(element, args) {
  const inside = matches(/^(?:afterbegin|beforeend)$/i, text(args[0]));
  return inside ? element : elementOrNull(element.parentNode);
}

function rangeContext(range) {
  const node = range.startContainer;
  const element = elementOrNull(node) || elementOrNull(node.parentNode);
  return element && lower(localNameOf(element)) === "html" ? null : element;
}

function installMarkup() {
  if (!inWindow) return;
  const element = prototypeOf("Element");
  const shadow = prototypeOf("ShadowRoot");
  patchHtmlProperty(element, "innerHTML", (self) => self);
  patchHtmlProperty(element, "outerHTML", (self) => elementOrNull(self.parentNode));
  patchHtmlProperty(shadow, "innerHTML", () => null);
  for (const prototype of [element, shadow]) {
    const contextOf = prototype === element ? (self) => self : () => null;
    for (const name of ["setHTMLUnsafe", "setHTML"]) patchHtmlArgument(prototype, name, 0, contextOf);
    patchMethod(prototype, "getHTML", (self, args, native) => htmlToArchived(apply(native, self, args)));
  }
  patchHtmlArgument(element, "insertAdjacentHTML", 1, insertionContext);
  patchHtmlArgument(prototypeOf("Range"), "createContextualFragment", 0, rangeContext);
  installParsers();
  installTexts();
}

/** Documents parsed from text are inert: they are mapped after parsing. */
function installParsers() {
  patchMethod(prototypeOf("DOMParser"), "parseFromString", (self, args, native) => {
    const parsed = apply(native, self, args);
    mapTree(parsed);
    return parsed;
  });
  for (const name of ["transformToFragment", "transformToDocument"]) {
    patchMethod(prototypeOf("XSLTProcessor"), name, (self, args, native) => {
      const made = apply(native, self, args);
      if (made) mapTree(made);
      return made;
    });
  }
  for (const name of ["parseHTMLUnsafe", "parseHTML"]) {
    patchMethod(root.Document, name, (self, args, native) => {
      const parsed = apply(native, self, args);
      mapTree(parsed);
      return parsed;
    });
  }
  patchMethod(prototypeOf("XMLSerializer"), "serializeToString", (self, args, native) =>
    htmlToArchived(apply(native, self, args)),
  );
}

const givenTexts = newWeakMap();
const nodeTypeOf = getterOf(prototypeOf("Node"), "nodeType");
const parentOfNode = getterOf(prototypeOf("Node"), "parentNode");
const dataOf = getterOf(prototypeOf("CharacterData"), "data");
const setDataOf = setterOf(prototypeOf("CharacterData"), "data");

function isCodeElement(node) {
  if (!node || nodeTypeOf(node) !== 1) return false;
  const name = lower(localNameOf(node));
  return name === "script" || name === "style";
}

function rememberText(node, mapped, given) {
  if (mapped !== given) givenTexts.set(node, [mapped, given]);
}

/** The text that a page gave a node, if the node still holds what became of it. */
function known(node, actual) {
  const pair = givenTexts.get(node);
  return pair && pair[0] === actual ? pair[1] : undefined;
}

/** The text of a script or style element for replay. */
function codeText(element, given) {
  const isStyle = lower(localNameOf(element)) === "style";
  const mapped = isStyle ? cssToReplay(given) : scriptTextToReplay(nativeGetAttribute(element, "type"), given);
  rememberText(element, mapped, given);
  return mapped;
}

/** Maps text nodes on their way into a script or style. */
function adoptText(parent, nodes) {
  if (!isCodeElement(parent)) return;
  nodes.forEach((node, at) => {
    if (typeof node === "string") nodes[at] = codeText(parent, node);
    else if (node && typeof node === "object" && nodeTypeOf(node) === 3) {
      const given = dataOf(node);
      const mapped = codeText(parent, given);
      rememberText(node, mapped, given);
      if (mapped !== given) setDataOf(node, mapped);
    }
  });
}

function installTexts() {
  const node = prototypeOf("Node");
  const textAccess = {
    get: (self, native) => {
      const actual = apply(native, self, []);
      if (isCodeElement(self)) return known(self, actual) ?? textToArchived(actual);
      return nodeTypeOf(self) === 2 ? readAttr(self, actual) : actual;
    },
    set: (self, value, native) => {
      if (isCodeElement(self)) return apply(native, self, [codeText(self, value === null ? "" : text(value))]);
      return nodeTypeOf(self) === 2 ? writeAttr(self, value ?? "") : apply(native, self, [value]);
    },
  };
  patchAccessor(node, "textContent", textAccess);
  patchAccessor(node, "nodeValue", textAccess);
  for (const name of ["innerText", "outerText"]) patchAccessor(prototypeOf("HTMLElement"), name, textAccess);
  for (const name of ["text", "textContent", "innerText"]) {
    patchAccessor(prototypeOf("HTMLScriptElement"), name, textAccess);
  }
  for (const name of ["appendChild", "insertBefore", "replaceChild"]) {
    patchArguments(node, name, (args, self) => adoptText(self, args));
  }
  for (const name of ["append", "prepend", "replaceChildren"]) {
    patchArguments(prototypeOf("Element"), name, (args, self) => adoptText(self, args));
  }
  patchAccessor(prototypeOf("CharacterData"), "data", {
    get: (self, native) => known(self, apply(native, self, [])) ?? apply(native, self, []),
    set: (self, value, native) => {
      const parent = parentOfNode(self);
      return apply(native, self, [isCodeElement(parent) ? codeText(parent, text(value ?? "")) : value]);
    },
  });
}
