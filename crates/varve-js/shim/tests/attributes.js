// Attributes and the properties that reflect them.

{
  const { equal } = varveTests;
  const actual = (element, name) => varveTests.actual(element, name);
  const replay = (url, mod) => varveTests.replay(url, mod);
  const abs = "https://cdn.test/file";

  /** A property that holds a URL: mapped in the document, archived for the page. */
  const reflects = (tag, property, mod, attribute = property.toLowerCase()) => [
    `<${tag}>.${property}`,
    () => {
      const element = document.createElement(tag);
      element[property] = abs;
      equal(actual(element, attribute), replay(abs, mod), "in the document");
      equal(element[property], abs, "property");
      equal(element.getAttribute(attribute), abs, "attribute");
      const other = document.createElement(tag);
      other.setAttribute(attribute, "//cdn.test/file");
      equal(other[property], abs, "scheme-relative");
      equal(other.getAttribute(attribute), "//cdn.test/file", "as written");
    },
  ];

  varveTests.add("attributes", [
    reflects("a", "href", "mp_"),
    reflects("area", "href", "mp_"),
    reflects("link", "href", "mp_"),
    reflects("img", "src", "im_"),
    reflects("input", "src", "im_"),
    reflects("script", "src", "js_"),
    reflects("iframe", "src", "if_"),
    reflects("source", "src", "oe_"),
    reflects("track", "src", "oe_"),
    reflects("video", "src", "oe_"),
    reflects("audio", "src", "oe_"),
    reflects("video", "poster", "im_"),
    reflects("embed", "src", "oe_"),
    reflects("object", "data", "oe_"),
    reflects("form", "action", "mp_"),
    reflects("button", "formAction", "mp_"),
    reflects("input", "formAction", "mp_"),
    reflects("blockquote", "cite", "mp_"),
    reflects("del", "cite", "mp_"),
    ["relative addresses read as archived ones", () => {
      const image = document.createElement("img");
      image.src = "pic.png";
      equal(image.src, "https://www.example.org/dir/pic.png");
      equal(image.getAttribute("src"), "pic.png");
    }],
    ["a link's parts", () => {
      const link = document.createElement("a");
      link.href = "https://user:pw@host.test:8443/p/q?r#s";
      equal(link.protocol, "https:");
      equal(link.host, "host.test:8443");
      equal(link.hostname, "host.test");
      equal(link.port, "8443");
      equal(link.pathname, "/p/q");
      equal(link.search, "?r");
      equal(link.hash, "#s");
      equal(link.origin, "https://host.test:8443");
      equal(String(link), link.href);
    }],
    ["a link's parts can be set", () => {
      const link = document.createElement("a");
      link.href = "/x?y";
      link.host = "other.test:81";
      link.hash = "z";
      equal(link.href, "https://other.test:81/x?y#z");
      equal(actual(link, "href"), replay("https://other.test:81/x?y#z"));
    }],
    ["the link trick of old parsers", () => {
      const link = document.createElement("a");
      link.href = "";
      link.href = link.href;
      equal(link.host, "www.example.org");
    }],
    ["srcset", () => {
      const image = document.createElement("img");
      image.srcset = "https://c.test/a,b.png 1x, //c.test/b.png 2x";
      const [first, one, second, two] = actual(image, "srcset").split(" ");
      varveTests.leads(first, "https://c.test/a,b.png", "im_");
      varveTests.leads(second, "https://c.test/b.png", "im_");
      equal(`${one} ${two}`, "1x, 2x");
      equal(image.srcset, "https://c.test/a,b.png 1x, //c.test/b.png 2x");
    }],
    ["srcset of one", () => {
      const image = document.createElement("img");
      image.setAttribute("srcset", "https://c.test/only.png");
      equal(actual(image, "srcset"), replay("https://c.test/only.png", "im_"));
    }],
    ["setAttributeNS of xlink:href", () => {
      const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
      use.setAttributeNS("http://www.w3.org/1999/xlink", "xlink:href", "https://c.test/s.svg#i");
      equal(actual(use, "xlink:href"), replay("https://c.test/s.svg#i", "im_"));
      equal(use.getAttributeNS("http://www.w3.org/1999/xlink", "href"), "https://c.test/s.svg#i");
      equal(use.href.baseVal, "https://c.test/s.svg#i");
    }],
    ["href.baseVal", () => {
      const image = document.createElementNS("http://www.w3.org/2000/svg", "image");
      image.href.baseVal = "https://c.test/s.png";
      equal(actual(image, "href"), replay("https://c.test/s.png", "im_"));
    }],
    ["Attr.value", () => {
      const link = document.createElement("a");
      link.setAttribute("href", "https://c.test/1");
      const attr = link.getAttributeNode("href");
      equal(attr.value, "https://c.test/1");
      attr.value = "https://c.test/2";
      equal(link.href, "https://c.test/2");
      equal(actual(link, "href"), replay("https://c.test/2"));
      equal(attr.nodeValue, "https://c.test/2");
      equal(link.attributes[0].textContent, "https://c.test/2");
    }],
    ["setAttributeNode", () => {
      const link = document.createElement("a");
      const attr = document.createAttribute("href");
      attr.value = "https://c.test/n";
      link.setAttributeNode(attr);
      equal(actual(link, "href"), replay("https://c.test/n"));
      equal(attr.value, "https://c.test/n");
    }],
    ["setNamedItem", () => {
      const link = document.createElement("a");
      const attr = document.createAttribute("href");
      attr.value = "https://c.test/n";
      link.attributes.setNamedItem(attr);
      equal(actual(link, "href"), replay("https://c.test/n"));
    }],
    ["integrity is set aside", () => {
      const script = document.createElement("script");
      script.integrity = "sha256-x";
      equal(script.integrity, "sha256-x");
      equal(script.getAttribute("integrity"), "sha256-x");
      equal(script.hasAttribute("integrity"), true);
      equal(script.getAttributeNames().includes("integrity"), true);
      equal(actual(script, "integrity"), null);
      script.removeAttribute("integrity");
      equal(script.hasAttribute("integrity"), false);
    }],
    ["ping is set aside", () => {
      const link = document.createElement("a");
      link.ping = "https://spy.test/";
      equal(link.ping, "https://spy.test/");
      equal(actual(link, "ping"), null);
    }],
    ["crossorigin", () => {
      const image = document.createElement("img");
      image.crossOrigin = "anonymous";
      equal(image.crossOrigin, "anonymous");
      equal(actual(image, "crossorigin"), "anonymous");
      image.crossOrigin = null;
      equal(image.crossOrigin, null);
    }],
    ["handlers as text", () => {
      const button = document.createElement("button");
      button.setAttribute("onclick", "this.seen = location.host");
      button.click();
      equal(button.seen, "www.example.org");
      equal(button.getAttribute("onclick"), "this.seen = location.host");
    }],
    ["style as text", () => {
      const box = document.createElement("div");
      box.setAttribute("style", "background: url(https://c.test/b.png)");
      equal(actual(box, "style").includes(replay("https://c.test/b.png", "oe_")), true);
      equal(box.getAttribute("style"), "background: url(https://c.test/b.png)");
    }],
    ["javascript: links", () => {
      const link = document.createElement("a");
      link.href = "javascript:void(window.viaLink=location.host)";
      equal(decodeURIComponent(actual(link, "href")).includes("__varve.location"), true);
      equal(link.getAttribute("href"), "javascript:void(window.viaLink=location.host)");
    }],
    ["meta refresh", () => {
      const meta = document.createElement("meta");
      meta.httpEquiv = "refresh";
      meta.content = "900; url=https://c.test/next";
      equal(actual(meta, "content"), `900; url=${replay("https://c.test/next")}`);
      equal(meta.content, "900; url=https://c.test/next");
    }],
    ["a policy in meta has no effect", () => {
      const meta = document.createElement("meta");
      meta.httpEquiv = "Content-Security-Policy";
      equal(meta.httpEquiv, "Content-Security-Policy");
      equal(actual(meta, "http-equiv"), "_content-security-policy");
    }],
    ["_top of the topmost document is itself", () => {
      const link = document.createElement("a");
      link.target = "_top";
      equal(actual(link, "target"), "_self");
      equal(link.target, "_top");
    }],
    ["other attributes are left alone", () => {
      const box = document.createElement("div");
      box.setAttribute("data-url", abs);
      equal(actual(box, "data-url"), abs);
      box.id = "https://x/";
      equal(box.id, "https://x/");
    }],
    ["custom elements are left alone", () => {
      const element = document.createElement("x-image");
      element.setAttribute("src", abs);
      equal(actual(element, "src"), abs);
    }],
    ["selectors find archived values", () => {
      varveTests.box().innerHTML = '<a href="https://sel.test/a">1</a><a href="http://sel.test/b">2</a>';
      const count = (selector) => varveTests.box().querySelectorAll(selector).length;
      equal(count('a[href="https://sel.test/a"]'), 1);
      equal(count("a[href^='https://sel.test']"), 1);
      equal(count('a[href^="https://"]'), 1);
      equal(count('a[href*="sel.test"]'), 2);
      equal(varveTests.box().firstChild.matches('[href="https://sel.test/a"]'), true);
      equal(count("a[href]"), 2);
    }],
    ["a mutation's old value", async () => {
      const link = document.createElement("a");
      link.href = "https://c.test/old";
      const observer = new MutationObserver(() => {});
      observer.observe(link, { attributes: true, attributeOldValue: true });
      link.href = "https://c.test/new";
      equal(observer.takeRecords()[0].oldValue, "https://c.test/old");
    }],
    ["an image loads", async () => {
      const image = new Image();
      const loaded = varveTests.once(image, "load");
      image.src = "https://img.test/i.svg";
      await loaded;
      equal(image.currentSrc, "https://img.test/i.svg");
    }],
    ["a script loads", async () => {
      const script = document.createElement("script");
      const loaded = varveTests.once(script, "load");
      script.integrity = "sha256-wrong";
      script.src = "//cdn.test/lib.js";
      document.head.append(script);
      await loaded;
      equal(window.loaded > 0, true);
    }],
  ]);
}
