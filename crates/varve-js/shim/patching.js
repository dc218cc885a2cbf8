// How a native is replaced so that pages do not notice: name, length and source text are kept, the
// property keeps its flags, a missing native is skipped, and one failure does not stop the rest.

/** What could not be patched, for those who debug; archived code never sees it. */
const failures = [];

/** Replacement -> the native that it stands for. */
const stoodFor = newWeakMap();

/** Does one step of the installation; what goes wrong is noted. */
function attempt(what, step) {
  try {
    step();
  } catch (error) {
    push(failures, `${what}: ${error}`);
  }
}

/** Makes `replacement` look like `native`. */
function disguise(replacement, native) {
  stoodFor.set(replacement, native);
  for (const name of ["name", "length"]) {
    const descriptor = getOwnPropertyDescriptor(native, name);
    if (descriptor) defineProperty(replacement, name, descriptor);
  }
  return replacement;
}

/** Who has a property, and its descriptor: of globals it may be a prototype, as in workers. */
function ownerOf(holder, name) {
  if (holder !== root) return [holder, holder ? getOwnPropertyDescriptor(holder, name) : undefined];
  const found = findProperty(root, name);
  return found ? [found.holder, found.descriptor] : [root, undefined];
}

/**
 * Replaces a method. `behave(self, args, native)` decides what happens; `native(self, ...args)` is
 * not it: call the saved function with `apply(native, self, args)`.
 */
function patchMethod(holder, name, behave) {
  attempt(name, () => {
    const [owner, descriptor] = ownerOf(holder, name);
    if (!descriptor || typeof descriptor.value !== "function") return;
    const native = descriptor.value;
    const { patched } = {
      patched(...args) {
        return behave(this, args, native);
      },
    };
    defineProperty(owner, name, { ...descriptor, value: disguise(patched, native) });
  });
}

/** Replaces a method by one whose arguments are changed first: `change(args, self)`. */
function patchArguments(holder, name, change) {
  patchMethod(holder, name, (self, args, native) => {
    change(args, self);
    return apply(native, self, args);
  });
}

/**
 * Replaces an accessor. `get(self, native)` and `set(self, value, native)` have full control;
 * `native` is the saved getter or setter.
 */
function patchAccessor(holder, name, { get, set }) {
  attempt(name, () => {
    const [owner, descriptor] = ownerOf(holder, name);
    if (!descriptor || !descriptor.get) return;
    const changed = { ...descriptor };
    if (get) changed.get = disguisedGetter(descriptor.get, get);
    if (set && descriptor.set) changed.set = disguisedSetter(descriptor.set, set);
    defineProperty(owner, name, changed);
  });
}

function disguisedGetter(native, get) {
  const { patched } = {
    patched() {
      return get(this, native);
    },
  };
  return disguise(patched, native);
}

function disguisedSetter(native, set) {
  const { patched } = {
    patched(value) {
      return set(this, value, native);
    },
  };
  return disguise(patched, native);
}

/** Passes what a getter answers through `change(value, self)`. */
function patchReading(holder, name, change) {
  patchAccessor(holder, name, {
    get: (self, native) => change(apply(native, self, []), self),
  });
}

/** Passes what a getter answers through `read` and what a setter is given through `write`. */
function patchValue(holder, name, read, write) {
  patchAccessor(holder, name, {
    get: (self, native) => read(apply(native, self, []), self),
    set: (self, value, native) => apply(native, self, [write(value, self)]),
  });
}

/** Replaces a constructor. `behave(args, target, native)` returns the new object. */
function patchConstructor(name, behave) {
  attempt(name, () => {
    const descriptor = getOwnPropertyDescriptor(root, name);
    if (!descriptor || typeof descriptor.value !== "function") return;
    const native = descriptor.value;
    const patched = standIn(native, behave);
    defineProperty(root, name, { ...descriptor, value: patched });
  });
}

/**
 * A constructor that looks like `native`, statics and prototype included. `call(args)` is for those
 * that may be called without `new`; others are left to complain as the native does.
 */
function standIn(native, behave, call) {
  function patched(...args) {
    if (!new.target) return call ? call(args) : apply(native, this, args);
    return behave(args, new.target === patched ? native : new.target, native);
  }
  for (const key of [...getOwnPropertyNames(native), ...getOwnPropertySymbols(native)]) {
    if (key !== "arguments" && key !== "caller") {
      defineProperty(patched, key, getOwnPropertyDescriptor(native, key));
    }
  }
  setPrototypeOf(patched, getPrototypeOf(native));
  const back = getOwnPropertyDescriptor(native.prototype, "constructor");
  if (back && back.configurable) {
    defineProperty(native.prototype, "constructor", { ...back, value: patched });
  }
  return disguise(patched, native);
}

/**
 * `onopen` and the like of objects that we make, whose `handlers` are in `states`: one listener each,
 * in the order of their first setting.
 */
function patchHandlers(prototype, types, states) {
  for (const type of types) {
    patchAccessor(prototype, `on${type}`, {
      get: (self) => states.get(self)?.handlers[type]?.now ?? null,
      set: (self, value) => {
        const state = states.get(self);
        if (!state) return;
        const slot = state.handlers[type];
        if (slot) slot.now = value;
        else {
          const made = (state.handlers[type] = { now: value });
          addListener(self, type, (event) => typeof made.now === "function" && apply(made.now, self, [event]));
        }
      },
    });
  }
}

/** Sets a property that the native object lacks or has otherwise, as a getter that cannot be seen through. */
function pin(holder, name, value) {
  attempt(name, () => {
    const [owner, descriptor] = ownerOf(holder, name);
    if (!descriptor || !descriptor.configurable) return;
    if (descriptor.get) {
      patchAccessor(owner, name, { get: () => value, set: () => undefined });
    } else {
      defineProperty(owner, name, { ...descriptor, value });
    }
  });
}

function installPatching() {
  patchMethod(Function.prototype, "toString", (self, args, native) =>
    wholeText(apply(native, stoodFor.get(self) || self, args)),
  );
}
