// Each characteristic of the visitor becomes part of a request: a page that was captured on one
// device and asks on another for something else, asks for what was not saved.
(function () {
  const words = (feature, all) => all.filter((word) => matchMedia(`(${feature}: ${word})`).matches).join();
  const least = (feature, unit, bounds) => bounds.filter((bound) => matchMedia(`(min-${feature}: ${bound}${unit})`).matches).join();
  const moment = new Date(Date.UTC(2024, 6, 5, 20, 30));

  /** What windows and workers can ask. */
  const everywhere = {
    userAgent: () => navigator.userAgent,
    appVersion: () => navigator.appVersion,
    platform: () => navigator.platform,
    language: () => navigator.language,
    languages: () => navigator.languages.join(),
    cores: () => navigator.hardwareConcurrency,
    memory: () => navigator.deviceMemory,
    line: () => [navigator.connection.effectiveType, navigator.connection.saveData].join(),
    hints: () => JSON.stringify(navigator.userAgentData),
    secure: () => isSecureContext,
    timeZone: () => Intl.DateTimeFormat().resolvedOptions().timeZone,
    offset: () => [new Date(0), moment].map((date) => date.getTimezoneOffset()).join(),
    hour: () => [moment.getHours(), moment.getDate(), new Date(2024, 0, 1).toISOString()].join(),
    date: () => String(moment),
    localeDate: () => moment.toLocaleString(),
    locale: () => new Intl.NumberFormat().resolvedOptions().locale,
    number: () => (1234567.891).toLocaleString(),
    list: () => new Intl.ListFormat().format(["a", "b", "c"]),
    relative: () => new Intl.RelativeTimeFormat().format(-3, "day"),
    collator: () => new Intl.Collator().resolvedOptions().locale,
  };

  /** What only windows can. */
  const inWindows = {
    vendor: () => navigator.vendor,
    productSub: () => navigator.productSub,
    touchPoints: () => navigator.maxTouchPoints,
    cookies: () => navigator.cookieEnabled,
    doNotTrack: () => navigator.doNotTrack,
    pdf: () => navigator.pdfViewerEnabled,
    plugins: () => [...navigator.plugins].map(({ name }) => name).join() + navigator.plugins.length,
    mimeTypes: () => [...navigator.mimeTypes].map(({ type }) => type).join() + navigator.mimeTypes.length,
    webdriver: () => navigator.webdriver,
    screen: () => [screen.width, screen.height, screen.colorDepth, screen.pixelDepth].join(),
    available: () => [screen.availWidth, screen.availHeight, screen.availLeft, screen.availTop].join(),
    extended: () => screen.isExtended,
    orientation: () => [screen.orientation.type, screen.orientation.angle].join(),
    outer: () => [outerWidth, outerHeight].join(),
    place: () => [screenX, screenY, screenLeft, screenTop].join(),
    pixelRatio: () => devicePixelRatio,
    touch: () => ["ontouchstart" in window, "ontouchend" in document, "ontouchstart" in document.documentElement].join(),
    deviceWidth: () => least("device-width", "px", [300, 500, 1000, 1279, 1280, 1281]),
    deviceHeight: () => matchMedia(`(device-height: ${screen.height}px)`).matches,
    resolution: () => least("resolution", "dppx", [0.5, 1, 1.5, 2, 3]),
    webkitRatio: () => [1, 1.5, 2, 3].filter((ratio) => matchMedia(`(-webkit-min-device-pixel-ratio: ${ratio})`).matches).join(),
    pointer: () => words("pointer", ["none", "coarse", "fine"]),
    anyPointer: () => words("any-pointer", ["none", "coarse", "fine"]),
    hover: () => words("hover", ["none", "hover"]),
    anyHover: () => words("any-hover", ["none", "hover"]),
    scheme: () => words("prefers-color-scheme", ["light", "dark"]),
    motion: () => words("prefers-reduced-motion", ["no-preference", "reduce"]),
    contrast: () => words("prefers-contrast", ["no-preference", "more", "less", "custom"]),
    gamut: () => words("color-gamut", ["srgb", "p3", "rec2020"]),
    forcedColours: () => words("forced-colors", ["none", "active"]),
    display: () => words("display-mode", ["browser", "standalone", "fullscreen"]),
    together: () => matchMedia("screen and (hover: none) and (min-device-width: 1000px), (pointer: coarse)").matches,
  };

  /** What only the window of the whole page can: its size is no frame's. */
  const inTheWindow = {
    inner: () => [innerWidth, innerHeight].join(),
    visual: () => [visualViewport.width, visualViewport.height, visualViewport.scale].join(),
    root: () => [document.documentElement.clientWidth, document.documentElement.clientHeight].join(),
    width: () => least("width", "px", [300, 500, 1000, 1279, 1280, 1281]),
    turned: () => words("orientation", ["portrait", "landscape"]),
    shape: () => matchMedia("(min-aspect-ratio: 1/1)").matches,
    line: () => [navigator.connection.rtt, navigator.connection.downlink].join(),
    onTop: () => [window === top, parent === window, frameElement].join(),
  };

  /** What depends on how the page is laid out: only a frame of the recorded size can keep it. */
  const laidOut = {
    body: () => document.body.clientWidth,
    viewportUnits: () => {
      const box = document.createElement("div");
      box.style.cssText = "width: 50vw; height: 25vh; position: absolute";
      document.body.append(box);
      const { width, height } = box.getBoundingClientRect();
      return [width, height].join();
    },
    chosen: async () => {
      const image = new Image();
      image.srcset = "/dot.svg?layout-script=1x 1x, /dot.svg?layout-script=2x 2x, /dot.svg?layout-script=3x 3x";
      await new Promise((done) => (image.onload = image.onerror = done));
      return new URL(image.currentSrc).search;
    },
  };

  async function ask(from, probes, base) {
    const sent = Object.entries(probes).map(async ([name, read]) => {
      let value;
      try {
        value = await read();
      } catch (error) {
        value = `threw ${error.name}`;
      }
      const url = new URL(`/dot.svg?${from}-${name}=${encodeURIComponent(value)}`, base);
      return fetch(url).catch(() => {});
    });
    await Promise.all(sent);
  }

  const highEntropy = {
    highEntropy: async () => {
      const asked = ["architecture", "bitness", "fullVersionList", "model", "platformVersion", "uaFullVersion", "wow64"];
      const values = await navigator.userAgentData.getHighEntropyValues(asked);
      return JSON.stringify(Object.entries(values).sort());
    },
  };

  globalThis.askAll = async (from, base) => {
    await ask(from, { ...everywhere, ...highEntropy }, base);
    if (typeof document === "undefined") return;
    await ask(from, inWindows, base);
    if (from !== "window") return;
    await ask("top", inTheWindow, base);
    await ask("layout", laidOut, base);
  };
})();
