// The part of `reads.js` about the network: which URLs scripts name where something is fetched, and
// the scripts that do. The browser says of many requests that the document's parser made them; who
// named their URLs first did.
//
// URLs are told as they are given, with the address that they are relative to. A stack is taken the
// first time that a function is given a URL: it costs as much as a hundred calls.
({ table, isNew, cutOff, write, quote, method, setter, made, nameOf }) => {
  const MAX_URL = 4096;
  const MAX_MARKUP = 65536;
  const MAX_FOUND = 200;
  const FRAMES = 3;
  const { apply } = Reflect;
  const { defineProperty, getOwnPropertyDescriptor, getOwnPropertyNames } = Object;
  const NativeError = Error;
  const { indexOf, slice } = String.prototype;
  const { exec } = RegExp.prototype;
  const get = (kind, key) => self[kind] && getOwnPropertyDescriptor(self[kind].prototype, key)?.get;
  const [hrefOf, urlOf, baseOf] = [get("URL", "href"), get("Request", "url"), get("Node", "baseURI")];
  const trusted = self.TrustedScriptURL?.prototype.toString;

  // ---- Who asks.

  const frame = (site) => {
    const url = site.getScriptNameOrSourceURL();
    if (!url) return "";
    const place = `${site.getLineNumber() ?? 1},${site.getColumnNumber() ?? 1}`;
    return `[${quote(site.getFunctionName() ?? "")},${quote(url)},${place},${quote(site.getScriptHash?.() ?? "")}]`;
  };

  /** The innermost frames that are the page's own, as JSON. */
  const frames = (_, sites) => {
    let told = "";
    for (let at = 0, left = FRAMES; at < sites.length && left > 0; at += 1) {
      const one = frame(sites[at]);
      if (one === "") continue;
      told += told === "" ? one : `,${one}`;
      left -= 1;
    }
    return `[${told}]`;
  };

  /** A stack, without the page's ideas of how to show one. */
  const stack = () => {
    const { stackTraceLimit } = NativeError;
    const prepare = getOwnPropertyDescriptor(NativeError, "prepareStackTrace");
    try {
      NativeError.stackTraceLimit = FRAMES + 7;
      defineProperty(NativeError, "prepareStackTrace", { value: frames, configurable: true, writable: true });
      const { stack: told } = new NativeError();
      return typeof told === "string" ? told : "[]";
    } catch {
      return "[]";
    } finally {
      try {
        NativeError.stackTraceLimit = stackTraceLimit;
        if (prepare) defineProperty(NativeError, "prepareStackTrace", prepare);
        else delete NativeError.prepareStackTrace;
      } catch {}
    }
  };

  // ---- What they ask for.

  const seen = table();
  const ask = (api, url) => {
    if (url === "" || isData(url)) return;
    if (isNew((seen[api] ??= table()), url, MAX_URL)) write(`["ask",${quote(api)},${quote(url)},${quote(apply(baseOf, document, []))},${stack()}]`);
  };
  const isData = (url) => (url[0] === "d" || url[0] === "D") && url[4] === ":";

  /** A URL that is given as text or as an object that has one. Objects of other kinds are not asked. */
  const urlIn = (value) => {
    if (typeof value === "string") return value;
    if (typeof value !== "object" || value === null) return "";
    try { return apply(hrefOf, value, []); } catch {}
    try { return apply(urlOf, value, []); } catch {}
    try { return apply(trusted, value, []); } catch {}
    return "";
  };
  const first = (api) => (_, args) => ask(api, urlIn(args[0]));
  const second = (api) => (_, args) => ask(api, urlIn(args[1]));
  const has = (text, part) => typeof text === "string" && apply(indexOf, text, [part]) >= 0;
  const begin = (text) => {
    if (text.length <= MAX_MARKUP) return text;
    cutOff();
    return apply(slice, text, [0, MAX_MARKUP]);
  };
  const each = (pattern, text, use) => {
    pattern.lastIndex = 0;
    let found = null;
    for (let count = 0; count < MAX_FOUND && (found = apply(exec, pattern, [text])) !== null; count += 1) use(found);
  };

  const inStyle = (api, text) => {
    if (!has(text, "url(")) return;
    each(/url\(\s*(?:"([^"]*)"|'([^']*)'|([^)\s"']*))/g, begin(text), (found) => ask(api, found[1] ?? found[2] ?? found[3]));
  };
  const NAMING = { src: 1, srcset: 1, href: 1, poster: 1, data: 1, imagesrcset: 1, "xlink:href": 1, __proto__: null };
  const LOADING = { __proto__: null };
  for (const tag of ["img", "script", "link", "iframe", "frame", "source", "video", "audio", "track", "embed", "object", "input", "image", "use", "feImage"]) LOADING[tag] = 1;
  const attribute = (api, key, value) => ask(key === "srcset" || key === "imagesrcset" ? `${api} srcset` : api, value);

  const inMarkup = (api) => (_, args) => {
    const html = args[api === "insertAdjacentHTML" ? 1 : 0];
    if (!has(html, "<")) return;
    const text = begin(html);
    each(/<(img|script|link|iframe|frame|source|video|audio|track|embed|object|input|image|use)\s([^>]*)/gi, text, (tag) => {
      const given = /(?:^|[\s"'/])(srcset|imagesrcset|src|href|poster|data)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi;
      each(given, tag[2], (found) => attribute(`${api} markup`, found[1], found[2] ?? found[3] ?? found[4]));
    });
    inStyle(`${api} markup`, text);
  };

  // ---- Where they ask.

  method(self, "fetch", first("fetch"));
  method(XMLHttpRequest.prototype, "open", second("XMLHttpRequest"));
  method(Navigator.prototype, "sendBeacon", first("sendBeacon"));
  method(self.ServiceWorkerContainer?.prototype, "register", first("serviceWorker"));
  for (const kind of ["WebSocket", "EventSource", "Worker", "SharedWorker", "Audio"]) made(kind, (args) => ask(kind, urlIn(args[0])));
  made("FontFace", (args) => inStyle("FontFace", args[1]));

  const SETTERS = {
    HTMLImageElement: ["src", "srcset"], HTMLScriptElement: ["src"], HTMLLinkElement: ["href", "imageSrcset"],
    HTMLIFrameElement: ["src"], HTMLFrameElement: ["src"], HTMLMediaElement: ["src"], HTMLVideoElement: ["poster"],
    HTMLSourceElement: ["src", "srcset"], HTMLTrackElement: ["src"], HTMLEmbedElement: ["src"], HTMLObjectElement: ["data"],
    HTMLInputElement: ["src"],
  };
  for (const kind of getOwnPropertyNames(SETTERS)) {
    for (const key of SETTERS[kind]) {
      const named = key === "imageSrcset" ? "imagesrcset" : key;
      setter(self[kind]?.prototype, key, (element, args) => attribute(nameOf(element), named, urlIn(args[0])));
    }
  }
  const set = (element, key, value) => {
    if (NAMING[key] !== undefined && LOADING[nameOf(element)] !== undefined) attribute(nameOf(element), key, urlIn(value));
    else if (key === "style") inStyle("style", value);
  };
  method(Element.prototype, "setAttribute", (element, args) => set(element, args[0], args[1]));
  method(Element.prototype, "setAttributeNS", (element, args) => set(element, args[1], args[2]));

  for (const key of ["innerHTML", "outerHTML"]) setter(Element.prototype, key, inMarkup(key));
  for (const key of ["insertAdjacentHTML", "setHTMLUnsafe"]) method(Element.prototype, key, inMarkup(key));
  for (const key of ["write", "writeln"]) method(Document.prototype, key, inMarkup(key));
  method(Range.prototype, "createContextualFragment", inMarkup("createContextualFragment"));

  setter(CSSStyleDeclaration.prototype, "cssText", (_, args) => inStyle("style", args[0]));
  method(CSSStyleDeclaration.prototype, "setProperty", (_, args) => inStyle("style", args[1]));
  for (const key of ["insertRule", "replaceSync", "replace"]) method(CSSStyleSheet.prototype, key, (_, args) => inStyle("sheet", args[0]));
  setter(Node.prototype, "textContent", (_, args) => inStyle("sheet", args[0]));
}
