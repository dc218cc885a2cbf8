// HTML and CSS given as text, and the texts of scripts and styles.

{
  const { equal } = varveTests;
  const actual = (element, name) => varveTests.actual(element, name);
  const replay = (url, mod) => varveTests.replay(url, mod);
  const link = '<a href="https://h.test/x">t</a>';
  const isMapped = (element) => {
    equal(actual(element, "href"), replay("https://h.test/x"), "in the document");
    equal(element.getAttribute("href"), "https://h.test/x", "for the page");
  };
  const box = () => document.createElement("div");
  const css = (source) => {
    const style = document.createElement("style");
    style.textContent = source;
    return varveTests.rawText(style);
  };
  const cssBecomes = (source, expected) => [`CSS ${source}`, () => equal(css(source), expected)];
  const image = replay("https://c.test/i.png", "oe_");

  varveTests.rawText = (node) =>
    Object.getOwnPropertyDescriptor(varveTests.pristine().Node.prototype, "textContent").get.call(node);

  varveTests.add("markup", [
    ["innerHTML", () => {
      const element = box();
      element.innerHTML = link;
      isMapped(element.firstChild);
      equal(element.innerHTML, link);
    }],
    ["innerHTML without addresses is taken as it is", () => {
      const element = box();
      element.innerHTML = "<p>one<p>two";
      equal(element.innerHTML, "<p>one</p><p>two</p>");
    }],
    ["innerHTML of null", () => {
      const element = box();
      element.innerHTML = null;
      equal(element.innerHTML, "");
    }],
    ["innerHTML of table parts", () => {
      const row = document.createElement("tr");
      row.innerHTML = `<td>${link}</td>`;
      isMapped(row.querySelector("a"));
    }],
    ["innerHTML keeps newlines of pre", () => {
      const element = box();
      element.innerHTML = `<pre>\n\nx</pre>${link}`;
      equal(element.firstChild.textContent, "\nx");
    }],
    ["innerHTML of a template", () => {
      const template = document.createElement("template");
      template.innerHTML = `<p>${link}</p>`;
      isMapped(template.content.querySelector("a"));
      equal(template.innerHTML, `<p>${link}</p>`);
    }],
    ["templates inside HTML", () => {
      const element = box();
      element.innerHTML = `<template>${link}</template>`;
      isMapped(element.firstChild.content.firstChild);
    }],
    ["outerHTML", () => {
      const element = box();
      element.innerHTML = "<b></b>";
      element.firstChild.outerHTML = link;
      isMapped(element.firstChild);
      equal(element.firstChild.outerHTML, link);
    }],
    ["insertAdjacentHTML", () => {
      const element = box();
      element.insertAdjacentHTML("beforeend", link);
      element.firstChild.insertAdjacentHTML("afterend", link);
      isMapped(element.firstChild);
      isMapped(element.lastChild);
    }],
    ["setHTMLUnsafe with a shadow root", () => {
      const element = box();
      element.setHTMLUnsafe(`<div><template shadowrootmode=open>${link}</template></div>`);
      isMapped(element.firstChild.shadowRoot.firstChild);
    }],
    ["a shadow root's innerHTML", () => {
      const shadow = box().attachShadow({ mode: "open" });
      shadow.innerHTML = link;
      isMapped(shadow.firstChild);
      equal(shadow.innerHTML, link);
    }],
    ["createContextualFragment", () => isMapped(document.createRange().createContextualFragment(link).firstChild)],
    ["DOMParser", () => {
      const parsed = new DOMParser().parseFromString(`<p>${link}`, "text/html");
      isMapped(parsed.querySelector("a"));
    }],
    ["DOMParser leaves XML alone", () => {
      const parsed = new DOMParser().parseFromString('<r><a href="https://h.test/x"/></r>', "text/xml");
      equal(actual(parsed.documentElement.firstChild, "href"), "https://h.test/x");
    }],
    ["parseHTMLUnsafe", () => isMapped(Document.parseHTMLUnsafe(link).querySelector("a"))],
    ["XMLSerializer", () => {
      const element = document.createElement("a");
      element.href = "https://h.test/x";
      equal(new XMLSerializer().serializeToString(element).includes('href="https://h.test/x"'), true);
    }],
    ["integrity inside HTML", () => {
      const element = box();
      element.innerHTML = '<link integrity="sha256-x" href="https://h.test/x">';
      equal(actual(element.firstChild, "integrity"), null);
      equal(element.innerHTML, '<link href="https://h.test/x" integrity="sha256-x">');
    }],
    ["handlers inside HTML", () => {
      const element = box();
      element.innerHTML = '<button onclick="this.seen=location.host">';
      element.firstChild.click();
      equal(element.firstChild.seen, "www.example.org");
    }],
    ["scripts given as textContent", () => {
      const script = document.createElement("script");
      script.textContent = "window.byText = location.host";
      equal(script.textContent, "window.byText = location.host");
      document.head.append(script);
      equal(window.byText, "www.example.org");
    }],
    ["scripts given as text nodes", () => {
      const script = document.createElement("script");
      script.appendChild(document.createTextNode("window.byNode = location.host"));
      equal(script.text, "window.byNode = location.host");
      document.head.append(script);
      equal(window.byNode, "www.example.org");
    }],
    ["scripts given as text", () => {
      const script = document.createElement("script");
      script.text = "window.byProperty = location.host";
      document.head.append(script);
      equal(window.byProperty, "www.example.org");
    }],
    ["JSON in a script stays", () => {
      const script = document.createElement("script");
      script.type = "application/json";
      script.textContent = '{"location":"top"}';
      equal(varveTests.rawText(script), '{"location":"top"}');
    }],
    ["speculation rules are emptied", () => {
      const script = document.createElement("script");
      script.type = "speculationrules";
      script.textContent = '{"prefetch":[]}';
      equal(varveTests.rawText(script), "{}");
    }],
    ["a script of a blob", async () => {
      const script = document.createElement("script");
      script.src = URL.createObjectURL(new Blob(["window.byBlob = location.host"]));
      const loaded = varveTests.once(script, "load");
      document.head.append(script);
      await loaded;
      equal(window.byBlob, "www.example.org");
    }],
    cssBecomes("a{b:url(https://c.test/i.png)}", `a{b:url(${image})}`),
    cssBecomes("a{b:url('https://c.test/i.png')}", `a{b:url('${image}')}`),
    cssBecomes("a{b:\\75rl( https://c.test/i.png )}", `a{b:\\75rl(${image})}`),
    cssBecomes("a{b:URL(//c.test/i.png)}", `a{b:URL(${image})}`),
    cssBecomes('@import "https://c.test/i.png";', `@import "${image}";`),
    cssBecomes("@import url(https://c.test/i.png) print;", `@import url(${image}) print;`),
    cssBecomes('a{b:image-set("https://c.test/i.png" 1x)}', `a{b:image-set("${image}" 1x)}`),
    cssBecomes('a::before{content:"https://c.test/i.png"}', 'a::before{content:"https://c.test/i.png"}'),
    cssBecomes("/* url(https://c.test/i.png) */", "/* url(https://c.test/i.png) */"),
    cssBecomes("a{b:url(#i) url(data:,x) url(rel.png)}", "a{b:url(#i) url(data:,x) url(rel.png)}"),
    cssBecomes("@namespace url(http://www.w3.org/2000/svg); a{b:url(//c.test/i.png)}", `@namespace url(http://www.w3.org/2000/svg); a{b:url(${image})}`),
    ["paint of SVG names this document", () => {
      const shape = document.createElementNS("http://www.w3.org/2000/svg", "path");
      shape.setAttribute("fill", `url(${__varve.location.href.split("#")[0]}#shade)`);
      const real = varveTests.real.href.split("#")[0];
      equal(varveTests.actual(shape, "fill"), `url(${real}#shade)`);
    }],
    ["a blob's address reads as it was given", () => {
      const made = URL.createObjectURL(new Blob(["x"]));
      const image = new Image();
      image.src = made;
      equal(image.src, made);
      const element = box();
      element.innerHTML = `<img src="${made}">`;
      equal(element.innerHTML, `<img src="${made}">`);
    }],
    ["style.textContent reads as written", () => {
      const style = document.createElement("style");
      style.textContent = "a{b:url(//c.test/i.png)}";
      equal(style.textContent, "a{b:url(//c.test/i.png)}");
    }],
    ["style by text node", () => {
      const style = document.createElement("style");
      style.appendChild(document.createTextNode("a{b:url(//c.test/i.png)}"));
      equal(varveTests.rawText(style), `a{b:url(${image})}`);
    }],
    ["style properties", () => {
      const element = box();
      element.style.backgroundImage = "url(https://c.test/i.png)";
      equal(actual(element, "style").includes(image), true);
      equal(element.style.backgroundImage, 'url("https://c.test/i.png")');
      equal(element.style.getPropertyValue("background-image"), 'url("https://c.test/i.png")');
      element.style["mask-image"] = "url(//c.test/i.png)";
      equal(element.style.cssText.includes("replay"), false);
      equal(element.style.maskImage, 'url("https://c.test/i.png")');
      element.style.color = "red";
      equal(element.style.color, "red");
    }],
    ["style.setProperty and cssText", () => {
      const element = box();
      element.style.setProperty("background", "url(https://c.test/i.png)", "important");
      equal(actual(element, "style").includes(image), true);
      equal(element.style.getPropertyPriority("background-image"), "important");
      element.style.cssText = "cursor: url(https://c.test/i.png), auto";
      equal(actual(element, "style").includes(image), true);
      element.style = "background: url(https://c.test/i.png)";
      equal(actual(element, "style").includes(image), true);
      equal(element.style.length > 0, true);
    }],
    ["style is the same each time", () => {
      const element = box();
      equal(element.style, element.style);
      equal(element.style instanceof CSSStyleDeclaration, true);
      element.style.own = 1;
      equal(element.style.own, 1);
    }],
    ["getComputedStyle", () => {
      varveTests.box().style.backgroundImage = "url(https://c.test/i.png)";
      equal(getComputedStyle(varveTests.box()).backgroundImage, 'url("https://c.test/i.png")');
      varveTests.box().style.backgroundImage = "";
    }],
    ["insertRule", () => {
      const style = document.createElement("style");
      document.head.append(style);
      style.sheet.insertRule("b{background:url(https://c.test/i.png)}");
      equal(style.sheet.cssRules[0].style.backgroundImage, 'url("https://c.test/i.png")');
      equal(style.sheet.cssRules[0].cssText.includes("https://c.test/i.png"), true);
      style.remove();
    }],
    ["constructed sheets", async () => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync("#box{background:url(https://c.test/sync.png)}");
      document.adoptedStyleSheets = [sheet];
      const { CSSRule } = varveTests.pristine();
      const raw = Object.getOwnPropertyDescriptor(CSSRule.prototype, "cssText").get.call(sheet.cssRules[0]);
      equal(raw.includes(replay("https://c.test/sync.png", "oe_")), true);
      await sheet.replace("#box{background:url(https://c.test/async.png)}");
      equal(getComputedStyle(varveTests.box()).backgroundImage, 'url("https://c.test/async.png")');
      document.adoptedStyleSheets = [];
    }],
    ["keyframes", () => {
      const element = varveTests.box();
      const animation = element.animate([{ backgroundImage: "url(https://c.test/i.png)" }, { opacity: 1 }], 1000);
      equal(animation.effect.getKeyframes()[0].backgroundImage.includes(replay("https://c.test/i.png", "oe_")), true);
      animation.cancel();
    }],
    ["typed styles", () => {
      const element = box();
      element.attributeStyleMap.set("background-image", "url(https://c.test/i.png)");
      equal(actual(element, "style").includes(image), true);
      equal(String(CSSStyleValue.parse("background-image", "url(https://c.test/i.png)")), 'url("https://c.test/i.png")');
    }],
    ["style sheets' addresses", async () => {
      const sheet = document.createElement("link");
      sheet.rel = "stylesheet";
      sheet.href = "https://css.test/s.css";
      const loaded = varveTests.once(sheet, "load");
      document.head.append(sheet);
      await loaded;
      equal(sheet.sheet.href, "https://css.test/s.css");
      sheet.remove();
    }],
  ]);
}
