// What the browser gave us, saved before any archived script can change it.
//
// Every other file takes its natives from here. An archived page may delete `URL`, replace
// `Array.prototype.push` or freeze `Map`: what is saved here keeps working.

const root = globalThis;
const inWindow = typeof root.Window === "function" && root instanceof root.Window;
const nativeEval = root.eval;

const { apply, construct } = Reflect;
const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf, setPrototypeOf } = Object;
const { getOwnPropertyNames, getOwnPropertySymbols, create, freeze, assign } = Object;
const parseJson = JSON.parse;
const writeJson = JSON.stringify;
const NativeURL = root.URL;
const NativeProxy = root.Proxy;
const NativePromise = root.Promise;
const NativeDate = root.Date;
const NativeMap = root.Map;
const NativeWeakMap = root.WeakMap;
const NativeXhr = root.XMLHttpRequest;
const NativeBlob = root.Blob;
const NativeDomException = root.DOMException;
const NativeError = root.Error;
const createObjectUrl = NativeURL.createObjectURL;
const nativeSetTimeout = root.setTimeout;
const nativeClearTimeout = root.clearTimeout;
const nativeFetch = root.fetch;

/** `method(self, ...args)` for a method that may later be replaced on its prototype. */
function uncurry(method) {
  return (self, ...args) => apply(method, self, args);
}

const lower = uncurry(String.prototype.toLowerCase);
const startsWith = uncurry(String.prototype.startsWith);
const endsWith = uncurry(String.prototype.endsWith);
const includes = uncurry(String.prototype.includes);
const indexOf = uncurry(String.prototype.indexOf);
const slice = uncurry(String.prototype.slice);
const split = uncurry(String.prototype.split);
const trim = uncurry(String.prototype.trim);
const charCode = uncurry(String.prototype.charCodeAt);
const execute = uncurry(RegExp.prototype.exec);
const join = uncurry(Array.prototype.join);
const push = uncurry(Array.prototype.push);
const isAmong = uncurry(Array.prototype.includes);
const then = uncurry(Promise.prototype.then);
const functionText = uncurry(Function.prototype.toString);
const addListener = root.EventTarget && uncurry(root.EventTarget.prototype.addEventListener);
const dispatch = root.EventTarget && uncurry(root.EventTarget.prototype.dispatchEvent);

/** Whether `pattern` (without the `g` flag) occurs in `text`. */
function matches(pattern, text) {
  return execute(pattern, text) !== null;
}

/** `text` with each match of the `g` pattern replaced, whatever became of `String.prototype`. */
function replaceAll(text, pattern, replacement) {
  pattern.lastIndex = 0;
  let result = "";
  let from = 0;
  for (let match; (match = execute(pattern, text)) !== null; ) {
    result += slice(text, from, match.index) + replacement(match);
    from = match.index + match[0].length;
    if (match[0] === "") pattern.lastIndex += 1;
  }
  return from === 0 && result === "" ? text : result + slice(text, from);
}

/** A map whose methods are its own, so that nobody can replace them on the prototype. */
function keeping(map) {
  const from = getPrototypeOf(map);
  for (const name of ["get", "set", "has", "delete", "clear"]) {
    if (from[name]) defineProperty(map, name, { value: from[name] });
  }
  return map;
}

const newMap = () => keeping(new NativeMap());
const newWeakMap = () => keeping(new NativeWeakMap());

/** The descriptor of a property, its own or inherited, with its holder. */
function findProperty(object, name) {
  for (let holder = object; holder; holder = getPrototypeOf(holder)) {
    const descriptor = getOwnPropertyDescriptor(holder, name);
    if (descriptor) return { holder, descriptor };
  }
  return null;
}

/** A getter as a function of its object, or one that answers `undefined` where there is none. */
function getterOf(object, name) {
  const found = object && findProperty(object, name);
  return found && found.descriptor.get ? uncurry(found.descriptor.get) : () => undefined;
}

/** A setter as a function of its object and the value. */
function setterOf(object, name) {
  const found = object && findProperty(object, name);
  return found && found.descriptor.set ? uncurry(found.descriptor.set) : () => undefined;
}

/** A method as a function of its object and arguments. */
function methodOf(object, name) {
  const found = object && findProperty(object, name);
  return found && typeof found.descriptor.value === "function"
    ? uncurry(found.descriptor.value)
    : () => undefined;
}

/** The prototype of a named interface, or `null` where this browser has none. */
function prototypeOf(name) {
  const found = root[name];
  return typeof found === "function" && found.prototype ? found.prototype : null;
}

/** The value as a string, as a Web API would convert it. Symbols and failing objects throw. */
function text(value) {
  return typeof value === "string" ? value : `${value}`;
}
