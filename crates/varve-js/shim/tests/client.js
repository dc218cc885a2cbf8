// The recorded client, its clock and its chance.

{
  const { equal } = varveTests;
  const media = (query, expected) => [`matchMedia ${query}`, () => {
    equal(matchMedia(query).matches, expected);
    equal(typeof matchMedia(query).media, "string");
  }];
  const pinned = (name, read, expected) => [name, () => equal(read(), expected)];

  varveTests.add("client", [
    pinned("userAgent", () => /iPhone/.test(navigator.userAgent), true),
    pinned("appVersion", () => navigator.appVersion.startsWith("5.0 (iPhone"), true),
    pinned("platform", () => navigator.platform, "iPhone"),
    pinned("vendor", () => navigator.vendor, "Apple Computer, Inc."),
    pinned("language", () => navigator.language, "fr-FR"),
    pinned("languages", () => navigator.languages.join(), "fr-FR,fr"),
    pinned("hardwareConcurrency", () => navigator.hardwareConcurrency, 4),
    pinned("deviceMemory", () => navigator.deviceMemory, 4),
    pinned("maxTouchPoints", () => navigator.maxTouchPoints, 5),
    pinned("plugins", () => `${navigator.plugins.length} ${navigator.plugins.item(0)} ${navigator.mimeTypes["application/pdf"]}`, "0 null undefined"),
    pinned("cookieEnabled", () => navigator.cookieEnabled, true),
    pinned("visualViewport", () => `${visualViewport.width} ${visualViewport.height}`, "390 664"),
    pinned("clientWidth of the root", () => document.documentElement.clientWidth, 390),
    pinned("webdriver", () => navigator.webdriver, false),
    pinned("connection", () => navigator.connection.effectiveType + navigator.connection.rtt, "3g300"),
    pinned("screen", () => `${screen.width}x${screen.height} ${screen.availHeight} ${screen.colorDepth}`, "390x844 840 24"),
    pinned("screen.orientation", () => screen.orientation.type, "portrait-primary"),
    pinned("innerWidth", () => innerWidth, 390),
    pinned("innerHeight", () => innerHeight, 664),
    pinned("outerWidth", () => outerWidth, 390),
    pinned("screenX", () => screenX, 0),
    pinned("devicePixelRatio", () => devicePixelRatio, 3),
    pinned("ontouchstart", () => "ontouchstart" in window && "ontouchstart" in document.documentElement, true),
    pinned("userAgentData", () => navigator.userAgentData.platform + navigator.userAgentData.mobile, "TestOStrue"),
    ["getHighEntropyValues", async () => {
      const values = await navigator.userAgentData.getHighEntropyValues(["model", "platformVersion", "bitness"]);
      equal(values.model, "Pixel");
      equal(values.platformVersion, "14");
      equal("bitness" in values, false);
      equal(values.brands[0].brand, "Test");
    }],
    media("(device-width: 390px)", true),
    media("(max-device-width: 400px)", true),
    media("(min-device-width: 1000px)", false),
    media("(max-width: 400px)", true),
    media("(width >= 391px)", false),
    media("(300px <= width <= 390px)", true),
    media("(min-width: 30em)", false),
    media("(orientation: portrait)", true),
    media("(pointer: coarse)", true),
    media("(any-pointer: fine)", false),
    media("(hover: hover)", false),
    media("(hover)", false),
    media("(hover: none)", true),
    media("(prefers-color-scheme: dark)", true),
    media("(prefers-color-scheme: light)", false),
    media("(resolution: 3dppx)", true),
    media("(min-resolution: 192dpi)", true),
    media("(-webkit-min-device-pixel-ratio: 2)", true),
    media("screen and (max-width: 400px) and (hover: none)", true),
    media("not all and (pointer: coarse)", false),
    media("print", false),
    ["sheets that scripts make", () => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync("@media (pointer: coarse) and (hover: none) { a { color: red } } @media (pointer: fine) { b { color: red } }");
      equal([...sheet.cssRules].map(({ media }) => matchMedia(media.mediaText).matches).join(), "true,false");
    }],
    ["media keeps its text", () => equal(matchMedia("(hover: none)").media, "(hover: none)")],
    ["Date.now starts at the capture", () => equal(Date.now() >= 1767225600000 && Date.now() < 1767225600000 + 120000, true)],
    ["new Date", () => equal(new Date().getUTCFullYear(), 2026)],
    ["Date as a function", () => equal(/^\w{3} Jan 01 2026 09:0\d:\d\d GMT\+0900 \(.+\)$/.test(Date()), true)],
    ["the clock runs", async () => {
      const before = Date.now();
      await new Promise((resolve) => setTimeout(resolve, 30));
      equal(Date.now() > before, true);
    }],
    ["Date is itself", () => {
      equal(new Date().constructor, Date);
      equal(new Date() instanceof Date, true);
      equal(Object.prototype.toString.call(new Date()), "[object Date]");
      class Own extends Date {}
      equal(new Own(5).getTime(), 5);
      equal(new Own() instanceof Own, true);
    }],
    ["Date of a Date, a number and text", () => {
      equal(new Date(new Date(7)).getTime(), 7);
      equal(new Date(7).getTime(), 7);
      equal(new Date("2026-01-01").getTime(), 1767225600000);
      equal(new Date("2026-01-01T00:00:00Z").getTime(), 1767225600000);
      equal(new Date("2026-01-01T09:00:00").getTime(), 1767225600000);
      equal(Date.parse("Jan 1, 2026 09:00:00"), 1767225600000);
      equal(new Date(2026, 0, 1, 9).getTime(), 1767225600000);
      equal(Number.isNaN(new Date("nonsense").getTime()), true);
      equal(String(new Date(NaN)), "Invalid Date");
    }],
    ["local fields are in the recorded zone", () => {
      const date = new Date(1767225600000);
      equal(date.getHours(), 9);
      equal(date.getDay(), 4);
      equal(date.getTimezoneOffset(), -540);
      equal(date.toDateString(), "Thu Jan 01 2026");
      date.setHours(0, 30);
      equal(date.toISOString(), "2025-12-31T15:30:00.000Z");
      date.setDate(32);
      equal(date.getMonth(), 1);
    }],
    ["Intl has the recorded zone and locale", () => {
      const options = Intl.DateTimeFormat().resolvedOptions();
      equal(options.timeZone, "Asia/Tokyo");
      equal(options.locale, "fr-FR");
      equal(new Intl.NumberFormat().resolvedOptions().locale, "fr-FR");
      equal(new Date(1767225600000).toLocaleDateString(), "01/01/2026");
      equal(new Date(1767225600000).toLocaleTimeString("en-GB"), "09:00:00");
      equal((1234.5).toLocaleString("en-US"), "1,234.5");
      equal((1.5).toLocaleString(), "1,5");
      equal(new Date(0).toLocaleString("en-US", { timeZone: "UTC" }), "1/1/1970, 12:00:00 AM");
    }],
    ["Temporal", () => {
      if (typeof Temporal === "undefined") return;
      equal(Temporal.Now.timeZoneId(), "Asia/Tokyo");
      equal(Temporal.Now.plainDateISO().toString(), "2026-01-01");
    }],
    ["performance.timeOrigin", () => equal(Math.abs(performance.timeOrigin - 1767225600000) < 60000, true)],
    ["Math.random is seeded", () => {
      const frames = [1, 2].map(() => {
        const frame = document.createElement("iframe");
        document.body.append(frame);
        const value = frame.contentWindow.Math.random();
        frame.remove();
        return value;
      });
      equal(frames[0], frames[1]);
      const value = Math.random();
      equal(value >= 0 && value < 1, true);
      equal(value === Math.random(), false);
    }],
    ["crypto.getRandomValues is seeded", () => {
      const values = crypto.getRandomValues(new Uint16Array(4));
      equal(values instanceof Uint16Array, true);
      const frames = [1, 2].map(() => {
        const frame = document.createElement("iframe");
        document.body.append(frame);
        const value = frame.contentWindow.crypto.randomUUID();
        frame.remove();
        return value;
      });
      equal(frames[0], frames[1]);
      equal(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(frames[0]), true);
    }],
  ]);

  const looksNative = (name, find) => [`${name} looks native`, () => {
    const found = find();
    equal(Function.prototype.toString.call(found).includes("[native code]"), true);
    equal(found.hasOwnProperty("prototype"), /^[A-Z]/.test(name.split(".").pop()));
  }];

  varveTests.add("disguise", [
    looksNative("fetch", () => fetch),
    looksNative("Element.prototype.setAttribute", () => Element.prototype.setAttribute),
    looksNative("Worker", () => Worker),
    looksNative("Date", () => Date),
    looksNative("history.pushState", () => history.pushState),
    looksNative("Function.prototype.toString", () => Function.prototype.toString),
    ["names and lengths are kept", () => {
      equal(fetch.name, "fetch");
      equal(fetch.length, 1);
      equal(Element.prototype.setAttribute.length, 2);
      equal(Object.getOwnPropertyDescriptor(HTMLImageElement.prototype, "src").get.name, "get src");
      equal(Date.length, 7);
    }],
    ["illegal calls still throw", () => varveTests.throws(() => Element.prototype.setAttribute.call({}, "href", "x"), "TypeError")],
    ["constructors still need new", () => varveTests.throws(() => Worker("x"), "TypeError")],
    ["subclasses work", () => {
      class Own extends Request {}
      equal(new Own("https://a.test/") instanceof Own, true);
      equal(new Own("https://a.test/").url, "https://a.test/");
    }],
    ["a page that breaks the builtins does not break the shim", () => {
      const saved = [String.prototype.startsWith, Array.prototype.push, RegExp.prototype.exec, Map.prototype.get, WeakMap.prototype.get, window.URL];
      const broken = () => {
        throw new Error("broken");
      };
      String.prototype.startsWith = Array.prototype.push = RegExp.prototype.exec = Map.prototype.get = WeakMap.prototype.get = broken;
      window.URL = undefined;
      let href;
      let raw;
      try {
        const link = document.createElement("a");
        link.href = "//still.test/x";
        href = link.href;
        raw = varveTests.actual(link, "href");
      } finally {
        [String.prototype.startsWith, Array.prototype.push, RegExp.prototype.exec, Map.prototype.get, WeakMap.prototype.get, window.URL] = saved;
      }
      equal(href, "https://still.test/x");
      varveTests.leads(raw, "https://still.test/x");
    }],
  ]);
}
