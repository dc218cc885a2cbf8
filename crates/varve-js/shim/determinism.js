// Clock and chance as at capture: time starts at the capture's and runs, random numbers follow from
// the address, by the same generator that the recorder puts into pages.

const performanceNow = root.performance ? methodOf(getPrototypeOf(root.performance), "now") : () => NativeDate.now();
const nativeDateNow = NativeDate.now;
let clockStart = null;
let clockBase = 0;

/** Starts the clock of this document. */
function startClock() {
  clockStart = config.clock && Number.isFinite(config.clock.start) ? config.clock.start : null;
  clockBase = monotonic();
}

const monotonic = () => (root.performance ? performanceNow(root.performance) : nativeDateNow());

/** Milliseconds since 1970, as archived code should see them. */
function archivedNow() {
  return clockStart === null ? nativeDateNow() : Math.floor(clockStart + (monotonic() - clockBase));
}

/** `Date` without arguments is the archived now; what else it is given is in the recorded time zone. */
function installDate() {
  const make = (args, target) => {
    if (args.length === 0) return construct(NativeDate, [archivedNow()], target);
    if (args.length === 1) return construct(NativeDate, [dateFromOne(args[0])], target);
    return construct(NativeDate, [dateFromParts(args)], target);
  };
  const patched = standIn(NativeDate, make, () => new patched().toString());
  defineProperty(root, "Date", { ...getOwnPropertyDescriptor(root, "Date"), value: patched });
  patchMethod(patched, "now", () => archivedNow());
  patchMethod(patched, "parse", (self, args) => parseDate(text(args[0])));
  if (root.Temporal) installTemporal(root.Temporal.Now);
}

function installTemporal(now) {
  const zoneOr = (zone) => zone ?? now.timeZoneId();
  const Instant = root.Temporal.Instant;
  const instant = () => Instant.fromEpochMilliseconds(archivedNow());
  const zoned = (zone) => instant().toZonedDateTimeISO(zoneOr(zone));
  if (pinnedZone) patchMethod(now, "timeZoneId", () => pinnedZone);
  patchMethod(now, "instant", instant);
  patchMethod(now, "zonedDateTimeISO", (self, [zone]) => zoned(zone));
  patchMethod(now, "plainDateTimeISO", (self, [zone]) => zoned(zone).toPlainDateTime());
  patchMethod(now, "plainDateISO", (self, [zone]) => zoned(zone).toPlainDate());
  patchMethod(now, "plainTimeISO", (self, [zone]) => zoned(zone).toPlainTime());
}

/** A generator of 32-bit numbers (mulberry32): small, and the same wherever it is written down. */
function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}

const { imul, floor } = Math;

/** What chance begins with follows from the address: at capture it was so, too. */
function seedOf(href) {
  const blob = execute(/^blob:https?:\/\/[^/]*/, href);
  const address = blob ? blob[0] : withoutHash(href);
  let seed = 0x811c9dc5;
  for (let at = 0; at < address.length; at += 1) seed = imul(seed ^ charCode(address, at), 0x01000193);
  return seed >>> 0;
}

function installRandom() {
  const seed = seedOf(archivedHref());
  const forMath = generator(seed);
  const forCrypto = generator(imul(seed, 0x9e3779b1) + 1);
  patchMethod(Math, "random", () => {
    const high = forMath() >>> 5;
    return (high * 67108864 + (forMath() >>> 6)) / 9007199254740992;
  });
  patchMethod(prototypeOf("Crypto"), "getRandomValues", (self, args, native) => {
    const filled = apply(native, self, args);
    const bytes = new Uint8Array(filled.buffer, filled.byteOffset, filled.byteLength);
    for (let at = 0; at < bytes.length; at += 1) bytes[at] = forCrypto() & 255;
    return filled;
  });
  patchMethod(prototypeOf("Crypto"), "randomUUID", () => uuidFrom(forCrypto));
}

function uuidFrom(next) {
  const digits = [];
  for (let at = 0; at < 32; at += 1) push(digits, (next() & 15).toString(16));
  digits[12] = "4";
  digits[16] = "89ab"[next() & 3];
  const text = join(digits, "");
  return `${slice(text, 0, 8)}-${slice(text, 8, 12)}-${slice(text, 12, 16)}-${slice(text, 16, 20)}-${slice(text, 20)}`;
}

function installDeterminism() {
  attempt("time zone", preparePinnedZone);
  attempt("Date", installDate);
  attempt("time zone of Date", installZone);
  attempt("locale", installLocale);
  if (config.chance !== false) attempt("random", installRandom);
  attempt("performance", installPerformance);
}
