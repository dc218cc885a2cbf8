// The recorded default locale (and time zone) of `Intl` and of everything that formats by it.

/** The locale to use where a page names none. */
const defaultLocale = () => config.client.locale || (config.client.languages || [])[0];

/** Arguments `(locales, options)` with the recorded defaults filled in. */
function localeArguments(args, withZone) {
  const [locales = defaultLocale(), options] = args;
  if (!withZone || !pinnedZone) return [locales, options];
  if (options !== undefined && options !== null && options.timeZone !== undefined) return [locales, options];
  const given = { timeZone: pinnedZone };
  return [locales, options === undefined ? given : assign(create(Object(options)), given)];
}

const FORMATTERS = [
  "Collator", "DateTimeFormat", "DisplayNames", "DurationFormat", "ListFormat",
  "NumberFormat", "PluralRules", "RelativeTimeFormat", "Segmenter",
];

function installFormatters() {
  for (const name of FORMATTERS) {
    attempt(name, () => {
      const native = root.Intl[name];
      if (!native) return;
      const make = (args, target) => construct(native, localeArguments(args, name === "DateTimeFormat"), target);
      const called = matches(/Collator|DateTimeFormat|NumberFormat/, name) ? (args) => make(args, native) : undefined;
      const descriptor = getOwnPropertyDescriptor(root.Intl, name);
      defineProperty(root.Intl, name, { ...descriptor, value: standIn(native, make, called) });
    });
  }
}

/** Methods of plain values that format by locale; `at` is where the locales stand. */
function installLocaleMethods() {
  const methods = [
    [NativeDate.prototype, ["toLocaleString", "toLocaleDateString", "toLocaleTimeString"], 0, true],
    [Number.prototype, ["toLocaleString"], 0, false],
    [root.BigInt && root.BigInt.prototype, ["toLocaleString"], 0, false],
    [String.prototype, ["localeCompare"], 1, false],
  ];
  for (const [prototype, names, at, withZone] of methods) {
    for (const name of names) {
      patchMethod(prototype, name, (self, args, native) => {
        const before = args.slice(0, at);
        return apply(native, self, [...before, ...localeArguments(args.slice(at), withZone)]);
      });
    }
  }
  for (const name of ["toLocaleUpperCase", "toLocaleLowerCase"]) {
    patchMethod(String.prototype, name, (self, args, native) => apply(native, self, [args[0] ?? defaultLocale()]));
  }
}

function installLocale() {
  const native = root.Intl && new NativeFormat().resolvedOptions().locale;
  const isNative = !defaultLocale() || defaultLocale() === native;
  if (!root.Intl || (isNative && !pinnedZone)) return;
  installFormatters();
  installLocaleMethods();
}
