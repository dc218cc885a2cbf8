// The archived Location: says the archived address and navigates by replay addresses.
//
// `window.location` itself cannot be replaced, so the rewriter sends every reading and writing of
// it here (`runtime.js`). The object has all members of the native one and its prototype.

const PARTS = ["protocol", "host", "hostname", "port", "pathname", "search", "hash"];
const urlGetters = create(null);
const urlSetters = create(null);
for (const part of [...PARTS, "href", "origin", "username", "password"]) {
  urlGetters[part] = getterOf(NativeURL.prototype, part);
  urlSetters[part] = setterOf(NativeURL.prototype, part);
}
const nativeSetHref = setterOf(realLocation, "href");
const nativeSetHash = setterOf(realLocation, "hash");
const nativeAssign = methodOf(realLocation, "assign");
const nativeReplace = methodOf(realLocation, "replace");
const nativeReload = methodOf(realLocation, "reload");
const nativeAncestors = getterOf(realLocation, "ancestorOrigins");

/** The modifier of this document's own address in path layout, kept in moves inside it. */
function ownMod() {
  const match = execute(/\/web\/\d{14}([a-z]{2,3}_)/, hrefOf(realLocation));
  return match ? match[1] : "mp_";
}

/** Where a navigation to `given` leads in replay; `javascript:` code is rewritten. */
function navigationUrl(given) {
  const value = text(given);
  if (isJavascript(value)) return javascriptUrl(plainUrl(value));
  return toReplayUrl(documentUrl(resolvedForLocation(value)), ownMod());
}

/** Script addresses are relative to the document's base, fragments to the document itself. */
function resolvedForLocation(value) {
  if (!matches(WEB, value) && matches(SCHEME, value)) return value;
  try {
    return new NativeURL(value, archivedBase()).href;
  } catch {
    throw new NativeDomException(`'${value}' is not a valid URL.`, "SyntaxError");
  }
}

/** The fragment, if `target` differs from the present address in nothing else. */
function onlyHash(target) {
  const hash = indexOf(target, "#");
  if (hash < 0) return null;
  return withoutHash(toArchived(target)) === withoutHash(archivedHref()) ? slice(target, hash) : null;
}

function navigate(given) {
  const target = navigationUrl(given);
  const hash = onlyHash(target);
  if (hash === null) nativeSetHref(realLocation, target);
  else nativeSetHash(realLocation, hash);
}

function replaceLocation(given) {
  const target = navigationUrl(given);
  const hash = onlyHash(target);
  nativeReplace(realLocation, hash === null ? target : withoutHash(hrefOf(realLocation)) + hash);
}

/** One part of the archived address, as `URL` would give it. */
function archivedPart(name) {
  const href = archivedHref();
  try {
    return urlGetters[name](new NativeURL(href));
  } catch {
    return name === "href" ? href : "";
  }
}

function setArchivedPart(name, value) {
  if (name === "hash") return nativeSetHash(realLocation, value);
  const url = new NativeURL(archivedHref());
  urlSetters[name](url, text(value));
  if (matches(WEB, urlGetters.href(url))) navigate(urlGetters.href(url));
}

/** The origins of the archived documents above this one; the viewer's own frame is none. */
function archivedAncestors() {
  const native = nativeAncestors(realLocation) || [];
  const origins = [];
  for (let at = 0; at < native.length; at += 1) {
    if (isArchivedOrigin(native[at])) push(origins, originToArchived(native[at]));
  }
  return domStringList(origins);
}

function domStringList(strings) {
  const list = create(prototypeOf("DOMStringList") || Array.prototype);
  strings.forEach((value, at) => defineProperty(list, at, { value, enumerable: true }));
  defineProperty(list, "length", { value: strings.length });
  defineProperty(list, "item", { value: (at) => (at in strings ? strings[at] : null) });
  defineProperty(list, "contains", { value: (value) => strings.indexOf(text(value)) >= 0 });
  defineProperty(list, Symbol.iterator, { value: () => strings[Symbol.iterator]() });
  return list;
}

const locationMembers = {
  assign: (url) => navigate(url),
  replace: (url) => replaceLocation(url),
  reload: () => nativeReload(realLocation),
  toString: () => archivedHref(),
};

/** Defines a member as on the native object: own, enumerable, fixed. */
function defineMember(target, name, descriptor) {
  defineProperty(target, name, { enumerable: true, configurable: false, ...descriptor });
}

/** The native function behind a member of Location, to disguise ours with. */
function nativeMember(name, kind) {
  const descriptor = getOwnPropertyDescriptor(realLocation, name) || findProperty(realLocation, name)?.descriptor;
  return (descriptor && descriptor[kind]) || Function.prototype;
}

function makeLocation() {
  const made = create(getPrototypeOf(realLocation));
  for (const name of ["href", ...PARTS]) {
    defineMember(made, name, {
      get: disguise(() => (name === "href" ? archivedHref() : archivedPart(name)), nativeMember(name, "get")),
      set: !inWindow ? undefined : disguise(
        (value) => (name === "href" ? navigate(value) : setArchivedPart(name, value)),
        nativeMember(name, "set"),
      ),
    });
  }
  defineMember(made, "origin", { get: disguise(() => archivedOrigin(), nativeMember("origin", "get")) });
  defineMember(made, "toString", { value: disguise(locationMembers.toString, nativeMember("toString", "value")) });
  if (!inWindow) return made;
  for (const name of ["assign", "replace", "reload"]) {
    defineMember(made, name, { value: disguise(locationMembers[name], nativeMember(name, "value")) });
  }
  defineMember(made, "ancestorOrigins", { get: disguise(archivedAncestors, nativeMember("ancestorOrigins", "get")) });
  defineProperty(made, "valueOf", { value: disguise(() => made, nativeMember("valueOf", "value")) });
  defineProperty(made, Symbol.toPrimitive, { value: undefined });
  return made;
}
