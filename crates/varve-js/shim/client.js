// The client that captured: what `navigator`, `screen` and the window say about it, whatever
// device replays. Each pin is optional; what the capture does not tell stays as it is.

/** Pins each named property that has a value. */
function pinAll(holder, values) {
  for (const [name, value] of Object.entries(values || {})) {
    if (value !== undefined) pin(holder, name, value);
  }
}

function navigatorPins(client) {
  const agent = client.userAgent;
  const languages = client.languages && freeze([...client.languages]);
  return {
    userAgent: agent,
    appVersion: client.appVersion ?? (agent && slice(agent, indexOf(agent, "/") + 1)),
    productSub: client.productSub,
    platform: client.platform,
    vendor: client.vendor,
    languages,
    language: client.language ?? (languages && languages[0]),
    hardwareConcurrency: client.cores,
    deviceMemory: client.memory,
    maxTouchPoints: client.touchPoints,
    doNotTrack: client.doNotTrack,
    cookieEnabled: client.cookies,
    pdfViewerEnabled: client.pdfViewer ?? (client.mobile === undefined ? undefined : !client.mobile),
    webdriver: client.webdriver ?? (agent === undefined ? undefined : false),
    onLine: true,
  };
}

function installNavigator(client) {
  const prototype = prototypeOf("Navigator") || prototypeOf("WorkerNavigator");
  pinAll(prototype, navigatorPins(client));
  installHints(prototype, client);
  if (client.connection === null) remove(prototype, "connection");
  pinAll(prototypeOf("NetworkInformation"), client.connection);
  // A phone has none.
  attempt("plugins", () => installPlugins(prototype, client.plugins ?? (client.mobile ? [] : undefined)));
}

function remove(holder, name) {
  attempt(name, () => {
    if (holder) delete holder[name];
  });
}

/** User agent client hints; `null` stands for a browser that has none. */
function installHints(prototype, client) {
  const { hints } = client;
  if (hints === null) return remove(prototype, "userAgentData");
  const interfaceOf = prototypeOf("NavigatorUAData");
  if (!hints || !interfaceOf) return;
  const brands = freeze((hints.brands || []).map((brand) => freeze({ ...brand })));
  const low = { brands, mobile: hints.mobile ?? !!client.mobile, platform: hints.platform ?? "" };
  pinAll(interfaceOf, low);
  patchMethod(interfaceOf, "toJSON", () => ({ ...low }));
  patchMethod(interfaceOf, "getHighEntropyValues", async (self, [asked]) => {
    const answer = { ...low };
    for (const name of asked || []) {
      if (hints[name] !== undefined) answer[name] = hints[name];
    }
    return answer;
  });
}

function installScreen(client) {
  const { screen } = client;
  if (!screen) return;
  const pins = { ...screen, pixelDepth: screen.pixelDepth ?? screen.colorDepth };
  delete pins.orientation;
  pinAll(prototypeOf("Screen"), pins);
  const portrait = screen.height > screen.width;
  pinAll(prototypeOf("ScreenOrientation"), screen.orientation || {
    type: portrait ? "portrait-primary" : "landscape-primary",
    angle: portrait || !client.mobile ? 0 : 90,
  });
}

/** The window's measures: those of the viewport belong to the topmost document only. */
function installWindowSizes(client) {
  const sizes = client.window;
  pinAll(root, { devicePixelRatio: client.dpr });
  if (!sizes) return;
  const { innerWidth, innerHeight, ...outer } = sizes;
  pinAll(root, { ...outer, screenLeft: outer.screenX, screenTop: outer.screenY });
  if (!config.top) return;
  pinAll(root, { innerWidth, innerHeight });
  const seen = client.visualViewport || { width: innerWidth, height: innerHeight, scale: 1 };
  pinAll(prototypeOf("VisualViewport"), seen);
  if (seen.scale === 1) pinRootElement(seen);
}

/** Pages take the size of the window from its root element too: that without scroll bars. */
function pinRootElement({ width, height }) {
  for (const [name, size] of [["clientWidth", width], ["clientHeight", height]]) {
    patchReading(prototypeOf("Element"), name, (value, self) =>
      value && self === root.document.scrollingElement && self === root.document.documentElement ? Math.round(size) : value,
    );
  }
}

const TOUCH_HANDLERS = ["ontouchstart", "ontouchmove", "ontouchend", "ontouchcancel"];

/** Pages ask for touch by whether its handlers exist. */
function installTouch(client) {
  if (client.touchPoints === undefined) return;
  const holders = [root, prototypeOf("Document"), prototypeOf("HTMLElement"), prototypeOf("SVGElement")];
  for (const holder of holders) {
    for (const name of TOUCH_HANDLERS) {
      if (!client.touchPoints) remove(holder, name);
      else if (holder && !findProperty(holder, name)) defineTouchHandler(holder, name);
    }
  }
}

function defineTouchHandler(holder, name) {
  const handlers = newWeakMap();
  attempt(name, () =>
    defineProperty(holder, name, {
      configurable: true,
      enumerable: true,
      get() {
        return handlers.get(this ?? root)?.now ?? null;
      },
      set(value) {
        setTouchHandler(this ?? root, handlers, slice(name, 2), value);
      },
    }),
  );
}

function setTouchHandler(target, handlers, type, value) {
  const slot = handlers.get(target);
  if (slot) slot.now = value;
  else {
    const made = { now: value };
    handlers.set(target, made);
    addListener(target, type, (event) => typeof made.now === "function" && apply(made.now, target, [event]));
  }
}

function installClient() {
  const { client } = config;
  attempt("navigator", () => installNavigator(client));
  if (!inWindow) return;
  attempt("screen", () => installScreen(client));
  attempt("window", () => installWindowSizes(client));
  attempt("touch", () => installTouch(client));
  attempt("media", () => installMedia(client));
}
