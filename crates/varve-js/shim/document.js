// The document's own words about itself, and `document.write`.

const writeNative = methodOf(prototypeOf("Document"), "write");
let held = "";
let heldFor = null;

function installDocumentProperties() {
  const document = prototypeOf("Document");
  for (const name of ["URL", "documentURI"]) {
    patchReading(document, name, (value, self) => (self === root.document ? archivedHref() : toArchived(value)));
  }
  patchReading(prototypeOf("Node"), "baseURI", (value) =>
    value === realStart && archivedStart ? archivedStart : toArchived(value),
  );
  patchReading(document, "referrer", (value) =>
    config.referrer !== undefined ? config.referrer : isReplay(value) ? toArchived(value) : "",
  );
  patchReading(document, "lastModified", (value) => config.lastModified || value);
  installDomain(document);
}

/**
 * `document.domain` may be set to a parent domain. In host layout the archived host is the beginning
 * of the replay host, so the browser can do the same, if the server lets it (`Origin-Agent-Cluster`).
 */
function installDomain(document) {
  let chosen = null;
  const host = () => execute(/^https?:\/\/(\[[^\]]*\]|[^:/]*)/, archivedOrigin())?.[1] ?? "";
  patchAccessor(document, "domain", {
    get: () => chosen ?? host(),
    set: (self, value, native) => {
      const wished = lower(text(value));
      if (wished === "" || (wished !== host() && !endsWith(host(), `.${wished}`))) {
        throw new NativeDomException(`'${wished}' is not a suffix of '${host()}'.`, "SecurityError");
      }
      attempt("domain", () => {
        const replay = execute(/^https?:\/\/([^/:]*)/, replayOrigin)[1];
        const allowed = root.originAgentCluster === false && startsWith(replay, `${host()}.`);
        if (allowed) apply(native, self, [wished + slice(replay, host().length)]);
      });
      chosen = wished;
    },
  });
}

const COMMENT = "<!--[^]*?(?:-->|$)";
const REST_OF_TAG = `(?:[^>"']|"[^"]*"|'[^']*')*>`;
const HTML_PIECE = `${COMMENT}|<(script|style|textarea|title)\\b${REST_OF_TAG}|</?[a-z]${REST_OF_TAG}|<[!?/][^>]*>|<[!?/a-z]?`;

/** Where written HTML stops being whole: inside a tag, or inside a script or style. */
function wholeLength(html) {
  const pieces = new RegExp(HTML_PIECE, "gi");
  for (let match; (match = execute(pieces, html)) !== null; ) {
    const end = match.index + match[0].length;
    if (match[1]) {
      const close = execute(new RegExp(`</${match[1]}[\\s>/]`, "i"), slice(html, end));
      if (!close) return match.index;
      pieces.lastIndex = end + close.index;
    } else if (!endsWith(match[0], ">") && isUnfinished(html, match.index)) {
      return match.index;
    }
  }
  return html.length;
}

/** Whether a `<` that begins no whole tag may still become one. */
const isUnfinished = (html, at) => matches(/^<(?:$|[!?\/a-z])/i, slice(html, at, at + 2));

/** Writes what is whole and keeps the rest for the next call, as the browser's parser would. */
function writeHtml(self, parts, native, newline) {
  if (heldFor !== self) held = "";
  heldFor = self;
  const html = held + join(parts.map(text), "") + newline;
  const whole = wholeLength(html);
  held = slice(html, whole);
  const ready = slice(html, 0, whole);
  return apply(native, self, [htmlMatters(ready) ? rewritten("html", ready) : ready]);
}

/** What was never finished reaches the parser when the document ends. */
function flushHeld(self) {
  const rest = heldFor === self ? held : "";
  held = "";
  if (rest !== "") writeNative(self, htmlMatters(rest) ? rewritten("html", rest) : rest);
}

function installWriting() {
  const document = prototypeOf("Document");
  patchMethod(document, "write", (self, args, native) => writeHtml(self, args, native, ""));
  patchMethod(document, "writeln", (self, args, native) => writeHtml(self, args, native, "\n"));
  patchMethod(document, "close", (self, args, native) => {
    flushHeld(self);
    return apply(native, self, args);
  });
  patchMethod(document, "open", (self, args, native) => {
    if (args.length > 2) return root.open(...args);
    held = "";
    const result = apply(native, self, args);
    if (self === root.document) installDocument();
    return result;
  });
}

/** Editing commands whose value is HTML or an address. */
function installCommands() {
  patchArguments(prototypeOf("Document"), "execCommand", (args) => {
    const command = lower(text(args[0]));
    if (command === "inserthtml") args[2] = htmlToReplay(args[2] ?? "", null);
    if (command === "createlink" || command === "insertimage") args[2] = toReplayUrl(args[2] ?? "");
  });
}

/** What belongs to the document object itself; done again when the window gets another one. */
function installDocument() {
  const { document } = root;
  addListener(document, "load", ({ target }) => installInFrame(target), true);
  addListener(document, "DOMContentLoaded", () => {
    flushHeld(document);
    announce();
  });
  addListener(root, "load", announce);
  addListener(root, "message", hideViewerMessage, true);
  addListener(root, "message", followLead, true);
}

function installDocuments() {
  if (!inWindow) return;
  installDocumentProperties();
  installWriting();
  installCookies();
  installDocument();
  takeCookies(config.cookies);
  installCommands();
}
