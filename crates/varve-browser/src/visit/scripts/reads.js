// Tells what a page's scripts read, and what they ask for: runs in every document before the
// page's own scripts, and puts proxies before the functions that read. Proxies have the names,
// lengths and properties of what they stand for; their text is given by `Function.prototype.toString`.
//
// What is told goes through a binding that only this script has, each thing once, at the end of the
// task. A page may change any function that is used here: so all are kept from the beginning, and
// what is noted can fail but not harm.
//
// `location` cannot be watched, its properties are not to be changed; take it as always read.
// Nor can what is read by names that a page chooses: `document.forms.a`, `localStorage.a`,
// `style.backgroundImage`.
(name, asks) => {
  "use strict";
  const tell = self[name];
  if (typeof tell !== "function") return;
  delete self[name];

  const MAX_NOTES = 8000;
  const MAX_TEXT = 500;
  const { apply, construct, ownKeys } = Reflect;
  const { create, defineProperty, getOwnPropertyDescriptor, getOwnPropertyNames } = Object;
  const { stringify: quote } = JSON;
  const { Proxy: NativeProxy, queueMicrotask } = self;
  const hidden = new WeakMap();
  const { get: lookUp, set: remember } = WeakMap.prototype;
  const table = () => create(null);

  // ---- Telling.

  let room = MAX_NOTES;
  let untold = "";
  let cut = false;

  const flush = () => {
    const told = untold;
    untold = "";
    tell(`[${told}]`);
  };

  /** Notes what is JSON already. */
  const write = (json) => {
    if (untold === "") apply(queueMicrotask, window, [flush]);
    untold += untold === "" ? json : `,${json}`;
  };

  const cutOff = () => {
    if (cut) return;
    cut = true;
    write('["cut"]');
  };

  /** Whether something is new, and may be told. */
  const isNew = (seen, key, most = MAX_TEXT) => {
    if (seen[key] !== undefined) return false;
    if (room <= 0 || key.length > most) return cutOff();
    room -= 1;
    seen[key] = true;
    return true;
  };

  const flags = table();
  /** Notes that something happened at all. */
  const flag = (kind, what) => {
    if (isNew((flags[kind] ??= table()), what)) write(`["${kind}",${quote(what)}]`);
  };

  // ---- Standing before functions. `before` and `after` may fail; the page does not notice.

  const stand = (native, traps) => {
    const proxy = new NativeProxy(native, traps);
    apply(remember, hidden, [proxy, native]);
    return proxy;
  };

  const watched = (native, before, after) => stand(native, {
    apply(_, on, args) {
      if (before) try { before(on, args); } catch {}
      const result = apply(native, on, args);
      if (after) try { after(on, args, result); } catch {}
      return result;
    },
  });

  const method = (holder, key, before, after) => {
    const found = holder && getOwnPropertyDescriptor(holder, key);
    if (!found || typeof found.value !== "function" || !found.configurable) return;
    defineProperty(holder, key, { ...found, value: watched(found.value, before, after) });
  };

  const getter = (holder, key, before) => {
    const found = holder && getOwnPropertyDescriptor(holder, key);
    if (found?.get && found.configurable) defineProperty(holder, key, { ...found, get: watched(found.get, before) });
  };

  const setter = (holder, key, before) => {
    const found = holder && getOwnPropertyDescriptor(holder, key);
    if (found?.set && found.configurable) defineProperty(holder, key, { ...found, set: watched(found.set, before) });
  };

  /** A class that is told of before something is made of it. */
  const made = (key, before) => {
    const found = getOwnPropertyDescriptor(self, key);
    if (typeof found?.value !== "function" || !found.configurable) return;
    const native = found.value;
    const value = stand(native, {
      apply(_, on, args) {
        try { before(args); } catch {}
        return apply(native, on, args);
      },
      construct(_, args, target) {
        try { before(args); } catch {}
        return construct(native, args, target);
      },
    });
    defineProperty(self, key, { ...found, value });
    const own = getOwnPropertyDescriptor(native.prototype, "constructor");
    if (own?.value === native && own.configurable) defineProperty(native.prototype, "constructor", { ...own, value });
  };

  const original = (holder, key) => getOwnPropertyDescriptor(holder, key)?.get;
  const localName = original(Element.prototype, "localName");
  const nodeType = original(Node.prototype, "nodeType");
  const nameOf = (element) => apply(localName, element, []);

  /** What `toString` says of a proxy is what it says of the function that it stands for. */
  {
    const found = getOwnPropertyDescriptor(Function.prototype, "toString");
    const native = found.value;
    const value = stand(native, {
      apply: (_, on, args) => apply(native, apply(lookUp, hidden, [on]) ?? on, args),
    });
    defineProperty(Function.prototype, "toString", { ...found, value });
  }

  // First, as it needs some of what is watched below.
  asks({ table, isNew, cutOff, write, quote, method, setter, made, nameOf });

  // ---- Selectors.

  const selectors = table();
  const listLength = original(NodeList.prototype, "length");
  const collectionLength = original(HTMLCollection.prototype, "length");
  const one = (result) => result !== null;
  const list = (result) => apply(listLength, result, []) > 0;
  const collection = (result) => apply(collectionLength, result, []) > 0;
  const yes = (result) => result;
  const { escape } = CSS;

  const selected = (selector, result, matched) => {
    if (isNew(selectors, selector)) write(`["selector",${quote(selector)},${matched(result)}]`);
  };
  const asked = (make, matched) => {
    // Most questions are asked again and again: these need not become selectors first.
    const known = table();
    return (_, args, result) => {
      const text = args[0];
      if (typeof text !== "string") cutOff();
      else if (isNew(known, text)) selected(make(text), result, matched);
    };
  };
  const byClass = (names) => {
    let selector = "";
    let word = "";
    for (let at = 0; at <= names.length; at += 1) {
      const letter = names[at] ?? " ";
      if (letter > " ") word += letter;
      else if (word !== "") {
        selector += `.${escape(word)}`;
        word = "";
      }
    }
    return selector;
  };

  for (const { prototype } of [Document, Element, DocumentFragment]) {
    method(prototype, "querySelector", null, asked((selector) => selector, one));
    method(prototype, "querySelectorAll", null, asked((selector) => selector, list));
    method(prototype, "getElementById", null, asked((id) => `#${escape(id)}`, one));
    method(prototype, "getElementsByClassName", null, asked(byClass, collection));
    method(prototype, "getElementsByTagName", null, asked((tag) => tag, collection));
    method(prototype, "getElementsByName", null, asked((of) => `[name="${escape(of)}"]`, list));
    for (const test of ["matches", "webkitMatchesSelector"]) method(prototype, test, null, asked((selector) => selector, yes));
    method(prototype, "closest", null, asked((selector) => selector, one));
  }
  method(DOMTokenList.prototype, "contains", null, asked((token) => `.${escape(token)}`, yes));
  const COLLECTIONS = { forms: "form", images: "img", links: ":is(a,area)[href]", scripts: "script", embeds: "embed" };
  for (const key of getOwnPropertyNames(COLLECTIONS)) {
    const native = original(Document.prototype, key);
    getter(Document.prototype, key, (on) => {
      if (selectors[COLLECTIONS[key]] === undefined) selected(COLLECTIONS[key], apply(native, on, []), collection);
    });
  }

  // ---- Attributes and texts.

  const attributes = table();
  const readAttribute = (element, key) => {
    const tag = nameOf(element);
    if (isNew((attributes[tag] ??= table()), key)) write(`["attribute",${quote(tag)},${quote(key)}]`);
  };
  for (const key of ["getAttribute", "hasAttribute", "getAttributeNode"]) {
    method(Element.prototype, key, (on, args) => typeof args[0] === "string" && readAttribute(on, args[0]));
  }
  for (const key of ["getAttributeNS", "hasAttributeNS"]) {
    method(Element.prototype, key, (on, args) => typeof args[1] === "string" && readAttribute(on, args[1]));
  }
  method(Element.prototype, "getAttributeNames", (on) => readAttribute(on, "*"));
  getter(Element.prototype, "attributes", (on) => readAttribute(on, "*"));

  const datasets = new WeakMap();
  /** An element's dataset, which tells what is read from it. */
  const datasetOf = (element, native) => {
    const read = (key) => typeof key === "string" && readAttribute(element, `data-*${key}`);
    const proxy = new NativeProxy(native, {
      get(_, key) { try { read(key); } catch {} return native[key]; },
      has(_, key) { try { read(key); } catch {} return key in native; },
      set(_, key, value) { native[key] = value; return true; },
      ownKeys() { try { readAttribute(element, "*"); } catch {} return ownKeys(native); },
    });
    apply(remember, datasets, [native, proxy]);
    return proxy;
  };
  for (const { prototype } of [HTMLElement, SVGElement]) {
    const found = getOwnPropertyDescriptor(prototype, "dataset");
    const native = found.get;
    const get = stand(native, {
      apply(_, on, args) {
        const dataset = apply(native, on, args);
        return apply(lookUp, datasets, [dataset]) ?? datasetOf(on, dataset);
      },
    });
    defineProperty(prototype, "dataset", { ...found, get });
  }

  const REFLECTED = {
    HTMLMetaElement: ["content", "name"], HTMLImageElement: ["src", "srcset"], HTMLScriptElement: ["src"],
    HTMLLinkElement: ["href"], HTMLAnchorElement: ["href", "hash", "pathname", "search"], HTMLIFrameElement: ["src"],
    HTMLFormElement: ["action"], HTMLInputElement: ["value"], HTMLElement: ["lang"],
  };
  for (const kind of getOwnPropertyNames(REFLECTED)) {
    for (const key of REFLECTED[kind]) getter(self[kind]?.prototype, key, (element) => readAttribute(element, key));
  }
  const readText = (node) => apply(nodeType, node, []) === 1 && readAttribute(node, "#text");
  getter(Node.prototype, "textContent", readText);
  for (const key of ["innerHTML", "outerHTML"]) getter(Element.prototype, key, readText);
  for (const key of ["innerText", "outerText"]) getter(HTMLElement.prototype, key, readText);
  getter(HTMLScriptElement.prototype, "text", readText);

  // ---- Addresses, cookies, storage.

  for (const key of ["URL", "documentURI", "referrer", "domain"]) {
    getter(Document.prototype, key, () => flag("url", `document.${key}`));
  }
  getter(Node.prototype, "baseURI", () => flag("url", "baseURI"));
  getter(Document.prototype, "cookie", () => flag("cookie", "document.cookie"));
  method(self.CookieStore?.prototype, "get", () => flag("cookie", "cookieStore"));
  method(self.CookieStore?.prototype, "getAll", () => flag("cookie", "cookieStore"));
  method(Storage.prototype, "getItem", (_, args) => typeof args[0] === "string" && flag("key", args[0]));
  method(Storage.prototype, "key", () => flag("key", "*"));
  getter(Storage.prototype, "length", () => flag("key", "*"));

  // ---- The visitor, and what is another at each visit.

  method(self, "matchMedia", (_, args) => typeof args[0] === "string" && flag("media", args[0]));
  const environment = (holder, keys, prefix) => {
    for (const key of keys) getter(holder, key, () => flag("environment", prefix + key));
  };
  const WINDOW = [
    "innerWidth", "innerHeight", "outerWidth", "outerHeight", "devicePixelRatio", "screenX", "screenY", "screenLeft",
    "screenTop", "visualViewport", "localStorage", "sessionStorage", "indexedDB",
  ];
  environment(self, WINDOW, "");
  for (const [kind, prefix] of [["Navigator", "navigator."], ["Screen", "screen."], ["NetworkInformation", "navigator.connection."]]) {
    const holder = self[kind]?.prototype;
    if (holder) environment(holder, getOwnPropertyNames(holder), prefix);
  }
  const LOCAL = {
    Date: ["getTimezoneOffset", "toLocaleString", "toLocaleDateString", "toLocaleTimeString"],
    Number: ["toLocaleString"],
  };
  for (const kind of getOwnPropertyNames(LOCAL)) {
    for (const key of LOCAL[kind]) method(self[kind].prototype, key, () => flag("environment", "Intl"));
  }
  for (const key of getOwnPropertyNames(Intl)) {
    method(Intl[key]?.prototype, "resolvedOptions", () => flag("environment", "Intl"));
    getter(Intl[key]?.prototype, "format", () => flag("environment", "Intl"));
  }

  const chance = (what) => () => flag("chance", what);
  method(Math, "random", chance("Math.random"));
  method(Performance.prototype, "now", chance("performance.now"));
  method(Date, "now", chance("Date"));
  made("Date", (args) => args.length === 0 && flag("chance", "Date"));
  for (const key of ["getRandomValues", "randomUUID"]) method(self.Crypto?.prototype, key, chance("crypto"));
}
