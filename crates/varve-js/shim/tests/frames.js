// Frames, messages, workers, network and storage.

{
  const { equal } = varveTests;
  const made = (change = () => {}) => {
    const frame = document.createElement("iframe");
    change(frame);
    document.body.append(frame);
    return frame;
  };
  const fromFrame = (test) =>
    new Promise((resolve) => {
      const listen = (event) => {
        if (!test(event.data)) return;
        removeEventListener("message", listen);
        resolve(event);
      };
      addEventListener("message", listen);
    });
  const answerOf = (worker) => new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = (event) => reject(new Error(event.message || "worker failed"));
  });

  varveTests.add("frames", [
    ["an empty frame has the shim at once", () => {
      const frame = made();
      equal(typeof window[window.length - 1].__varve, "object");
      equal(frame.contentWindow.__varve.location.href, "about:blank");
      frame.remove();
    }],
    ["its location through this window's runtime", () => {
      const frame = made();
      equal(__varve.locationOf(frame.contentWindow).href, "about:blank");
      equal(__varve.locationOf(frame.contentDocument).href, "about:blank");
      equal(__varve.topOf(frame.contentWindow), window);
      frame.remove();
    }],
    ["its natives map too", () => {
      const frame = made();
      const link = frame.contentDocument.createElement("a");
      link.href = "//f.test/";
      equal(varveTests.actual(link, "href"), varveTests.replay("https://f.test/"));
      frame.remove();
    }],
    ["its origin", () => {
      const frame = made();
      equal(frame.contentWindow.origin, "https://www.example.org");
      equal(frame.contentWindow.parent, window);
      frame.remove();
    }],
    ["a frame by innerHTML has the shim", () => {
      varveTests.box().innerHTML = "<iframe></iframe>";
      equal(typeof window[window.length - 1].__varve, "object");
      varveTests.box().innerHTML = "";
    }],
    ["srcdoc", async () => {
      const message = fromFrame((data) => data.doc);
      const frame = made((element) => {
        element.srcdoc = '<!doctype html><a href="https://s.test/">l</a><script>parent.postMessage({doc: location.href, link: document.links[0].href, base: document.baseURI, mode: document.compatMode}, "*")</scr' + "ipt>";
      });
      const { data } = await message;
      equal(data.doc, "about:srcdoc");
      equal(data.link, "https://s.test/");
      equal(data.base.startsWith("https://www.example.org/dir/page"), true);
      equal(data.mode, "CSS1Compat");
      equal(frame.srcdoc.startsWith("<!doctype html><a"), true);
      frame.remove();
    }],
    ["a frame of this origin, whose window is used twice", async () => {
      const message = fromFrame((data) => data.frame);
      const frame = made((element) => (element.src = "/frame/inner"));
      void frame.contentWindow;
      const { data, origin, source } = await message;
      equal(source, frame.contentWindow);
      equal(data.frame, "https://www.example.org/frame/inner");
      equal(data.top, true);
      equal(data.parent, true);
      equal(origin, "https://www.example.org");
      equal(__varve.locationOf(frame.contentWindow).href, "https://www.example.org/frame/inner");
      frame.remove();
    }],
    ["a frame of another origin", async () => {
      const message = fromFrame((data) => data.frame);
      const frame = made((element) => (element.src = "https://other.test/frame/inner"));
      const { data, origin, source } = await message;
      equal(data.frame, "https://other.test/frame/inner");
      equal(data.top, true);
      equal(origin, "https://other.test");
      equal(source, frame.contentWindow);
      const answered = fromFrame((found) => found.echo);
      __varve.post(frame.contentWindow, "hello", "https://other.test");
      const answer = await answered;
      equal(answer.data.echo, "hello");
      equal(answer.data.origin, "https://www.example.org");
      frame.remove();
    }],
    ["a page of plain http was not in a secure context", async () => {
      const message = fromFrame((data) => data.frame);
      const frame = made((element) => (element.src = "http://plain.test/frame/inner"));
      const { data } = await message;
      equal(data.secure, false);
      equal(data.sw, false);
      frame.remove();
    }],
    ["the location of another origin can be set, not read", async () => {
      const message = fromFrame((data) => data.frame === "https://other.test/frame/second");
      const frame = made((element) => (element.src = "https://other.test/frame/first"));
      await varveTests.once(frame, "load");
      equal(__varve.locationOf(frame.contentWindow).href, undefined);
      __varve.locationOf(frame.contentWindow).href = "https://other.test/frame/second";
      await message;
      frame.remove();
    }, "host"],
    ["a message for another origin does not arrive", async () => {
      let arrived = false;
      const listen = ({ data }) => (arrived = arrived || data === "not for us");
      addEventListener("message", listen);
      __varve.post(window, "not for us", "https://other.test");
      const after = fromFrame((data) => data === "after");
      __varve.post(window, "after", "*");
      await after;
      removeEventListener("message", listen);
      equal(arrived, false);
    }],
    ["post() on other objects", () => {
      const calls = [];
      __varve.post({ postMessage: (...args) => calls.push(args) }, 1, "https://x.test");
      equal(JSON.stringify(calls), '[[1,"https://x.test"]]');
    }],
    ["messages to oneself", async () => {
      const message = fromFrame((data) => data === "self");
      __varve.post(window, "self", "https://www.example.org");
      equal((await message).origin, "https://www.example.org");
    }],
    ["a frame of a blob of HTML", async () => {
      const message = fromFrame((data) => data.blob);
      const html = "<!doctype html><script>parent.postMessage({blob: typeof __varve, origin: window.origin, base: location.protocol}, '*')</scr" + "ipt>";
      const blob = new Blob([html], { type: "text/html" });
      equal(blob.size, html.length);
      const frame = made((element) => (element.src = URL.createObjectURL(blob)));
      const { data } = await message;
      equal(data.blob, "object");
      equal(data.origin, "https://www.example.org");
      equal(data.base, "blob:");
      frame.remove();
    }],
    ["a sandboxed frame", async () => {
      const message = fromFrame((data) => data.sandboxed);
      const frame = made((element) => {
        element.sandbox = "allow-scripts";
        element.srcdoc = "<script>parent.postMessage({sandboxed: location.href, origin: window.origin, cookie: document.cookie}, '*')</scr" + "ipt>";
      });
      const { data, origin } = await message;
      equal(data.sandboxed, "about:srcdoc");
      equal(data.origin, "null");
      equal(origin, "null");
      frame.remove();
    }],
    ["a frame made by a javascript: address", async () => {
      const frame = made((element) => (element.src = "javascript:'<p>' + location.href + '</p>'"));
      await varveTests.once(frame, "load");
      equal(/about:blank|www\.example\.org/.test(frame.contentDocument.body.textContent), true);
      frame.remove();
    }],
    ["a worker of the server", async () => {
      const worker = new Worker("https://www.example.org/worker.js");
      const data = await answerOf(worker);
      equal(data.href, "https://www.example.org/worker.js");
      equal(data.loc, "https://www.example.org");
      equal(/iPhone/.test(data.ua), true);
      equal(data.tz, 9);
      equal(data.now - 1767225600000 < 60000, true);
      worker.terminate();
    }],
    ["a worker of a blob", async () => {
      const code = "fetch('https://api.test/w.json').then(r => r.json()).then(j => postMessage([location.protocol, j.url, typeof __varve, navigator.platform]))";
      const worker = new Worker(URL.createObjectURL(new Blob([code], { type: "text/javascript" })));
      const [protocol, url, runtime, platform] = await answerOf(worker);
      equal(protocol, "blob:");
      equal(url, "https://api.test/w.json");
      equal(runtime, "object");
      equal(platform, "iPhone");
    }],
    ["a module worker of a blob", async () => {
      const code = "postMessage([typeof __varve, Math.random()])";
      const worker = new Worker(URL.createObjectURL(new Blob([code], { type: "text/javascript" })), { type: "module" });
      equal((await answerOf(worker))[0], "object");
    }],
    ["importScripts", async () => {
      const code = "importScripts('https://lib.test/lib.js'); postMessage(self.loaded)";
      const worker = new Worker(URL.createObjectURL(new Blob([code])));
      equal(await answerOf(worker), 1);
    }],
    ["service workers are refused", async () => {
      let name = null;
      await navigator.serviceWorker.register("/sw.js").catch((error) => (name = error.name));
      equal(name, "NotSupportedError");
      equal(navigator.serviceWorker.controller, null);
      equal((await navigator.serviceWorker.getRegistrations()).length, 0);
    }],
  ]);

  varveTests.add("net", [
    ["fetch", async () => {
      const response = await fetch("https://api.test/data.json");
      equal(response.url, "https://api.test/data.json");
      equal((await response.json()).url, "https://api.test/data.json");
    }],
    ["fetch of a relative address", async () => equal((await (await fetch("d.json")).json()).url, "https://www.example.org/dir/d.json")],
    ["fetch of a root-relative address", async () => equal((await (await fetch("/d.json")).json()).url, "https://www.example.org/d.json")],
    ["fetch of a URL object", async () => equal((await fetch(new URL("https://api.test/o.json"))).url, "https://api.test/o.json")],
    ["fetch with integrity", async () => equal((await fetch("/d.json", { integrity: "sha256-wrong" })).ok, true)],
    ["Request", async () => {
      const request = new Request("https://api.test/r.json", { headers: { "X-A": "1" } });
      equal(request.url, "https://api.test/r.json");
      equal((await fetch(request)).url, "https://api.test/r.json");
      equal(request instanceof Request, true);
    }],
    ["headers under their archived names", async () => {
      const response = await fetch("/d.json");
      equal(response.headers.get("ETag"), '"abc"');
      equal(response.headers.has("last-modified"), true);
      equal(response.headers.get("x-none"), null);
    }],
    ["XMLHttpRequest", async () => {
      const request = new XMLHttpRequest();
      request.open("GET", "https://api.test/x.json");
      const loaded = varveTests.once(request, "load");
      request.send();
      await loaded;
      equal(request.responseURL, "https://api.test/x.json");
      equal(JSON.parse(request.responseText).url, "https://api.test/x.json");
    }],
    ["synchronous XMLHttpRequest", () => {
      const request = new XMLHttpRequest();
      request.open("GET", "/s.json", false);
      request.send();
      equal(request.getResponseHeader("etag"), '"abc"');
      equal(/^etag: "abc"/im.test(request.getAllResponseHeaders()), true);
    }],
    ["EventSource", () => {
      const source = new EventSource("https://api.test/events");
      equal(source.url, "https://api.test/events");
      source.close();
    }],
    ["WebSocket plays what was recorded", async () => {
      const socket = new WebSocket("wss://live.test/feed");
      socket.binaryType = "arraybuffer";
      equal(socket.readyState, WebSocket.CONNECTING);
      const messages = [];
      let opened = 0;
      socket.onopen = () => (opened += 1);
      await new Promise((resolve) => {
        socket.onmessage = ({ data }) => messages.push(data) === 2 && resolve();
      });
      equal(opened, 1);
      equal(messages[0], "hello");
      equal(new Uint8Array(messages[1])[1], 2);
      socket.send("ignored");
      const closed = varveTests.once(socket, "close");
      socket.close(1000, "done");
      equal((await closed).wasClean, true);
      equal(socket.readyState, 3);
      equal(socket instanceof WebSocket, true);
      equal(socket.url, "wss://live.test/feed");
    }],
    ["WebSocket with a bad address", () => varveTests.throws(() => new WebSocket("ftp://x/"), "SyntaxError")],
    ["sendBeacon", () => equal(navigator.sendBeacon("https://spy.test/", "x"), true)],
    ["RTCPeerConnection has no servers", () => {
      const peer = new RTCPeerConnection({ iceServers: [{ urls: "stun:stun.test" }] });
      equal(peer.getConfiguration().iceServers.length, 0);
      peer.close();
    }],
    ["performance entries", async () => {
      await (await fetch("https://api.test/timed.json")).text();
      await new Promise((resolve) => setTimeout(resolve, 50));
      const names = performance.getEntriesByType("resource").map(({ name }) => name);
      equal(names.includes("https://api.test/timed.json"), true);
      equal(names.some((name) => /__varve\/(?:shim|rewrite)/.test(name)), false);
      equal(performance.getEntriesByName("https://api.test/timed.json").length, 1);
      equal(performance.getEntriesByType("navigation")[0].name.startsWith("https://www.example.org/dir/page"), true);
    }],
    ["geolocation is refused", async () => {
      const error = await new Promise((resolve) => navigator.geolocation.getCurrentPosition(() => {}, resolve));
      equal(error.code, 1);
    }],
    ["notifications are refused", async () => {
      if (typeof Notification === "undefined") return;
      equal(Notification.permission, "denied");
      equal(await Notification.requestPermission(), "denied");
    }],
  ]);

  varveTests.add("storage", [
    ["localStorage", () => {
      localStorage.clear();
      localStorage.setItem("a", "1");
      localStorage.b = 2;
      equal(localStorage.getItem("a"), "1");
      equal(localStorage.b, "2");
      equal(localStorage.length, 2);
      equal(Object.keys(localStorage).sort().join(), "a,b");
      equal("a" in localStorage, true);
      delete localStorage.a;
      equal(localStorage.getItem("a"), null);
      equal(localStorage.key(0), "b");
      equal(localStorage instanceof Storage, true);
      equal(localStorage.none, undefined);
      localStorage.clear();
      equal(localStorage.length, 0);
    }],
    ["sessionStorage", () => {
      sessionStorage.setItem("s", "1");
      equal(JSON.stringify(sessionStorage), '{"s":"1"}');
      const cookies = document.cookie;
      sessionStorage.clear();
      equal(document.cookie, cookies);
    }],
    ["storage lies under the archived origin", () => {
      localStorage.setItem("k", "v");
      const raw = Object.getOwnPropertyDescriptor(varveTests.pristine(), "localStorage").get.call(varveTests.pristine());
      equal(Object.keys(raw).some((key) => key === "varve|https://www.example.org|k"), true);
      localStorage.clear();
    }, "path"],
    ["indexedDB", async () => {
      const open = indexedDB.open("db", 1);
      await varveTests.once(open, "success");
      equal(open.result.name, "db");
      equal((await indexedDB.databases()).some(({ name }) => name === "db"), true);
      open.result.close();
    }],
    ["caches", async () => {
      const cache = await caches.open("c1");
      await cache.put("https://www.example.org/cached", new Response("body"));
      equal(await (await cache.match("https://www.example.org/cached")).text(), "body");
      equal((await cache.keys())[0].url, "https://www.example.org/cached");
      equal((await caches.keys()).join(), "c1");
      await caches.delete("c1");
    }],
  ]);
}
