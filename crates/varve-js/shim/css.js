// Style sheets and declarations: URLs in CSS text are mapped on the way in and back on the way out.

/** The pieces of CSS text that matter: comments and strings to skip, functions and at-rules to follow. */
const CSS_PIECE =
  /\/\*[^]*?(?:\*\/|$)|"(?:[^"\\\n]|\\[^])*"?|'(?:[^'\\\n]|\\[^])*'?|@(?:[\w-]|\\[^])+|(?:[\w-]|\\[^])+\(|[(){};,]/g;
const CSS_INTEREST = /url|src|import|image-set|\\/i;
const UNQUOTED_URL = /^[\t\n\r\f ]*((?:[^"'()\\\t\n\r\f ]|\\[^])*)[\t\n\r\f ]*\)/;

/** CSS text with its URLs mapped to replay, and decided where it asks for the device. */
function cssToReplay(given, base = archivedBase) {
  const source = decidedSheet(text(given));
  if (!matches(CSS_INTEREST, source)) return source;
  const stack = [];
  let result = "";
  let from = 0;
  let importing = false;
  let naming = false;
  const put = (start, end, value) => {
    result += slice(source, from, start) + value;
    from = end;
  };
  CSS_PIECE.lastIndex = 0;
  const pieces = new RegExp(CSS_PIECE.source, "g");
  for (let match; (match = execute(pieces, source)) !== null; ) {
    const [piece] = match;
    const end = match.index + piece.length;
    if (startsWith(piece, "/*")) continue;
    if (piece[0] === '"' || piece[0] === "'") {
      if (importing || (!naming && takesUrl(stack[stack.length - 1]))) put(match.index, end, mapCssString(piece, base));
      importing = false;
    } else if (piece[0] === "@") {
      const rule = lower(unescapeCss(piece));
      importing = rule === "@import";
      naming = rule === "@namespace";
    } else if (piece.length > 1) {
      const name = lower(unescapeCss(slice(piece, 0, -1)));
      const bare = name === "url" && !naming ? execute(UNQUOTED_URL, slice(source, end)) : null;
      if (bare) {
        put(end, end + bare[0].length, `${bareCssUrl(toReplayUrl(unescapeCss(bare[1]), "oe_", base), bare[1])})`);
        pieces.lastIndex = end + bare[0].length;
        importing = false;
      } else push(stack, name);
    } else if (piece === "(") push(stack, "");
    else if (piece === ")") stack.pop();
    else if (piece !== ",") importing = naming = false;
  }
  return result + slice(source, from);
}

const takesUrl = (name) => name === "url" || name === "src" || name === "image-set" || name === "-webkit-image-set";

/** A quoted URL, mapped; the quotes and an unchanged text stay as they are. */
function mapCssString(piece, base) {
  const quote = piece[0];
  const inner = slice(piece, 1, endsWith(piece, quote) && piece.length > 1 ? -1 : undefined);
  const plain = unescapeCss(inner);
  const mapped = toReplayUrl(plain, "oe_", base);
  return mapped === plain ? piece : cssString(mapped, quote);
}

/** A URL as CSS string. */
function cssString(mapped, quote) {
  return quote + replaceAll(mapped, /["'\\\n]/g, ([sign]) => (sign === "\n" ? "\\a " : `\\${sign}`)) + quote;
}

/** A URL without quotes, as it was spelled where nothing changed; quoted only if it has to be. */
function bareCssUrl(mapped, spelled) {
  if (mapped === unescapeCss(spelled)) return spelled;
  return matches(/["'()\\\s]/, mapped) ? cssString(mapped, '"') : mapped;
}

function unescapeCss(spelled) {
  return replaceAll(spelled, /\\(?:([0-9a-f]{1,6})[\t\n\r\f ]?|(\r\n|[\n\r\f])|([^]))/gi, (match) => {
    if (match[2]) return "";
    const code = match[1] ? parseInt(match[1], 16) : 0;
    return match[1] ? (code > 0 && code < 0x110000 ? String.fromCodePoint(code) : "\ufffd") : match[3];
  });
}

const nativeDeclarations = newWeakMap();
const declarationViews = newWeakMap();

/** A declaration block whose URL-bearing properties are mapped, where they cannot be patched. */
function declarationView(native) {
  if (native === null || typeof native !== "object" || nativeDeclarations.has(native)) return native;
  let made = declarationViews.get(native);
  if (made) return made;
  made = new NativeProxy(native, {
    get: (target, name) => textToArchived(target[name]),
    set: (target, name, value) => {
      target[name] = typeof value === "string" ? cssToReplay(value) : value;
      return true;
    },
  });
  declarationViews.set(native, made);
  nativeDeclarations.set(made, native);
  return made;
}

const nativeDeclaration = (seen) => nativeDeclarations.get(seen) || seen;

/** Methods and accessors of declarations, on whichever object they are called. */
function installDeclarations(prototype) {
  const toArgument = { setProperty: 1 };
  for (const name of getOwnPropertyNames(prototype || {})) {
    const descriptor = getOwnPropertyDescriptor(prototype, name);
    if (name === "constructor") continue;
    if (descriptor.get) {
      patchAccessor(prototype, name, {
        get: (self, native) => textToArchived(apply(native, nativeDeclaration(self), [])),
        set: (self, value, native) =>
          apply(native, nativeDeclaration(self), [typeof value === "string" ? cssToReplay(value) : value]),
      });
    } else {
      patchMethod(prototype, name, (self, args, native) => {
        const at = toArgument[name];
        if (at && args.length > at) args[at] = cssToReplay(args[at] ?? "");
        return textToArchived(apply(native, nativeDeclaration(self), args));
      });
    }
  }
}

/** Where the properties are the instance's own (no accessors to patch), `style` gives a view. */
function installStyleViews() {
  const declarations = prototypeOf("CSSStyleDeclaration");
  const shown = prototypeOf("CSSStyleProperties") || prototypeOf("CSS2Properties");
  if (!declarations || findProperty(shown || declarations, "backgroundImage")) return;
  const rules = ["CSSStyleRule", "CSSPageRule", "CSSFontFaceRule", "CSSKeyframeRule"];
  for (const name of ["HTMLElement", "SVGElement", "MathMLElement", ...rules]) {
    patchAccessor(prototypeOf(name), "style", {
      get: (self, native) => declarationView(apply(native, self, [])),
      set: (self, value, native) => apply(native, self, [cssToReplay(value)]),
    });
  }
  patchMethod(root, "getComputedStyle", (self, args, native) => declarationView(apply(native, self, args)));
}
