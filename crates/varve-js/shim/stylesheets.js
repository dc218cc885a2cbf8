// Style sheets as objects: rules, constructed sheets, fonts and the typed object model.

/** A constructed sheet's own base, if it was given one. */
const sheetBases = newWeakMap();

const nativeSheetHref = getterOf(prototypeOf("StyleSheet"), "href");
const isSheet = (value) => inWindow && value instanceof root.StyleSheet;

/** What URLs in a sheet's rules are relative to. */
function sheetBase(sheet) {
  const href = isSheet(sheet) && nativeSheetHref(sheet);
  return sheetBases.get(sheet) || (href ? toArchived(href) : archivedBase);
}

/** `prototype[name]` takes CSS text as its argument number `at`. */
function patchCssArgument(prototype, name, at = 0) {
  patchArguments(prototype, name, (args, self) => {
    if (args.length > at && typeof args[at] === "string") args[at] = cssToReplay(args[at], sheetBase(self));
  });
}

function installSheets() {
  const sheet = prototypeOf("CSSStyleSheet");
  for (const name of ["insertRule", "replace", "replaceSync"]) patchCssArgument(sheet, name);
  patchCssArgument(sheet, "addRule", 1);
  for (const name of ["CSSGroupingRule", "CSSStyleRule"]) patchCssArgument(prototypeOf(name), "insertRule");
  patchCssArgument(prototypeOf("CSSKeyframesRule"), "appendRule");
  patchReading(prototypeOf("StyleSheet"), "href", toArchived);
  patchReading(prototypeOf("CSSImportRule"), "href", textToArchived);
  patchValue(prototypeOf("CSSRule"), "cssText", textToArchived, (value) => value);
  patchConstructor("CSSStyleSheet", (args, target, native) => {
    const options = args[0];
    const base = options && options.baseURL;
    if (!base) return construct(native, args, target);
    const made = construct(native, [{ ...options, baseURL: toReplayUrl(base) }], target);
    sheetBases.set(made, new NativeURL(text(base), archivedBase()).href);
    return made;
  });
}

function installFonts() {
  patchConstructor("FontFace", (args, target, native) => {
    if (typeof args[1] === "string") args[1] = cssToReplay(args[1]);
    return construct(native, args, target);
  });
}

/** Keyframes, as a list of frames or as lists by property, with the URLs in them mapped. */
function keyframesToReplay(given) {
  if (typeof given === "string") return cssToReplay(given);
  if (given === null || typeof given !== "object") return given;
  if (typeof given[Symbol.iterator] === "function") return [...given].map(keyframesToReplay);
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, keyframesToReplay(value)]));
}

function installAnimations() {
  const needsMapping = (given) => matches(/url\(|image-set\(/i, writeJson(given) || "");
  const change = (at) => (args) => {
    if (args.length > at && needsMapping(args[at])) args[at] = keyframesToReplay(args[at]);
  };
  patchArguments(prototypeOf("Element"), "animate", change(0));
  patchArguments(prototypeOf("KeyframeEffect"), "setKeyframes", change(0));
  patchConstructor("KeyframeEffect", (args, target, native) => {
    change(1)(args);
    return construct(native, args, target);
  });
}

function installTypedModel() {
  const value = root.CSSStyleValue;
  for (const name of ["parse", "parseAll"]) patchCssArgument(value, name, 1);
  for (const name of ["set", "append"]) {
    patchArguments(prototypeOf("StylePropertyMap"), name, (args) => {
      for (let at = 1; at < args.length; at += 1) {
        if (typeof args[at] === "string") args[at] = cssToReplay(args[at]);
      }
    });
  }
  for (const name of ["CSSStyleValue", "CSSUnparsedValue", "CSSImageValue", "CSSURLImageValue"]) {
    patchMethod(prototypeOf(name), "toString", (self, args, native) => textToArchived(apply(native, self, args)));
  }
}

function installCss() {
  if (!inWindow) return installFonts();
  installDeclarations(prototypeOf("CSSStyleDeclaration"));
  installDeclarations(prototypeOf("CSSStyleProperties") || prototypeOf("CSS2Properties"));
  installStyleViews();
  installSheets();
  installFonts();
  installTypedModel();
  installAnimations();
}
