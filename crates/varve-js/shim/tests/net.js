// Requests by scripts, sockets, and what is refused.

{
  const { equal } = varveTests;

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
      const socket = new WebSocket("wss://live.test/feed", ["news", "chat"]);
      socket.binaryType = "arraybuffer";
      equal(socket.readyState, WebSocket.CONNECTING);
      const messages = [];
      let opened = 0;
      socket.onopen = () => (opened += 1);
      await new Promise((resolve) => {
        socket.onmessage = ({ data }) => messages.push(data) === 2 && resolve();
      });
      equal(opened, 1);
      equal(socket.protocol, "chat");
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
    ["WebSocket with bad words", () => {
      for (const words of ["", "a b", ["a", "a"], ["a", "A"]]) {
        varveTests.throws(() => new WebSocket("wss://live.test/", words), "SyntaxError");
      }
    }],
    ["sendBeacon", () => equal(navigator.sendBeacon("https://spy.test/", "x"), true)],
    ["RTCPeerConnection has no servers", () => {
      const peer = new RTCPeerConnection({ iceServers: [{ urls: "stun:stun.test" }] });
      equal(peer.getConfiguration().iceServers.length, 0);
      peer.close();
      equal(peer.signalingState, "closed");
    }],
    ["RTCPeerConnection finds nobody", async () => {
      const peer = new RTCPeerConnection();
      const channel = peer.createDataChannel("talk");
      const last = new Promise((resolve) => (peer.onicecandidate = resolve));
      await peer.setLocalDescription(await peer.createOffer());
      equal((await last).candidate, null);
      equal([peer.localDescription.type, peer.connectionState, channel.label, channel.readyState].join(" "), "offer new talk connecting");
      varveTests.throws(() => channel.send("x"), "InvalidStateError");
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
}
