// Properties that reflect attributes: reading gives the archived URL, writing maps.

/** interface -> the properties that hold a URL. */
const URL_PROPERTIES = {
  HTMLLinkElement: ["href"],
  HTMLBaseElement: ["href"],
  HTMLImageElement: ["src", "longDesc", "lowsrc"],
  HTMLInputElement: ["src", "formAction"],
  HTMLButtonElement: ["formAction"],
  HTMLFormElement: ["action"],
  HTMLScriptElement: ["src"],
  HTMLIFrameElement: ["src", "longDesc"],
  HTMLFrameElement: ["src", "longDesc"],
  HTMLMediaElement: ["src"],
  HTMLVideoElement: ["poster"],
  HTMLSourceElement: ["src"],
  HTMLTrackElement: ["src"],
  HTMLEmbedElement: ["src"],
  HTMLObjectElement: ["data", "codeBase"],
  HTMLQuoteElement: ["cite"],
  HTMLModElement: ["cite"],
  HTMLBodyElement: ["background"],
};

/** interface -> the properties that are the attribute's own text. */
const TEXT_PROPERTIES = {
  HTMLImageElement: ["srcset"],
  HTMLSourceElement: ["srcset"],
  HTMLLinkElement: ["imageSrcset", "integrity", "target"],
  HTMLScriptElement: ["integrity", "type"],
  HTMLIFrameElement: ["srcdoc", "csp"],
  HTMLMetaElement: ["content", "httpEquiv"],
  HTMLAnchorElement: ["ping", "target"],
  HTMLAreaElement: ["ping", "target"],
  HTMLFormElement: ["target"],
  HTMLBaseElement: ["target"],
  HTMLButtonElement: ["formTarget"],
  HTMLInputElement: ["formTarget"],
};

const attributeOfProperty = (property) => (property === "httpEquiv" ? "http-equiv" : lower(property));

function reflectUrl(prototype, property) {
  const name = attributeOfProperty(property);
  patchAccessor(prototype, property, {
    get: (self, native) => toArchived(apply(native, self, [])),
    set: (self, value, native) => writeAttribute(self, name, value, (_, actual) => apply(native, self, [actual])),
  });
}

function reflectText(prototype, property) {
  const name = attributeOfProperty(property);
  patchAccessor(prototype, property, {
    get: (self, native) => {
      if (ruleFor(self, name) === undefined) return apply(native, self, []);
      return readAttribute(self, name) ?? "";
    },
    set: (self, value, native) => {
      if (value === null && missing === null) {
        return nativeRemoveAttribute(self, asideName(ruleFor(self, name), name) || name);
      }
      return writeAttribute(self, name, value, (_, actual) => apply(native, self, [actual]));
    },
  });
}

function installReflected() {
  for (const [name, properties] of Object.entries(URL_PROPERTIES)) {
    for (const property of properties) reflectUrl(prototypeOf(name), property);
  }
  for (const [name, properties] of Object.entries(TEXT_PROPERTIES)) {
    for (const property of properties) reflectText(prototypeOf(name), property);
  }
  for (const name of ["HTMLImageElement", "HTMLMediaElement"]) {
    patchReading(prototypeOf(name), "currentSrc", toArchived);
  }
  installSvgHref();
  patchConstructor("Audio", (args, target, native) =>
    construct(native, args.length && args[0] !== undefined ? [toReplayUrl(args[0], "oe_")] : args, target),
  );
}

/** `element.href.baseVal`. The same interface holds class names, which are left alone. */
function installSvgHref() {
  const isUrl = (value) => matches(WEB, value) || (matches(FROM_ROOT, value) && mustResolve(value));
  const prototype = prototypeOf("SVGAnimatedString");
  patchValue(prototype, "baseVal", toArchived, (value) => (isUrl(text(value)) ? toReplayUrl(value, "im_") : value));
  patchReading(prototype, "animVal", toArchived);
}

const anchorHref = newWeakMap();

/** The archived URL of a link, or `null` if it has none that parses. */
function archivedLink(element) {
  try {
    return new NativeURL(toArchived(anchorHref.get(prototypeOfAnchor(element))(element)));
  } catch {
    return null;
  }
}

const prototypeOfAnchor = (element) =>
  lower(localNameOf(element)) === "area" ? prototypeOf("HTMLAreaElement") : prototypeOf("HTMLAnchorElement");

/** Links and areas: the URL and each of its parts. */
function installAnchors() {
  for (const name of ["HTMLAnchorElement", "HTMLAreaElement"]) {
    const prototype = prototypeOf(name);
    if (!prototype) continue;
    anchorHref.set(prototype, getterOf(prototype, "href"));
    const setHref = setterOf(prototype, "href");
    reflectUrl(prototype, "href");
    patchMethod(prototype, "toString", (self, args, native) => toArchived(apply(native, self, args)));
    for (const part of [...PARTS, "origin", "username", "password"]) {
      patchAccessor(prototype, part, {
        get: (self, native) => {
          const url = archivedLink(self);
          return url ? urlGetters[part](url) : apply(native, self, []);
        },
        set: (self, value, native) => {
          const url = archivedLink(self);
          if (!url || !matches(WEB, url.href)) return apply(native, self, [value]);
          urlSetters[part](url, text(value));
          return writeAttribute(self, "href", url.href, (_, actual) => setHref(self, actual));
        },
      });
    }
  }
}

const URL_SELECTOR = new RegExp(
  [
    "\\[\\s*((?:[\\w-]+\\|)?(?:href|src|action|srcset|poster|data|cite|formaction))\\s*([~|^*$]?)=\\s*",
    `(?:"([^"\\\\]*)"|'([^'\\\\]*)'|([\\w-]+))\\s*([is]?)\\s*\\]`,
  ].join(""),
  "gi",
);

/** A selector on an attribute's URL: it must find the element by its archived value. */
function selectorToReplay(given) {
  const selector = text(given);
  if (!includes(selector, "=")) return selector;
  return replaceAll(selector, URL_SELECTOR, ([whole, name, how, double, single, bare, flag]) => {
    const value = double ?? single ?? bare;
    const also = (other, mode = how) => `:is(${whole},[${name}${mode}="${other}"${flag ? ` ${flag}` : ""}])`;
    if (how === "^" && matches(/^https?:?\/{0,2}$/i, value)) {
      return also(config.layout === "path" ? `_/${value}` : `.${split(value, ":")[0]}.${config.time}.`, "*");
    }
    if (!matches(WEB, value) || (how !== "" && how !== "^")) return whole;
    const mapped = toReplayUrl(value);
    const bareOrigin = how === "^" && endsWith(mapped, "/") && !endsWith(value, "/");
    if (config.layout === "path") return also(`_/${value}`, how === "" ? "$" : "*");
    return also(bareOrigin ? slice(mapped, 0, -1) : mapped);
  });
}

function installSelectors() {
  for (const holder of ["Document", "DocumentFragment", "Element"]) {
    for (const name of ["querySelector", "querySelectorAll", "matches", "closest", "webkitMatchesSelector"]) {
      patchArguments(prototypeOf(holder), name, (args) => {
        if (args.length && matches(/=/, text(args[0]))) args[0] = selectorToReplay(args[0]);
      });
    }
  }
}
