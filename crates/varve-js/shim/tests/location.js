// The archived Location, `top`, `parent`, and the other names that the rewriter emits.

{
  const { equal } = varveTests;
  const { throws } = varveTests;
  const loc = __varve.location;
  const part = (name, expected) => [`location.${name}`, () => equal(loc[name], expected)];
  const real = varveTests.real;

  varveTests.add("location", [
    part("protocol", "https:"),
    part("host", "www.example.org"),
    part("hostname", "www.example.org"),
    part("port", ""),
    part("pathname", "/dir/page"),
    part("hash", "#frag"),
    part("origin", "https://www.example.org"),
    ["location.href", () => equal(loc.href.startsWith("https://www.example.org/dir/page?x=1"), true)],
    ["location.search", () => equal(loc.search.startsWith("?x=1"), true)],
    ["is a Location", () => equal(loc instanceof Location, true)],
    ["has the tag of a Location", () => equal(Object.prototype.toString.call(loc), "[object Location]")],
    ["converts to its address", () => equal(`${loc}`, loc.href)],
    ["adds to strings", () => equal("" + loc, loc.href)],
    ["is a base for URL", () => equal(new URL("x", loc).href, "https://www.example.org/dir/x")],
    ["is the same each time", () => equal(__varve.location, __varve.locationOf(window))],
    ["of the document", () => equal(__varve.locationOf(document), loc)],
    ["of another object", () => equal(__varve.locationOf({ location: 5 }), 5)],
    ["of an object of a router", () => {
      const own = { href: "x" };
      equal(__varve.locationOf({ location: own }), own);
    }],
    ["of null throws", () => throws.call(varveTests, () => __varve.locationOf(null), "TypeError")],
    ["maybe of null", () => equal(__varve.locationOfMaybe(null)?.href, undefined)],
    ["maybe of window", () => equal(__varve.locationOfMaybe(window)?.host, "www.example.org")],
    ["lists its members", () => equal(Object.keys(loc).includes("href"), true)],
    ["members look native", () => equal(/native code/.test(Function.prototype.toString.call(loc.assign)), true)],
    ["setLocation on an object", () => {
      const object = {};
      equal(__varve.setLocation(object, 7), 7);
      equal(object.location, 7);
    }],
    ["setLocation on null throws", () => throws.call(varveTests, () => __varve.setLocation(null, 1), "TypeError")],
    ["a fragment does not reload", async () => {
      const changed = varveTests.once(window, "hashchange");
      __varve.location.hash = "#second";
      const event = await changed;
      equal(loc.hash, "#second");
      equal(event.newURL.startsWith("https://www.example.org/dir/page"), true);
      equal(event.oldURL.endsWith("#frag"), true);
    }],
    ["a full address with another fragment does not reload", async () => {
      const changed = varveTests.once(window, "hashchange");
      __varve.setLocation(window, loc.href.replace("#second", "#third"));
      await changed;
      equal(loc.hash, "#third");
    }],
    ["replace with a fragment", async () => {
      const changed = varveTests.once(window, "hashchange");
      loc.replace("#frag");
      await changed;
      equal(loc.hash, "#frag");
    }],
    ["a bad address throws", () => throws.call(varveTests, () => loc.assign("http://[bad"), "SyntaxError")],
    ["key finds location", () => equal(window[__varve.key("location")], loc)],
    ["key finds location of document", () => equal(document[__varve.key("location")], loc)],
    ["key finds top", () => equal(window[__varve.key("top")], window)],
    ["key finds eval", () => equal(window[__varve.key("eval")]("location.host"), "www.example.org")],
    ["topOfMaybe", () => {
      equal(__varve.topOfMaybe(undefined)?.x, undefined);
      equal(__varve.topOfMaybe(window), window);
    }],
    ["key leaves other names", () => equal(__varve.key("title"), "title")],
    ["key leaves symbols", () => equal(__varve.key(Symbol.iterator), Symbol.iterator)],
    ["view of window", () => {
      const { location, top, document: found } = __varve.view(window);
      equal(location, loc);
      equal(top, window);
      equal(found, document);
    }],
    ["view of other objects is the object", () => {
      const object = { location: 1 };
      equal(__varve.view(object), object);
    }],
    ["view of document", () => equal(__varve.view(document).location, loc)],
    ["top is this window", () => equal(__varve.top, window)],
    ["topOf this window", () => equal(__varve.topOf(window), window)],
    ["topOf other objects", () => equal(__varve.topOf({ top: 3 }), 3)],
    ["parent is this window", () => equal(window.parent, window)],
    ["frameElement is null", () => equal(window.frameElement, null)],
    ["window.name is empty", () => equal(window.name, "")],
    ["window.origin", () => equal(window.origin, "https://www.example.org")],
    ["code() leaves what does not matter", () => equal(__varve.code("1+1"), "1+1")],
    ["code() leaves what is not text", () => equal(__varve.code(loc), loc)],
    ["code() rewrites", () => equal(eval(__varve.code("location.host")), "www.example.org")],
    ["direct eval keeps its scope", () => {
      const secret = 5;
      equal(eval(__varve.code("typeof location.href === 'string' && secret")), secret);
    }],
    ["__varve.eval is global", () => equal(__varve.eval("location.host"), "www.example.org")],
    ["new Function", () => equal(new Function("return location.host")(), "www.example.org")],
    ["Function as a function", () => equal(Function("a", "return a + location.port")(1), "1")],
    ["Function is itself", () => equal((() => {}).constructor, Function)],
    ["functions are instances of Function", () => equal((() => {}) instanceof Function, true)],
    ["AsyncFunction", async () => {
      const Async = (async () => {}).constructor;
      equal(await new Async("return location.host")(), "www.example.org");
    }],
    ["a bad Function throws", () => throws.call(varveTests, () => new Function("location }, {"), "SyntaxError")],
    ["setTimeout with text", async () => {
      setTimeout("window.timed = location.host", 0);
      await new Promise((resolve) => setTimeout(resolve, 20));
      equal(window.timed, "www.example.org");
    }],
    ["the real location is not touched", () => equal(varveTests.real, real)],
    ["__varve is hidden and fixed", () => {
      equal(Object.keys(window).includes("__varve"), false);
      window.__varve = 1;
      equal(typeof __varve, "object");
      equal(Object.isFrozen(__varve), true);
    }],
  ]);
}
