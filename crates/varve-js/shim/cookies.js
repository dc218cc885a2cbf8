// Cookies: a jar for each archived origin, in the session's storage. None of them is ever sent.
//
// The server tells with `cookies` what the archived response set; scripts add to it.

const JAR = "__varve_cookies";
const storageGet = methodOf(prototypeOf("Storage"), "getItem");
const storageSet = methodOf(prototypeOf("Storage"), "setItem");
const realSession = getterOf(root, "sessionStorage");
let jarInMemory = "[]";

const jarKey = () => `${JAR} ${archivedOrigin()}`;

/** All cookies of this origin: `{ name, value, path, expires }`, in the order they were set. */
function readJar() {
  try {
    return parseJson(storageGet(realSession(root), jarKey()) || "[]");
  } catch {
    return parseJson(jarInMemory);
  }
}

function writeJar(cookies) {
  jarInMemory = writeJson(cookies);
  try {
    storageSet(realSession(root), jarKey(), jarInMemory);
  } catch {
    // No storage in this frame: the jar lives as long as the document.
  }
}

/** One `Set-Cookie`-like line as a cookie, or `null` where a browser would ignore it. */
function parseCookie(line) {
  const [pair, ...attributes] = split(line, ";");
  const equals = indexOf(pair, "=");
  const name = equals < 0 ? "" : trim(slice(pair, 0, equals));
  const value = trim(slice(pair, equals + 1));
  if (name === "" && value === "") return null;
  const cookie = { name, value, path: defaultPath(), expires: null };
  for (const attribute of attributes) {
    if (!applyCookieAttribute(cookie, attribute)) return null;
  }
  return cookie;
}

/** The directory of the document's path. */
function defaultPath() {
  const path = archivedPart("pathname") || "/";
  return path.slice(0, path.lastIndexOf("/")) || "/";
}

function applyCookieAttribute(cookie, attribute) {
  const [word, ...rest] = split(attribute, "=");
  const value = trim(join(rest, "="));
  switch (lower(trim(word))) {
    case "path":
      if (startsWith(value, "/")) cookie.path = value;
      return true;
    case "expires":
      if (cookie.maxAge === undefined) cookie.expires = expiryOf(value);
      return true;
    case "max-age":
      cookie.maxAge = Number(value);
      if (Number.isFinite(cookie.maxAge)) cookie.expires = archivedNow() + cookie.maxAge * 1000;
      return true;
    case "domain":
      return value === "" || domainCovers(lower(value));
    case "httponly":
      return false;
    default:
      return true;
  }
}

/** The end of a cookie's life; a date that cannot be read is as good as none. */
function expiryOf(date) {
  const time = apply(nativeParse, NativeDate, [date]);
  return Number.isNaN(time) ? null : time;
}

function domainCovers(domain) {
  const bare = startsWith(domain, ".") ? slice(domain, 1) : domain;
  const host = archivedPart("hostname");
  return host === bare || endsWith(host, `.${bare}`);
}

/** Puts a cookie into the jar, in the place of one of the same name and path. */
function keepCookie(cookie) {
  const jar = readJar().filter((other) => other.name !== cookie.name || other.path !== cookie.path);
  const gone = cookie.expires !== null && cookie.expires <= archivedNow();
  if (!gone) jar.push(cookie);
  writeJar(jar);
}

const pathCovers = (path, asked) => asked === path || startsWith(asked, endsWith(path, "/") ? path : `${path}/`);

/** The cookies that this document may read. */
function visibleCookies() {
  const path = archivedPart("pathname") || "/";
  const now = archivedNow();
  return readJar()
    .filter((cookie) => (cookie.expires === null || cookie.expires > now) && pathCovers(cookie.path, path))
    .sort((a, b) => b.path.length - a.path.length);
}

/** What the archived response set: it counts for the whole host. */
function takeCookies(line) {
  for (const pair of line ? split(line, ";") : []) {
    const cookie = parseCookie(`${pair};path=/`);
    if (cookie) keepCookie(cookie);
  }
}

const cookiePair = ({ name, value }) => (name === "" ? value : `${name}=${value}`);

function installCookies() {
  patchAccessor(prototypeOf("Document"), "cookie", {
    get: () => join(visibleCookies().map(cookiePair), "; "),
    set: (self, value) => {
      const cookie = parseCookie(text(value));
      if (cookie) keepCookie(cookie);
    },
  });
  installCookieStore();
}

function installCookieStore() {
  const store = prototypeOf("CookieStore");
  const nameOf = (asked) => (asked && typeof asked === "object" ? asked.name : asked);
  const found = (asked) => {
    const name = nameOf(asked);
    return visibleCookies()
      .filter((cookie) => name === undefined || cookie.name === text(name))
      .map((cookie) => ({ name: cookie.name, value: cookie.value }));
  };
  patchMethod(store, "get", async (self, args) => found(args[0])[0] ?? null);
  patchMethod(store, "getAll", async (self, args) => found(args[0]));
  patchMethod(store, "set", async (self, [first, second]) => {
    const given = typeof first === "object" ? first : { name: first, value: second };
    const { name, value, path, expires } = given;
    keepCookie({ name: text(name), value: text(value), path: path || "/", expires: expires ?? null });
  });
  patchMethod(store, "delete", async (self, [asked]) => {
    keepCookie({ name: text(nameOf(asked)), value: "", path: (asked && asked.path) || "/", expires: 0 });
  });
}
