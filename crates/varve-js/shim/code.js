// Code made at run time: `eval`, `Function`, timers with strings, `javascript:` URLs, script texts.
//
// The browser has no parser to lend, so such text goes to the server's rewriter, synchronously and
// only when it mentions something that the rewriter would change. Answers are kept.

/** Words without which the rewriter leaves a script alone. */
const CODE_WORDS = /\b(?:location|top|eval|import|postMessage)\b|\\u/;

/** Longest text whose answer is kept, and how many are. */
const KEPT_TEXT = 1 << 16;
const KEPT_ANSWERS = 500;

const answers = newMap();
const xhrOpen = methodOf(prototypeOf("XMLHttpRequest"), "open");
const xhrSend = methodOf(prototypeOf("XMLHttpRequest"), "send");
const xhrStatus = getterOf(prototypeOf("XMLHttpRequest"), "status");
const xhrText = getterOf(prototypeOf("XMLHttpRequest"), "responseText");
const mapSize = getterOf(NativeMap.prototype, "size");

/** Text rewritten by the server as `script`, `handler`, `module`, `html` or `css`; itself if that fails. */
function rewritten(as, source, base = archivedBase()) {
  const key = `${as} ${base} ${source}`;
  if (answers.has(key)) return answers.get(key);
  const answer = askRewriter(as, source, base);
  keep(answers, key, answer);
  return answer;
}

/** Keeps an answer, within bounds. */
function keep(map, key, answer) {
  if (mapSize(map) >= KEPT_ANSWERS) map.clear();
  if (key.length < KEPT_TEXT) map.set(key, answer);
}

function askRewriter(as, source, base) {
  const query = `as=${as}&time=${config.time}&url=${encodeURIComponent(base)}`;
  const answer = synchronously("POST", `${replayOrigin}/__varve/rewrite?${query}`, source);
  return answer ?? source;
}

/** The text that a synchronous request gets; `null` if it is refused, nothing if none can be made. */
function synchronously(method, url, body) {
  if (!NativeXhr) return undefined;
  try {
    const request = new NativeXhr();
    xhrOpen(request, method, url, false);
    xhrSend(request, body);
    const status = xhrStatus(request);
    return status === 200 || (status === 0 && startsWith(url, "data:")) ? xhrText(request) : null;
  } catch {
    return undefined;
  }
}

const coldBodies = newMap();

/** The body of a function that was taken out of a script because it never ran, ready for `eval`. */
function coldBody(key, number) {
  const name = `${key} ${number}`;
  if (coldBodies.has(name)) return coldBodies.get(name);
  const query = `key=${encodeURIComponent(key)}&n=${number}${inWindow ? "" : "&worker=1"}`;
  const url = `${replayOrigin}/__varve/cold?${query}`;
  const body = synchronously("GET", url, null);
  if (body === undefined) askInVain(url);
  if (typeof body !== "string") throw new NativeError(`The archive has no body of this function (${name})`);
  keep(coldBodies, name, body);
  return body;
}

/** A page that is being left can wait for nothing; but the server hears what it lacked, and the next layer has it. */
async function askInVain(url) {
  try {
    await nativeFetch(url, { keepalive: true, mode: "no-cors", credentials: "omit" });
  } catch {
    // Nor can it ask, then.
  }
}

