// Frames, messages and workers.

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
      varveTests.leads(varveTests.actual(link, "href"), "https://f.test/");
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
      __varve.post(frame.contentWindow)("hello", "https://other.test");
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
      // In the path layout the frame is of the page's own origin, and its window was the page's first.
    }, "host"],
    ["the location of another origin can be set, not read", async () => {
      const message = fromFrame((data) => data.frame === "https://other.test/frame/second");
      const frame = made((element) => (element.src = "https://other.test/frame/first"));
      await varveTests.once(frame, "load");
      varveTests.throws(() => __varve.locationOf(frame.contentWindow).href, "SecurityError");
      __varve.locationOf(frame.contentWindow).href = "https://other.test/frame/second";
      await message;
      frame.remove();
    }, "host"],
    ["a message for another origin does not arrive", async () => {
      let arrived = false;
      const listen = ({ data }) => (arrived = arrived || data === "not for us");
      addEventListener("message", listen);
      __varve.post(window)("not for us", "https://other.test");
      const after = fromFrame((data) => data === "after");
      __varve.post(window)("after", "*");
      await after;
      removeEventListener("message", listen);
      equal(arrived, false);
    }],
    ["post() on other objects", () => {
      const calls = [];
      __varve.post({ postMessage: (...args) => calls.push(args) })(1, "https://x.test");
      equal(JSON.stringify(calls), '[[1,"https://x.test"]]');
    }],
    ["messages to oneself", async () => {
      const message = fromFrame((data) => data === "self");
      __varve.post(window)("self", "https://www.example.org");
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
    ["service workers are make-believe", async () => {
      const container = navigator.serviceWorker;
      const states = [];
      const registration = await container.register("/sw.js");
      equal(registration instanceof ServiceWorkerRegistration, true);
      equal(registration.scope, "https://www.example.org/");
      registration.installing.onstatechange = (event) => states.push(event.target.state);
      equal(await container.ready, registration);
      equal(registration.active.state, "activated");
      equal(states.join(" "), "installed activating activated");
      equal(registration.active.scriptURL, "https://www.example.org/sw.js");
      equal(container.controller, null);
      equal(await container.getRegistration(), registration);
      equal(await registration.unregister(), true);
      equal((await container.getRegistrations()).length, 0);
    }],
    ["service workers that claim their pages", async () => {
      const container = navigator.serviceWorker;
      const changed = new Promise((resolve) => (container.oncontrollerchange = resolve));
      const registration = await container.register("/claims/sw.js", { scope: "/" });
      await changed;
      equal(container.controller, registration.active);
      equal(registration.pushManager && (await registration.pushManager.getSubscription()), null);
    }],
    ["service workers of other origins, and what is no script", async () => {
      const failed = (url) => navigator.serviceWorker.register(url).then(() => null, (error) => error.name);
      equal(await failed("https://api.test/sw.js"), "SecurityError");
      equal(await failed("/no-script"), "SecurityError");
    }],
  ]);
}
