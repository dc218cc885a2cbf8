// The recorded time zone and locale, where the browser that replays has others.

const NativeFormat = root.Intl && root.Intl.DateTimeFormat;
const formatParts = NativeFormat && methodOf(NativeFormat.prototype, "formatToParts");
const dateValue = methodOf(NativeDate.prototype, "getTime");
const nativeSetTime = methodOf(NativeDate.prototype, "setTime");
const nativeUtc = NativeDate.UTC;
const nativeParse = NativeDate.parse;
const localOf = create(null);
const utcOf = create(null);
const utcSetter = create(null);
const FIELDS = ["FullYear", "Month", "Date", "Hours", "Minutes", "Seconds", "Milliseconds"];
for (const field of [...FIELDS, "Day"]) {
  localOf[field] = methodOf(NativeDate.prototype, `get${field}`);
  utcOf[field] = methodOf(NativeDate.prototype, `getUTC${field}`);
  utcSetter[field] = methodOf(NativeDate.prototype, `setUTC${field}`);
}

const DAY = 86400000;
let pinnedZone = null;
let zoneFormat = null;
let nameFormat = null;
/** How many quarters of an hour are kept. */
const KEPT_OFFSETS = 10000;
const offsets = newMap();

function preparePinnedZone() {
  const zone = config.client.timeZone;
  if (!zone || !NativeFormat || new NativeFormat().resolvedOptions().timeZone === zone) return;
  const numeric = "numeric";
  zoneFormat = new NativeFormat("en-US", {
    timeZone: zone, calendar: "gregory", hourCycle: "h23", era: "short",
    year: numeric, month: numeric, day: numeric, hour: numeric, minute: numeric, second: numeric,
  });
  nameFormat = new NativeFormat("en-US", { timeZone: zone, timeZoneName: "long" });
  pinnedZone = zone;
}

/** Milliseconds by which the recorded zone's clocks are ahead of UTC; kept per quarter of an hour. */
function zoneOffset(time) {
  const quarter = floor(time / 900000);
  if (offsets.has(quarter)) return offsets.get(quarter);
  const part = create(null);
  for (const { type, value } of formatParts(zoneFormat, quarter * 900000)) part[type] = value;
  const year = part.era === "BC" ? 1 - part.year : +part.year;
  const shown = new NativeDate(0);
  utcSetter.FullYear(shown, year, part.month - 1, +part.day);
  utcSetter.Hours(shown, +part.hour, +part.minute, +part.second);
  const offset = dateValue(shown) - quarter * 900000;
  if (mapSize(offsets) >= KEPT_OFFSETS) offsets.clear();
  offsets.set(quarter, offset);
  return offset;
}

/**
 * The time at which the recorded zone's clocks show `local` (given as if it were UTC). What they
 * show twice is the first of both; what they never show counts as if they had not been moved yet.
 */
function fromLocal(local) {
  if (!Number.isFinite(local)) return NaN;
  const before = zoneOffset(local - DAY);
  const after = zoneOffset(local + DAY);
  const early = local - before;
  const late = local - after;
  return zoneOffset(early) !== before && zoneOffset(late) === after ? late : early;
}

/** A date whose UTC fields are the local fields of `date` in the recorded zone. */
function shifted(date) {
  const time = dateValue(date);
  return new NativeDate(Number.isNaN(time) ? NaN : time + zoneOffset(time));
}

function dateFromParts(args) {
  if (!pinnedZone) return dateValue(construct(NativeDate, args));
  return fromLocal(apply(nativeUtc, NativeDate, args));
}

function dateFromOne(value) {
  if (value instanceof NativeDate) return dateValue(value);
  const primitive = typeof value === "object" && value !== null ? toPrimitive(value) : value;
  return typeof primitive === "string" ? parseDate(primitive) : primitive;
}

function toPrimitive(value) {
  const convert = value[Symbol.toPrimitive];
  if (convert !== undefined && convert !== null) return apply(convert, value, ["default"]);
  const plain = value.valueOf();
  return typeof plain === "object" ? value.toString() : plain;
}

const SAYS_ZONE = /(?:z|gmt|utc?|[ecmp][sd]t|[+-]\d{1,2}:?\d{2})\s*(?:\([^)]*\))?\s*$/i;
const DATE_ONLY = /^\s*[+-]?\d{4,6}(?:-\d\d){0,2}\s*$/;

/** `Date.parse` where a text without zone means the recorded one. */
function parseDate(written) {
  const time = apply(nativeParse, NativeDate, [written]);
  if (!pinnedZone || Number.isNaN(time) || matches(SAYS_ZONE, written) || matches(DATE_ONLY, written)) return time;
  const native = new NativeDate(time);
  return fromLocal(apply(nativeUtc, NativeDate, FIELDS.map((field) => localOf[field](native))));
}

function installZone() {
  if (!pinnedZone) return;
  const prototype = NativeDate.prototype;
  for (const field of [...FIELDS, "Day"]) {
    patchMethod(prototype, `get${field}`, (self) => utcOf[field](shifted(self)));
  }
  for (const field of FIELDS) {
    patchMethod(prototype, `set${field}`, (self, args) => {
      const local = shifted(self);
      if (field === "FullYear" && Number.isNaN(dateValue(local))) nativeSetTime(local, 0);
      utcSetter[field](local, ...args);
      return nativeSetTime(self, fromLocal(dateValue(local)));
    });
  }
  patchMethod(prototype, "getYear", (self) => utcOf.FullYear(shifted(self)) - 1900);
  patchMethod(prototype, "getTimezoneOffset", (self) => {
    const time = dateValue(self);
    return Number.isNaN(time) ? NaN : -zoneOffset(time) / 60000;
  });
  installDateTexts(prototype);
}

/** The long name of the zone; of times before such names began, that of a later time like it. */
function zoneName(time) {
  const nameAt = (when) => formatParts(nameFormat, when).find(({ type }) => type === "timeZoneName").value;
  const name = nameAt(time);
  if (!startsWith(name, "GMT") || time >= 0) return name;
  const alike = [1735689600000, 1751328000000].find((later) => zoneOffset(later) === zoneOffset(time));
  return alike === undefined ? name : nameAt(alike);
}

/** `Thu Jan 01 2026 09:00:00 GMT+0900 (Japan Standard Time)` and its halves. */
function installDateTexts(prototype) {
  const utcText = methodOf(prototype, "toUTCString");
  const day = (self) => {
    const [, weekday, date, month, year] = execute(/^(\w+), (\d+) (\w+) (-?\d+)/, utcText(shifted(self)));
    return `${weekday} ${month} ${date} ${year}`;
  };
  const clock = (self) => {
    const time = dateValue(self);
    const minutes = zoneOffset(time) / 60000;
    const two = (value) => `${value < 10 ? "0" : ""}${value}`;
    const sign = minutes < 0 ? "-" : "+";
    const offset = two(floor(Math.abs(minutes) / 60)) + two(floor(Math.abs(minutes) % 60));
    return `${execute(/\d\d:\d\d:\d\d/, utcText(shifted(self)))[0]} GMT${sign}${offset} (${zoneName(time)})`;
  };
  const write = (compose) => (self, args, native) =>
    Number.isNaN(dateValue(self)) ? apply(native, self, args) : compose(self);
  patchMethod(prototype, "toString", write((self) => `${day(self)} ${clock(self)}`));
  patchMethod(prototype, "toDateString", write(day));
  patchMethod(prototype, "toTimeString", write(clock));
}
