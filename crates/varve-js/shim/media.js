// `matchMedia` and media queries in sheets that scripts make: features that tell about the device
// are answered as at capture.
//
// Such a feature is replaced in the query by one that always or never holds, and the rest is left
// to the browser, so that combinations, `not` and change events stay its affair.

const ALWAYS = "(min-width:0px)";
const NEVER = "(min-width:9999999px)";
const FEATURE = /\(\s*([^()]*?)\s*\)/g;

/** feature -> its recorded value: a number of pixels, a number, a word, or all words that hold. */
function recordedFeatures(client) {
  const { window: sizes } = client;
  const features = deviceFeatures(client);
  const put = putInto(features);
  if (config.top && sizes?.innerWidth && sizes.innerHeight) {
    put("width", sizes.innerWidth);
    put("height", sizes.innerHeight);
    put("aspect-ratio", sizes.innerWidth / sizes.innerHeight);
    put("orientation", sizes.innerHeight >= sizes.innerWidth ? "portrait" : "landscape");
  }
  put("resolution", client.dpr);
  put("-webkit-device-pixel-ratio", client.dpr);
  return features;
}

const putInto = (features) => (name, value) => {
  if (value !== undefined) features[name] = value;
};

/** Those that no frame can keep, whatever its size and zoom. */
function deviceFeatures(client) {
  const { screen } = client;
  const features = create(null);
  const put = putInto(features);
  put("device-width", screen?.width);
  put("device-height", screen?.height);
  put("device-aspect-ratio", screen && screen.width / screen.height);
  for (const name of ["pointer", "any-pointer"]) put(name, client.pointer);
  const hover = client.hover === undefined ? undefined : client.hover ? "hover" : "none";
  for (const name of ["hover", "any-hover"]) put(name, hover);
  put("prefers-color-scheme", client.colorScheme);
  return assign(features, client.media);
}

const DPI = { dppx: 1, x: 1, dpi: 1 / 96, dpcm: 2.54 / 96 };
const LENGTHS = { px: 1, em: 16, rem: 16, pt: 96 / 72, cm: 96 / 2.54, mm: 96 / 25.4, in: 96, pc: 16 };

/** A value of a feature as a number, or the word that it is. */
function mediaValue(written) {
  const ratio = execute(/^([\d.]+)\s*\/\s*([\d.]+)$/, written);
  if (ratio) return ratio[1] / ratio[2];
  const number = execute(/^([+-]?[\d.]+(?:e[+-]?\d+)?)([a-z]*)$/i, written);
  if (!number) return lower(written);
  const unit = lower(number[2]);
  return number[1] * (DPI[unit] ?? LENGTHS[unit] ?? 1);
}

function compare(left, sign, right) {
  if (typeof left === "object") return sign === "=" && isAmong(left, right);
  if (typeof left !== "number" || typeof right !== "number") return sign === "=" && left === right;
  const near = Math.abs(left - right) < 1e-4;
  if (sign === "=") return near;
  if (sign === "<=") return left < right || near;
  if (sign === ">=") return left > right || near;
  return sign === "<" ? left < right && !near : left > right && !near;
}

/** Whether one feature expression holds, or `null` if it is not about the recorded client. */
function evaluateFeature(expression, features) {
  const plain = execute(/^(-webkit-)?(min-|max-)?([a-z-]+)\s*(?::\s*(.+))?$/i, expression);
  if (plain) return evaluatePlain(plain, features);
  const range = execute(/^(?:(.+?)\s*(<=?|>=?|=)\s*)?([a-z-]+)\s*(?:(<=?|>=?|=)\s*(.+))?$/i, expression);
  const actual = range ? features[lower(range[3])] : undefined;
  if (actual === undefined) return null;
  const left = range[2] ? compare(mediaValue(range[1]), range[2], actual) : true;
  return left && (range[4] ? compare(actual, range[4], mediaValue(range[5])) : true);
}

function evaluatePlain([, vendor = "", bound = "", base, written], features) {
  const actual = features[lower(vendor + base)];
  if (actual === undefined) return null;
  if (written === undefined) return !isAmong(["none", "no-preference", 0], typeof actual === "object" ? actual[0] : actual);
  return compare(actual, bound === "" ? "=" : lower(bound) === "min-" ? ">=" : "<=", mediaValue(trim(written)));
}

/** A media query in which the recorded client's features are decided. */
function decidedQuery(query, features) {
  return replaceAll(query, FEATURE, (match) => {
    const holds = evaluateFeature(match[1], features);
    return holds === null ? match[0] : holds ? ALWAYS : NEVER;
  });
}

/** A style sheet that a script makes, as the server would send it. */
function decidedSheet(source) {
  if (!inWindow || !matches(/@(?:media|import)\b/i, source)) return source;
  const features = deviceFeatures(config.client);
  return replaceAll(source, /@(?:media|import)\b[^{;]*/gi, ([prelude]) => decidedQuery(prelude, features));
}

function installMedia(client) {
  const features = recordedFeatures(client);
  const asked = newWeakMap();
  patchMethod(root, "matchMedia", (self, args, native) => {
    if (!args.length) return apply(native, self, args);
    const query = text(args[0]);
    const decided = decidedQuery(query, features);
    const list = apply(native, self, [decided]);
    if (decided !== query) asked.set(list, apply(native, self, [query]));
    return list;
  });
  patchAccessor(prototypeOf("MediaQueryList"), "media", {
    get: (self, native) => apply(native, asked.get(self) || self, []),
  });
  const eventQuery = getterOf(prototypeOf("MediaQueryListEvent"), "target");
  patchAccessor(prototypeOf("MediaQueryListEvent"), "media", {
    get: (self, native) => {
      const list = asked.get(eventQuery(self));
      return list ? list.media : apply(native, self, []);
    },
  });
}
