// `__varve`: what rewritten scripts call. `crates/varve-js/src/rewrite` emits these names and no
// others; a test compares the two lists.

const LOCATION = Symbol.for("varve.location");
const TOP = Symbol.for("varve.top");
const EVAL = Symbol.for("varve.eval");
const COMPLETE = Symbol.for("varve.complete");
const PAGE = Symbol.for("varve.page");

let archivedLocation = null;
const nativeDocumentLocation = inWindow ? getterOf(root.document, "location") : () => undefined;
const locationTag = inWindow ? "Location" : "WorkerLocation";

/** What archived code should see where it read `value` from `object.location`. */
function seenLocation(object, value) {
  if (value === realLocation) return archivedLocation;
  if (value === null || typeof value !== "object") return value;
  const prototype = getPrototypeOf(value);
  if (prototype === null) return isForeignLocation(value) ? foreignLocation(value, object) : value;
  if (value === archivedLocation || prototype[Symbol.toStringTag] !== locationTag) return value;
  const realm = realmOf(object);
  return realm && realm.__varve ? realm.__varve.location : bareLocation(value);
}

/** The Location of a document of this origin that has no shim: a text or a picture in a frame. */
function bareLocation(target) {
  const address = () => new NativeURL(toArchived(hrefOf(target)));
  const change = (part, value) => {
    const url = address();
    urlSetters[part](url, text(value));
    target.href = navigationUrl(urlGetters.href(url));
  };
  const made = create(getPrototypeOf(target));
  for (const part of PARTS) {
    defineProperty(made, part, { get: () => urlGetters[part](address()), set: (value) => change(part, value) });
  }
  defineProperty(made, "origin", { get: () => urlGetters.origin(address()) });
  defineProperty(made, "href", {
    get: () => toArchived(hrefOf(target)),
    set: (value) => void (target.href = navigationUrl(value)),
  });
  const members = {
    assign: (url) => target.assign(navigationUrl(url)),
    replace: (url) => target.replace(navigationUrl(url)),
    reload: () => target.reload(),
    toString: () => toArchived(hrefOf(target)),
  };
  for (const name of Object.keys(members)) defineProperty(made, name, { value: members[name] });
  return made;
}

/** The window that a location was read from, with the shim in it. */
function realmOf(object) {
  const found = isWindow(object) ? object : object.defaultView;
  if (found) installIn(found);
  return found;
}

/** Whether a value without prototype is the Location of a window of another origin. */
function isForeignLocation(value) {
  try {
    void value.origin;
    return false;
  } catch {
    return true;
  }
}

/** A Location of another origin: it can only be sent somewhere. */
function foreignLocation(target, holder) {
  const send = (url, natively) => (mustAskToLead(holder) ? lead(holder, url) : natively());
  const made = {
    set href(given) {
      const url = navigationUrl(given);
      send(url, () => void (target.href = url));
    },
    get href() {
      return forbidden();
    },
    replace(given) {
      const url = navigationUrl(given);
      send(url, () => target.replace(url));
    },
  };
  for (const name of [...PARTS, "origin", "assign", "reload", "toString", "ancestorOrigins"]) {
    defineProperty(made, name, { get: forbidden, set: forbidden });
  }
  return made;
}

/** What browsers say to those who look into windows of another origin. */
function forbidden() {
  const reason = `Blocked a frame with origin "${archivedOrigin()}" from accessing a cross-origin frame.`;
  throw new NativeDomException(reason, "SecurityError");
}

function locationOf(object) {
  return seenLocation(object, object.location);
}

/** Whether `object.location = url` navigates. */
function navigates(object) {
  if (object === root || (inWindow && object === root.document)) return inWindow;
  if (!inWindow || object === null || typeof object !== "object") return false;
  if (isWindow(object)) return true;
  try {
    return typeof nativeDocumentLocation(object) === "object" && object.defaultView !== null;
  } catch {
    return false;
  }
}

function setLocation(object, value) {
  if (object === null || object === undefined) {
    throw new TypeError(`Cannot set properties of ${object} (setting 'location')`);
  }
  if (!navigates(object)) Reflect.set(Object(object), "location", value, object);
  else if (object === root || object === root.document) navigate(value);
  else seenLocation(object, object.location).href = value;
  return value;
}

/** The same object, except that `location` and `top` are the archived ones. */
function view(object) {
  if (!isWindow(object) && !navigates(object)) return object;
  return new NativeProxy(object, {
    get(target, name) {
      if (name === "location") return locationOf(target);
      if (name === "top" && isWindow(target)) return topOf(target);
      return target[name];
    },
  });
}

const runtime = {
  get location() {
    return archivedLocation;
  },
  set location(value) {
    navigate(value);
  },
  get top() {
    return inWindow ? archivedTop() : root.top;
  },
  locationOf,
  locationOfMaybe: (object) => (object === null || object === undefined ? undefined : locationOf(object)),
  setLocation,
  topOf,
  topOfMaybe: (object) => (object === null || object === undefined ? undefined : topOf(object)),
  key: (name) => (name === "location" ? LOCATION : name === "eval" ? EVAL : name === "top" && inWindow ? TOP : name),
  view,
  code: (source) => codeToRun(source),
  cold: (key, number) => coldBody(key, number),
  importing: (specifier, referrer) => importedUrl(specifier, referrer),
  original: (url) => toArchived(url),
  /** Free `eval` that is not called directly: global code, rewritten. */
  eval: disguise({ patched: (source) => apply(nativeEval, undefined, [codeToRun(source)]) }.patched, nativeEval),
  /** `X.postMessage`: windows of other origins cannot be patched, so the call comes here. */
  post: (target) => {
    void target.postMessage;
    return (...args) => post(target, args);
  },
  postHere: (...args) => post(root, args),
};

function installRuntime() {
  archivedLocation = makeLocation();
  for (const holder of inWindow ? [root, prototypeOf("Document")] : [root]) {
    defineProperty(holder, LOCATION, {
      get() {
        return locationOf(this ?? root);
      },
      set(value) {
        setLocation(this ?? root, value);
      },
    });
  }
  defineProperty(root, EVAL, { get: () => runtime.eval });
  if (inWindow) defineProperty(root, TOP, { get: () => archivedTop() });
  defineProperty(runtime, CONFIGURE, { value: configureAgain });
  defineProperty(runtime, COMPLETE, { value: installIn });
  defineProperty(runtime, CONFIG_FOR, { value: (url) => configFor(url, archivedBase()) });
  defineProperty(runtime, PAGE, { value: madePage });
  defineProperty(root, "__varve", { value: freeze(runtime) });
}

/** What the code of a `javascript:` URL has come to: a text is a page. */
function madePage(value) {
  return typeof value === "string" ? withShim(rewritten("html", value), undefined) : value;
}

/** A window that showed an empty document and now shows one of the server's. */
function configureAgain(given) {
  configure(given);
  knownTop = null;
  startClock();
  if (!inWindow) return;
  installDocument();
  takeCookies(config.cookies);
  installGuardsAgain();
  // The browser has put them there again.
  attempt("touch", () => installTouch(config.client));
}
