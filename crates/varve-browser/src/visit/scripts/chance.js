// Chance that can be repeated: random numbers follow from the document's address, so that a replay,
// which knows the address, gives its scripts the same ones and they ask for the same things. The
// replay's own script has the same generator; a test compares them.
((withCrypto) => {
  "use strict";
  const { imul } = Math;

  /** The address without its fragment; of blobs, whose names are chance themselves, the origin. */
  const addressOf = (href) => {
    const blob = /^blob:https?:\/\/[^/]*/.exec(href);
    return blob ? blob[0] : href.replace(/#[^]*$/, "");
  };

  /** FNV-1a over the letters. */
  const seedOf = (address) => {
    let seed = 0x811c9dc5;
    for (let at = 0; at < address.length; at += 1) seed = imul(seed ^ address.charCodeAt(at), 0x01000193);
    return seed >>> 0;
  };

  /** A generator of 32-bit numbers (mulberry32). */
  const generator = (seed) => {
    let state = seed >>> 0;
    return () => {
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + imul(mixed ^ (mixed >>> 7), mixed | 61);
      return (mixed ^ (mixed >>> 14)) >>> 0;
    };
  };

  /** Puts a function in the place of another. Proxies show the text of native functions. */
  const replace = (holder, name, make) => {
    const descriptor = holder && Object.getOwnPropertyDescriptor(holder, name);
    if (!descriptor || typeof descriptor.value !== "function") return;
    const native = descriptor.value;
    const value = new Proxy(native, { apply: (_, self, args) => make(self, args, native) });
    Object.defineProperty(holder, name, { ...descriptor, value });
  };

  const seed = seedOf(addressOf(String(self.location.href)));
  const forMath = generator(seed);
  replace(Math, "random", () => {
    const high = forMath() >>> 5;
    return (high * 67108864 + (forMath() >>> 6)) / 9007199254740992;
  });
  if (!withCrypto || typeof Crypto !== "function") return;
  const forCrypto = generator(imul(seed, 0x9e3779b1) + 1);
  const apply = Reflect.apply;
  replace(Crypto.prototype, "getRandomValues", (given, args, native) => {
    const filled = apply(native, given, args);
    const bytes = new Uint8Array(filled.buffer, filled.byteOffset, filled.byteLength);
    for (let at = 0; at < bytes.length; at += 1) bytes[at] = forCrypto() & 255;
    return filled;
  });
  replace(Crypto.prototype, "randomUUID", () => {
    let digits = "";
    for (let at = 0; at < 32; at += 1) digits += (forCrypto() & 15).toString(16);
    const variant = "89ab"[forCrypto() & 3];
    return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-${variant}${digits.slice(17, 20)}-${digits.slice(20)}`;
  });
})
