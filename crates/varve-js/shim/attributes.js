// Attributes by name: what is written is mapped, what is read is what was written.

/** element -> { attribute: [value in the document, value as written] }. */
const written = newWeakMap();

/** Text as written, if the document still holds what became of it. */
function asWritten(element, name, actual) {
  const known = written.get(element);
  const pair = known && known[name];
  return pair && pair[0] === actual ? pair[1] : undefined;
}

function remember(element, name, actual, original) {
  if (actual === original) return;
  const known = written.get(element) || create(null);
  known[name] = [actual, original];
  written.set(element, known);
}

/** Writes an attribute that has a rule; `write(name, value)` is the native way that was asked for. */
function writeAttribute(element, name, given, write) {
  const original = text(given);
  const rule = ruleFor(element, name);
  if (rule === undefined) return write(null, original);
  const aside = asideName(rule, name);
  if (aside) {
    nativeRemoveAttribute(element, name);
    return void nativeSetAttribute(element, aside, original);
  }
  const actual = valueToReplay(rule, element, original);
  remember(element, name, actual, original);
  return write(null, actual);
}

/** What an attribute's value means to the page. */
function readValue(element, name, actual) {
  const original = asWritten(element, name, actual);
  if (original !== undefined) return original;
  switch (ruleFor(element, name)) {
    case undefined:
    case "handler":
    case "language":
      return actual;
    case "srcset":
      return textToArchived(withoutAbsence(actual));
    case "style":
    case "srcdoc":
    case "meta":
      return textToArchived(actual);
    default:
      return toArchived(actual);
  }
}

/** The attribute as the page knows it, or `null`. */
function readAttribute(element, name) {
  const actual = nativeGetAttribute(element, name);
  if (actual !== null) return readValue(element, name, actual);
  const aside = asideName(ruleFor(element, name), name);
  return aside ? nativeGetAttribute(element, aside) : null;
}

/** Patches a method whose first argument names an attribute, for attributes that matter. */
function patchNamed(name, behave) {
  patchMethod(prototypeOf("Element"), name, (self, args, native) => {
    const attribute = args.length && typeof args[0] === "string" ? lower(args[0]) : "";
    const matters = attribute !== "" && attributeMatters(attribute);
    return matters ? behave(self, attribute, args, native) : apply(native, self, args);
  });
}

function installByName() {
  patchNamed("getAttribute", (element, name) => readAttribute(element, name));
  patchNamed("setAttribute", (element, name, args, native) =>
    args.length < 2
      ? apply(native, element, args)
      : writeAttribute(element, name, args[1], (_, value) => apply(native, element, [args[0], value])),
  );
  patchNamed("hasAttribute", (element, name, args, native) => {
    const aside = asideName(ruleFor(element, name), name);
    return apply(native, element, args) || (aside !== null && apply(native, element, [aside]));
  });
  patchNamed("removeAttribute", (element, name, args, native) => {
    const aside = asideName(ruleFor(element, name), name);
    if (aside) apply(native, element, [aside]);
    return apply(native, element, args);
  });
  patchNamed("toggleAttribute", (element, name, args, native) => {
    const aside = asideName(ruleFor(element, name), name);
    return apply(native, element, aside ? [aside, ...args.slice(1)] : args);
  });
  patchMethod(prototypeOf("Element"), "getAttributeNames", (self, args, native) =>
    apply(native, self, args).map(shownName),
  );
}

/** The page's name for an attribute that is set aside. */
function shownName(name) {
  const known = charCode(name, 0) === 95 ? slice(name, 1) : "";
  return known && SET_ASIDE[known] === name ? known : name;
}

/** With a namespace: the local name decides; a prefix is only spelling. */
function installByNamespace() {
  const element = prototypeOf("Element");
  const local = (name) => lower(slice(text(name), indexOf(text(name), ":") + 1));
  patchMethod(element, "getAttributeNS", (self, args, native) => {
    const value = apply(native, self, args);
    const name = local(args[1]);
    return value === null || !attributeMatters(name) ? value : readValue(self, name, value);
  });
  patchMethod(element, "setAttributeNS", (self, args, native) => {
    if (args.length < 3 || !attributeMatters(local(args[1]))) return apply(native, self, args);
    const write = (_, value) => apply(native, self, [args[0], args[1], value]);
    return writeAttribute(self, local(args[1]), args[2], write);
  });
}

const attrName = getterOf(prototypeOf("Attr"), "localName");
const attrOwner = getterOf(prototypeOf("Attr"), "ownerElement");
const attrValue = getterOf(prototypeOf("Attr"), "value");
const setAttrValue = setterOf(prototypeOf("Attr"), "value");

/** Reads an `Attr` as the page knows it. */
function readAttr(attr, actual = attrValue(attr)) {
  const owner = attrOwner(attr);
  const name = lower(attrName(attr));
  return owner && attributeMatters(name) ? readValue(owner, name, actual) : actual;
}

function writeAttr(attr, value) {
  const owner = attrOwner(attr);
  const name = lower(attrName(attr));
  if (!owner || !attributeMatters(name)) return setAttrValue(attr, value);
  return writeAttribute(owner, name, value, (_, actual) => setAttrValue(attr, actual));
}

/** Maps an `Attr` that is about to be given to an element. */
function adoptAttr(element, attr) {
  const name = attr && attr instanceof root.Attr ? lower(attrName(attr)) : "";
  if (!name || !attributeMatters(name) || attrOwner(attr)) return;
  const rule = ruleFor(element, name);
  if (rule === undefined || asideName(rule, name)) return;
  const original = attrValue(attr);
  const actual = valueToReplay(rule, element, original);
  remember(element, name, actual, original);
  setAttrValue(attr, actual);
}

function installAttrNodes() {
  const attr = prototypeOf("Attr");
  patchAccessor(attr, "value", {
    get: (self, native) => readAttr(self, apply(native, self, [])),
    set: (self, value) => writeAttr(self, value),
  });
  for (const name of ["setAttributeNode", "setAttributeNodeNS"]) {
    patchArguments(prototypeOf("Element"), name, ([node], self) => adoptAttr(self, node));
  }
  const mapOwner = newWeakMap();
  patchReading(prototypeOf("Element"), "attributes", (map, element) => {
    mapOwner.set(map, element);
    return map;
  });
  for (const name of ["setNamedItem", "setNamedItemNS"]) {
    patchArguments(prototypeOf("NamedNodeMap"), name, ([node], self) => {
      if (mapOwner.has(self)) adoptAttr(mapOwner.get(self), node);
    });
  }
  patchReading(prototypeOf("MutationRecord"), "oldValue", textToArchived);
}

function installAttributes() {
  if (!inWindow) return;
  installByName();
  installByNamespace();
  installAttrNodes();
  installReflected();
  installAnchors();
  installSelectors();
}
