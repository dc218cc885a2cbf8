// Everything that scripts can ask for.
(() => {
  const { expect } = checks;
  const here = path => `/everything/${path}`;
  const api = path => `//api.garden.example/everything/${path}`;
  const json = (url, options) => fetch(url, options).then(response => response.json());
  const once = (target, name) => new Promise((done, failed) => {
    target.addEventListener(name, done, { once: true });
    target.addEventListener("error", failed, { once: true });
  });
  const secure = Boolean(navigator.serviceWorker);

  // Pictures, fonts, scripts, frames.
  expect("image made by a script", new Promise((done, failed) => {
    const image = new Image(80, 96);
    image.onload = () => done(true);
    image.onerror = failed;
    image.src = here("by-script.png");
    document.getElementById("by-script").append(image);
  }));
  expect("font by the FontFace interface", new FontFace("Other Icons", "url(//static.garden.example/fonts/orrin-icons.woff2?by=script)").load().then(font => document.fonts.add(font)));
  expect("script added by a script", (() => {
    const script = document.createElement("script");
    script.src = here("added.js");
    const loaded = once(script, "load");
    document.head.append(script);
    return loaded.then(() => window.added === "added");
  })());
  document.getElementById("ad").src = `//ads.example/slot?creative=tea&cb=${Math.random().toString().slice(2)}`;
  document.getElementById("form").submit();
  document.getElementById("pinged").click();

  // Plain requests.
  expect("fetch of a preloaded file", json(here("preload.json")).then(answer => answer.preloaded));
  expect("fetch, cross-origin", json(api("fetch.json")).then(answer => answer.fetched));
  expect("XMLHttpRequest", new Promise((done, failed) => {
    const request = new XMLHttpRequest();
    request.open("GET", here("xhr.json"));
    request.responseType = "json";
    request.onload = () => done(request.response.xhr);
    request.onerror = failed;
    request.send();
  }));
  expect("XMLHttpRequest, synchronous", (async () => {
    const request = new XMLHttpRequest();
    request.open("GET", here("sync-xhr.json"), false);
    request.send();
    return JSON.parse(request.responseText).synchronous;
  })());
  expect("HEAD", fetch(here("image.png?head"), { method: "HEAD" }).then(response => response.ok));
  expect("POST", json(here("post"), { method: "POST", body: JSON.stringify({ plant: "fern" }), headers: { "Content-Type": "application/json" } }).then(answer => answer.received === 16));
  expect("POST of files", (() => {
    const form = new FormData();
    form.append("name", "blackbird");
    form.append("file", new Blob([new Uint8Array([0, 1, 2, 255])], { type: "application/octet-stream" }), "song.bin");
    return json(here("upload"), { method: "POST", body: form }).then(answer => answer.received > 100);
  })());
  expect("PUT", json(here("put"), { method: "PUT", body: "a new label" }).then(answer => answer.method === "PUT" && answer.received === 11));
  expect("request after a preflight", json(api("preflight"), { method: "PATCH", headers: { "X-Garden": "gate" }, body: "{}" }).then(answer => answer.method === "PATCH"));
  expect("cookies", json(api("cookie-set"), { credentials: "include" }).then(() => json(api("cookie-check"), { credentials: "include" })).then(answer => answer.cookies));
  expect("redirects", fetch(here("redirect-302")).then(response => response.redirected && response.json()).then(answer => answer.end));
  expect("range", fetch(here("range.bin"), { headers: { Range: "bytes=100-199" } }).then(async response => response.status === 206 && (await response.arrayBuffer()).byteLength === 100));
  expect("gzip", json(here("gzip.json")).then(answer => answer.leaves.length === 200));
  expect("Brotli", json(here("br.json")).then(answer => answer.leaves.length === 200));
  expect("chunks", fetch(here("chunked.txt")).then(response => response.text()).then(text => text.endsWith("closing with trailers.\n")));
  expect("early hints", json(here("hints.json")).then(answer => answer.hinted));
  expect("late answer", json(here("late.json")).then(answer => answer.late));
  expect("odd header fields", fetch(here("odd.json")).then(response => response.headers.get("x-odd") === "one, two"));
  expect("204", fetch(here("204")).then(response => response.status === 204));
  expect("404", fetch(here("missing.json")).then(response => response.status === 404));
  expect("beacon", (async () => navigator.sendBeacon("//tracker.example/collect?from=everything", "event=load"))());

  // Workers.
  expect("worker", (() => {
    const worker = new Worker(here("worker.js"));
    return once(worker, "message").then(({ data }) => data === "imported and fetched");
  })());
  expect("module worker", (() => {
    const worker = new Worker(here("module-worker.js"), { type: "module" });
    return once(worker, "message").then(({ data }) => data === "imported");
  })());
  expect("shared worker", (() => {
    const worker = new SharedWorker(here("shared-worker.js"));
    worker.port.start();
    return once(worker.port, "message").then(({ data }) => data === "fetched");
  })());
  if (secure) expect("service worker", (async () => {
    await navigator.serviceWorker.register(here("service-worker.js"));
    if (!navigator.serviceWorker.controller) await once(navigator.serviceWorker, "controllerchange");
    const virtual = await json(here("only-in-the-service-worker.json"));
    const cached = await json(here("from-the-cache.json"));
    return virtual.behind && cached.precached;
  })());

  // Streams.
  expect("WebSocket", new Promise((done, failed) => {
    const socket = new WebSocket(location.protocol.replace("http", "ws") + "//" + location.host + here("socket"));
    const heard = [];
    socket.onopen = () => socket.send("echo this");
    socket.onmessage = ({ data }) => {
      heard.push(data);
      if (data === "echo this") done(heard.length === 4);
    };
    socket.onerror = failed;
  }));
  expect("EventSource", new Promise((done, failed) => {
    const events = new EventSource(here("events"));
    let bloomed = false;
    events.addEventListener("bloom", ({ data }) => { bloomed = data === "second\nof two lines"; });
    events.onmessage = ({ data }) => { if (data === "third") done(bloomed); };
    events.onerror = failed;
  }));

  // Later.
  const observed = document.getElementById("observed");
  new IntersectionObserver((entries, observer) => {
    if (!entries.some(entry => entry.isIntersecting)) return;
    observed.src = observed.dataset.src;
    observer.disconnect();
  }).observe(observed);
  addEventListener("pagehide", () => {
    navigator.sendBeacon(here("beacon-pagehide"), "event=leave");
    fetch(here("keepalive-pagehide"), { method: "POST", keepalive: true, body: "event=leave" });
  });
})();
