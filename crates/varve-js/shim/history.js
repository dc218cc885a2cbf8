// History and the Navigation API: entries carry replay addresses, pages see archived ones.

/** The address for a new entry of this document; `null` and `undefined` mean the present one. */
function entryUrl(given) {
  if (given === null || given === undefined) return given;
  return toReplayUrl(resolvedForEntry(text(given)), ownMod());
}

function resolvedForEntry(value) {
  try {
    return new NativeURL(value, archivedBase()).href;
  } catch {
    return value;
  }
}

function installHistory() {
  if (!inWindow) return;
  for (const name of ["pushState", "replaceState"]) {
    patchMethod(prototypeOf("History"), name, (self, args, native) => {
      if (args.length > 2) {
        refuseForeignEntry(name, args[2]);
        args[2] = entryUrl(args[2]);
      }
      const result = apply(native, self, args);
      announce();
      return result;
    });
  }
  patchReading(prototypeOf("HashChangeEvent"), "oldURL", toArchived);
  patchReading(prototypeOf("HashChangeEvent"), "newURL", toArchived);
  addListener(root, "popstate", announce);
  addListener(root, "hashchange", announce);
  installNavigation();
}

/** In path layout all archived origins are one to the browser, so the check is ours. */
function refuseForeignEntry(name, given) {
  if (given === null || given === undefined || config.layout !== "path") return;
  const url = resolvedForEntry(text(given));
  if (!matches(WEB, url) || isReplay(url) || new NativeURL(url).origin === archivedOrigin()) return;
  const reason = `'${url}' cannot be created in a document with origin '${archivedOrigin()}'.`;
  throw new NativeDomException(`Failed to execute '${name}' on 'History': ${reason}`, "SecurityError");
}

function installNavigation() {
  patchMethod(prototypeOf("Navigation"), "navigate", (self, args, native) => {
    if (args.length) args[0] = navigationUrl(args[0]);
    return apply(native, self, args);
  });
  for (const name of ["NavigationHistoryEntry", "NavigationDestination"]) {
    patchReading(prototypeOf(name), "url", toArchived);
  }
}
