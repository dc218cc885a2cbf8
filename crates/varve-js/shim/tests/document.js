// The document's words about itself, cookies, writing, history.

{
  const { equal } = varveTests;
  const throws = varveTests.throws.bind(varveTests);

  varveTests.add("document", [
    ["URL", () => equal(document.URL, __varve.location.href)],
    ["documentURI", () => equal(document.documentURI, __varve.location.href)],
    ["baseURI", () => equal(document.baseURI.startsWith("https://www.example.org/dir/page"), true)],
    ["referrer", () => equal(document.referrer, "https://ref.example/from")],
    ["domain", () => equal(document.domain, "www.example.org")],
    ["domain takes a parent", () => {
      document.domain = "example.org";
      equal(document.domain, "example.org");
    }],
    ["domain refuses another", () => throws(() => (document.domain = "other.org"), "SecurityError")],
    ["title", () => equal(document.title, "T")],
    ["the shim's element is gone", () => equal([...document.scripts].some((script) => /shim\.js/.test(script.src)), false)],
    ["scripts keep their order", () => equal(/runner\.js$/.test(document.body.querySelector("script").src), true)],
    ["currentScript of an inserted script", () => {
      const script = document.createElement("script");
      script.textContent = "window.seenScript = document.currentScript";
      document.head.append(script);
      equal(window.seenScript, script);
    }],
    ["cookies of the response", () => equal(document.cookie.includes("a=1") && document.cookie.includes("b=2"), true)],
    ["a cookie is kept", () => {
      document.cookie = "theme=dark; path=/; Secure; SameSite=Lax";
      equal(/(^|; )theme=dark(;|$)/.test(document.cookie), true);
    }],
    ["a cookie is replaced", () => {
      document.cookie = "theme=light; path=/";
      equal(document.cookie.match(/theme=/g).length, 1);
    }],
    ["a cookie of another path is not seen", () => {
      document.cookie = "hidden=1; path=/elsewhere";
      equal(document.cookie.includes("hidden"), false);
    }],
    ["a cookie of another domain is refused", () => {
      document.cookie = "alien=1; domain=other.org";
      equal(document.cookie.includes("alien"), false);
    }],
    ["a cookie expires", () => {
      document.cookie = "theme=x; path=/; max-age=0";
      equal(document.cookie.includes("theme"), false);
      document.cookie = "old=1; expires=Thu, 01 Jan 1970 00:00:00 GMT";
      equal(document.cookie.includes("old"), false);
    }],
    ["no cookie is real", () => {
      const { Document } = varveTests.pristine();
      equal(Object.getOwnPropertyDescriptor(Document.prototype, "cookie").get.call(document), "");
    }],
    ["the jar is not in the page's storage", () => equal(Object.keys(sessionStorage).some((key) => /varve/.test(key)), false)],
    ["cookieStore", async () => {
      await cookieStore.set("cs", "1");
      equal((await cookieStore.get("cs")).value, "1");
      equal(document.cookie.includes("cs=1"), true);
      await cookieStore.delete("cs");
      equal(await cookieStore.get("cs"), null);
    }],
    ["pushState", () => {
      const before = __varve.location.href;
      history.pushState({ n: 1 }, "", "/spa/route?y=2");
      equal(__varve.location.href, "https://www.example.org/spa/route?y=2");
      equal(document.URL, "https://www.example.org/spa/route?y=2");
      equal(history.state.n, 1);
      history.replaceState(null, "", before);
      equal(__varve.location.href, before);
    }],
    ["pushState with an absolute address", () => {
      const before = __varve.location.href;
      history.pushState(null, "", "https://www.example.org/abs");
      equal(__varve.location.pathname, "/abs");
      history.replaceState(null, "", before);
    }],
    ["pushState of another origin throws", () => throws(() => history.pushState(null, "", "https://other.test/"), "SecurityError")],
    ["pushState without address", () => {
      history.pushState(1, "");
      equal(__varve.location.pathname, "/dir/page");
    }],
    ["entries of the Navigation API", () => equal(navigation.currentEntry.url, __varve.location.href)],
    ["writing while the page is parsed", () => {
      equal(document.querySelector("#written a").href, "https://written.test/x");
      equal(window.whileParsing, "www.example.org");
    }],
    ["execCommand", () => {
      varveTests.box().innerHTML = "<p contenteditable>x</p>";
      getSelection().selectAllChildren(varveTests.box().firstChild);
      document.execCommand("insertHTML", false, '<img src="https://cmd.test/i.svg">');
      equal(varveTests.actual(varveTests.box().querySelector("img"), "src"), varveTests.replay("https://cmd.test/i.svg", "im_"));
      varveTests.box().innerHTML = "";
    }],
    ["a frame is written", async () => {
      const frame = document.createElement("iframe");
      document.body.append(frame);
      const inner = frame.contentDocument;
      inner.open();
      inner.write('<p id=w>x</p><scr', 'ipt>window.inside = location.', 'host</scr' + 'ipt>');
      inner.close();
      equal(frame.contentDocument.getElementById("w").textContent, "x");
      equal(frame.contentWindow.inside, "www.example.org");
      frame.remove();
    }],
    ["written addresses are mapped", () => {
      const frame = document.createElement("iframe");
      document.body.append(frame);
      frame.contentDocument.write('<a id=l href="https://other.test/', 'x">l</a>');
      frame.contentDocument.close();
      const link = frame.contentDocument.getElementById("l");
      equal(link.href, "https://other.test/x");
      frame.remove();
    }],
    ["tags in pieces are held until they are whole", () => {
      const frame = document.createElement("iframe");
      document.body.append(frame);
      const inner = frame.contentDocument;
      inner.open();
      inner.write("<b id=p");
      inner.write('ieces title="a>b">t</b> 1 < 2');
      inner.close();
      equal(inner.getElementById("pieces").title, "a>b");
      equal(inner.body.textContent, "t 1 < 2");
      frame.remove();
    }],
  ]);
}
