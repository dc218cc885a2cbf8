// Performance entries: archived names, the shim's own requests left out, times from the capture on.

const entryName = getterOf(prototypeOf("PerformanceEntry"), "name");

const isOurs = (entry) => includes(text(entryName(entry)), "/__varve/");

/** Entries without those of the shim; by name, the archived name counts. */
function entriesSeen(entries, name) {
  return entries.filter((entry) => !isOurs(entry) && (name === undefined || toArchived(entryName(entry)) === name));
}

function installEntryLists(prototype) {
  const all = methodOf(prototype, "getEntries");
  patchMethod(prototype, "getEntries", (self, args, native) => entriesSeen(apply(native, self, args)));
  patchMethod(prototype, "getEntriesByType", (self, args, native) => entriesSeen(apply(native, self, args)));
  patchMethod(prototype, "getEntriesByName", (self, args, native) => {
    if (!args.length) return apply(native, self, args);
    const found = entriesSeen(all(self), text(args[0]));
    return args[1] === undefined ? found : found.filter(({ entryType }) => entryType === args[1]);
  });
}

/** Entries keep their names in `toJSON` too. */
function installEntryNames() {
  patchReading(prototypeOf("PerformanceEntry"), "name", toArchived);
  for (const name of ["PerformanceEntry", "PerformanceResourceTiming", "PerformanceNavigationTiming"]) {
    patchMethod(prototypeOf(name), "toJSON", (self, args, native) => {
      const json = apply(native, self, args);
      return { ...json, name: toArchived(json.name) };
    });
  }
  for (const name of ["LargestContentfulPaint", "PerformanceElementTiming"]) {
    patchReading(prototypeOf(name), "url", toArchived);
  }
}

/** Points in time that are counted from 1970 move with the clock. */
function installTimeOrigin() {
  if (clockStart === null) return;
  const origin = clockStart - clockBase;
  const shift = origin - getterOf(prototypeOf("Performance"), "timeOrigin")(root.performance);
  patchAccessor(prototypeOf("Performance"), "timeOrigin", { get: () => origin });
  const timing = prototypeOf("PerformanceTiming");
  for (const name of timing ? getOwnPropertyNames(timing) : []) {
    patchReading(timing, name, (value) => (typeof value === "number" && value > 0 ? Math.round(value + shift) : value));
  }
}

function installPerformance() {
  installEntryLists(prototypeOf("Performance"));
  installEntryLists(prototypeOf("PerformanceObserverEntryList"));
  installEntryNames();
  installTimeOrigin();
}
