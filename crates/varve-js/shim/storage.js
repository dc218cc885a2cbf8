// Storage by archived origin. In host layout the browser separates it; in path layout all archived
// origins are one to the browser, and each gets its own part of every store by a prefix.

const PREFIX = "varve|";

const storagePrefix = () => `${PREFIX}${archivedOrigin()}|`;

const nativeStorage = create(null);
for (const name of ["getItem", "setItem", "removeItem", "key"]) {
  nativeStorage[name] = methodOf(prototypeOf("Storage"), name);
}
nativeStorage.length = getterOf(prototypeOf("Storage"), "length");

/** view -> `{ area, prefix }`. */
const storageViews = newWeakMap();

/** The keys of a view, without the prefix; those of the shim are left out. */
function keysOf({ area, prefix }) {
  const keys = [];
  for (let at = 0; at < nativeStorage.length(area); at += 1) {
    const key = nativeStorage.key(area, at);
    if (startsWith(key, prefix) && !startsWith(key, JAR)) push(keys, slice(key, prefix.length));
  }
  return keys;
}

/** A `Storage` that shows one origin's part of an area. */
function storageView(area, prefix) {
  const part = { area, prefix };
  const isStored = (name) => typeof name === "string" && !(name in prototypeOf("Storage"));
  const read = (name) => nativeStorage.getItem(area, prefix + name);
  const view = new NativeProxy(create(prototypeOf("Storage")), {
    get: (target, name) => (isStored(name) ? (read(name) ?? undefined) : Reflect.get(target, name, view)),
    set: (target, name, value) => {
      if (!isStored(name)) return Reflect.set(target, name, value);
      nativeStorage.setItem(area, prefix + name, text(value));
      return true;
    },
    has: (target, name) => (isStored(name) && read(name) !== null) || Reflect.has(target, name),
    deleteProperty: (target, name) => {
      if (isStored(name)) nativeStorage.removeItem(area, prefix + name);
      return true;
    },
    ownKeys: () => keysOf(part),
    getOwnPropertyDescriptor: (target, name) => {
      const value = isStored(name) ? read(name) : null;
      return value === null ? undefined : { value, writable: true, enumerable: true, configurable: true };
    },
    defineProperty: (target, name, { value }) => {
      nativeStorage.setItem(area, prefix + text(name), text(value));
      return true;
    },
  });
  storageViews.set(view, part);
  return view;
}

/** The methods of `Storage`, which may be called on a view or on a native area. */
function installStorageMethods() {
  const storage = prototypeOf("Storage");
  for (const name of ["getItem", "setItem", "removeItem"]) {
    patchMethod(storage, name, (self, args, native) => {
      const part = storageViews.get(self);
      if (part && args.length) args[0] = part.prefix + text(args[0]);
      return apply(native, part ? part.area : self, args);
    });
  }
  patchMethod(storage, "key", (self, args, native) => {
    const part = storageViews.get(self);
    return part ? (keysOf(part)[Number(args[0]) || 0] ?? null) : apply(native, self, args);
  });
  patchMethod(storage, "clear", (self, args, native) => {
    const part = storageViews.get(self);
    if (!part) return apply(native, self, args);
    for (const key of keysOf(part)) nativeStorage.removeItem(part.area, part.prefix + key);
  });
  patchAccessor(storage, "length", {
    get: (self, native) => (storageViews.has(self) ? keysOf(storageViews.get(self)).length : apply(native, self, [])),
  });
}

function installAreas() {
  const views = newMap();
  for (const name of ["localStorage", "sessionStorage"]) {
    if (name === "localStorage" && config.layout !== "path") continue;
    patchReading(root, name, (area) => {
      const key = `${name} ${archivedOrigin()}`;
      if (!views.has(key)) views.set(key, storageView(area, config.layout === "path" ? storagePrefix() : ""));
      return views.get(key);
    });
  }
}

/** A change by another document: only those of the same archived origin are told. */
function installStorageEvents() {
  const event = prototypeOf("StorageEvent");
  const keyOf = getterOf(event, "key");
  addListener(root, "storage", (change) => {
    const key = keyOf(change);
    const foreign = config.layout === "path" && key !== null && !startsWith(key, storagePrefix());
    if (foreign || (key !== null && startsWith(key, JAR))) stopEvent(change);
  }, true);
  patchReading(event, "url", toArchived);
  if (config.layout !== "path") return;
  patchReading(event, "key", (key) => (key ? ownName(key) : key));
}

/** Puts the prefix before a name given to a method, where there is a name. */
function patchStoreName(prototype, name) {
  patchArguments(prototype, name, (args) => {
    if (args.length) args[0] = storagePrefix() + text(args[0]);
  });
}

const isOwnName = (name) => startsWith(name, storagePrefix());

/** A name as the page gave it. */
const ownName = (name) => (isOwnName(name) ? slice(name, storagePrefix().length) : name);

/** Databases, caches, channels and locks by archived origin (path layout). */
function installNamedStores() {
  const factory = prototypeOf("IDBFactory");
  for (const name of ["open", "deleteDatabase"]) patchStoreName(factory, name);
  patchMethod(factory, "databases", async (self, args, native) => {
    const all = await apply(native, self, args);
    return all.filter(({ name }) => isOwnName(name)).map((found) => ({ ...found, name: ownName(found.name) }));
  });
  patchReading(prototypeOf("IDBDatabase"), "name", ownName);
  const caches = prototypeOf("CacheStorage");
  for (const name of ["open", "has", "delete"]) patchStoreName(caches, name);
  patchMethod(caches, "keys", async (self, args, native) => (await apply(native, self, args)).filter(isOwnName).map(ownName));
  patchStoreName(prototypeOf("LockManager"), "request");
  patchReading(prototypeOf("Lock"), "name", ownName);
  patchConstructor("BroadcastChannel", (args, target, native) =>
    construct(native, args.length ? [storagePrefix() + text(args[0])] : args, target),
  );
  patchReading(prototypeOf("BroadcastChannel"), "name", ownName);
}

/** What a cache is asked for and what it holds. */
function installCacheAddresses() {
  const cache = prototypeOf("Cache");
  for (const name of ["match", "matchAll", "put", "add", "delete", "keys"]) {
    patchArguments(cache, name, (args) => {
      if (args.length && args[0] !== undefined) args[0] = requestInput(args[0]);
    });
  }
  patchArguments(cache, "addAll", (args) => {
    if (args.length) args[0] = [...args[0]].map(requestInput);
  });
  patchArguments(prototypeOf("CacheStorage"), "match", (args) => {
    if (args.length) args[0] = requestInput(args[0]);
  });
}

function installStorage() {
  installCacheAddresses();
  if (prototypeOf("Storage")) {
    installStorageMethods();
    installAreas();
    installStorageEvents();
  }
  if (config.layout === "path") installNamedStores();
}