/** What stands in the place of something that was taken out: all of it, with what leads to the call. */
const STUBS = /(;?return yield\*|;?return |(?:return|!)?\(\(\)=>|\()eval\(__varve\.cold\("([^"]*)",(\d+)\)\)(\)(?:\(\))?)?/g;
/** What `coldBody` puts around a value, and around the body of a function. */
const VALUE = /^\((?:async)?\(\)=>\(([^]*)\n\)\)\(\)$/;
const BODY = /^\((?:(?:async)?\(\)=>|function\*\(\))\{([^]*)\n\}\)(?:\(\)|\.call\(this\))$/;

/** The text of a function with what was taken out of it, for those who look at it. */
function wholeText(text) {
  if (!includes(text, "__varve.cold(")) return text;
  try {
    return replaceAll(text, STUBS, (stub) => {
      const before = stub[1];
      const fetched = coldBody(stub[2], stub[3]);
      const value = execute(VALUE, fetched);
      const what = value || execute(BODY, fetched);
      // A branch has its own function around it, the value of an arrow function parentheses.
      const ends = endsWith(before, "=>") ? ")()" : before === "(" ? ")" : "";
      const behind = stub[4] || "";
      if (!what || !startsWith(behind, ends)) return stub[0];
      const after = slice(behind, ends.length);
      return (value && startsWith(before, "return") ? "return" : "") + what[1] + after;
    });
  } catch {
    return text;
  }
}

const codeMatters = (source) => matches(CODE_WORDS, source);

function rewrittenCode(as, source) {
  return codeMatters(source) ? rewritten(as, source) : source;
}

/** What `eval` should be given: strings are rewritten, everything else is left to it. */
function codeToRun(source) {
  const trusted = root.TrustedScript && source instanceof root.TrustedScript;
  return typeof source === "string" || trusted ? rewrittenCode("script", text(source)) : source;
}

/** Code whose value may be a page: the shim is put into that. */
function completedPage(code) {
  if (!includes(code, "<")) return code;
  return `(self.__varve||parent.__varve)[Symbol.for("varve.page")](eval(${writeJson(code)}))`;
}

/** A `javascript:` URL whose code has been rewritten, with more code before it. */
function javascriptUrl(value, before = "") {
  const colon = indexOf(value, ":") + 1;
  const written = slice(value, colon);
  if (!codeMatters(written) && !matches(/<|%3c/i, written)) return value;
  let code = written;
  try {
    code = decodeURIComponent(written);
  } catch {
    // A lone percent sign: the browser takes such code literally, and so do we.
  }
  return `javascript:${encodeURIComponent(before + completedPage(rewrittenCode("script", code)))}`;
}

/** The text of a script element by its type: code, import map, or data that stays as it is. */
function scriptTextToReplay(type, source) {
  const kind = lower(trim(type || ""));
  if (kind === "module") return rewrittenCode("module", source);
  if (kind === "importmap") return importMapToReplay(source);
  if (kind === "speculationrules" || kind === "_speculationrules") return "{}";
  const isCode = kind === "" || matches(/^(?:text|application)\/(?:x-)?(?:java|ecma|j|live)script/, kind);
  return isCode ? rewrittenCode("script", source) : source;
}

function importMapToReplay(source) {
  try {
    const map = parseJson(source);
    const mapKeys = (table, value) =>
      Object.fromEntries(Object.entries(table || {}).map(([key, to]) => [specifierToReplay(key), value(to)]));
    const address = (to) => (typeof to === "string" ? toReplayUrl(to, "js_") : to);
    map.imports = mapKeys(map.imports, address);
    if (map.scopes) map.scopes = mapKeys(map.scopes, (scope) => mapKeys(scope, address));
    delete map.integrity;
    return writeJson(map);
  } catch {
    return source;
  }
}

/** A module specifier: bare names are the import map's affair. */
function specifierToReplay(specifier, base) {
  return matches(/^(?:\.{0,2}\/|https?:)/i, specifier) ? toReplayUrl(specifier, "js_", base) : specifier;
}

/** What `import()` should load. */
function importedUrl(specifier, referrer) {
  const value = text(specifier);
  if (matches(/^(?:blob|data):/i, value)) return rewrittenBlob(value, "module");
  return specifierToReplay(value, referrer ? toArchived(referrer) : runningScript() || archivedBase);
}

/** The archived address of the classic script that is running, where the document knows it. */
function runningScript() {
  const running = inWindow && nativeCurrentScript(root.document);
  const src = running && nativeGetAttribute(running, "src");
  return src ? toArchived(new NativeURL(src, nativeBaseUri(root.document)).href) : null;
}

const nativeCurrentScript = getterOf(prototypeOf("Document"), "currentScript");

const blobs = newMap();

/** A blob or data URL of code, replaced by one of the rewritten code. */
function rewrittenBlob(url, as, change = (code) => rewrittenCode(as, code)) {
  const key = `${as} ${url}`;
  if (blobs.has(key)) return blobs.get(key);
  const code = synchronously("GET", url, null);
  if (typeof code !== "string") return url;
  const changed = change(code);
  const made = changed === code ? url : apply(createObjectUrl, NativeURL, [javascriptBlob(changed)]);
  keep(blobs, key, made);
  return made;
}

const javascriptBlob = (code) => new NativeBlob([code], { type: "text/javascript" });

/** `new Function(...)` and its relatives: the whole function is rewritten, then evaluated. */
function installFunctionConstructors() {
  const kinds = [
    [Function, "function", true],
    [getPrototypeOf(async function () {}).constructor, "async function", false],
    [getPrototypeOf(function* () {}).constructor, "function*", false],
    [getPrototypeOf(async function* () {}).constructor, "async function*", false],
  ];
  for (const [native, head, isGlobal] of kinds) {
    attempt(head, () => {
      const made = standInFunction(native, head);
      if (isGlobal) defineProperty(root, "Function", { ...getOwnPropertyDescriptor(root, "Function"), value: made });
    });
  }
}

function standInFunction(native, head) {
  const make = (args, target) => {
    const parts = args.map(text);
    const made = construct(native, parts, target);
    if (!parts.some(codeMatters)) return made;
    const body = parts.pop() ?? "";
    const source = `(${head} anonymous(${join(parts, ",")}\n) {\n${body}\n})`;
    return apply(nativeEval, undefined, [rewrittenCode("script", source)]);
  };
  return standIn(native, make, (args) => make(args, native));
}

function installCode() {
  installFunctionConstructors();
  for (const name of ["setTimeout", "setInterval"]) {
    patchArguments(root, name, (args) => {
      if (args.length && typeof args[0] !== "function") args[0] = codeToRun(args[0]);
    });
  }
}
