// `WebSocket` without a network: the messages recorded at capture are played again, or, where there
// are none, the connection fails as it does when the server is down.

const CONNECTING = 0;
const OPEN = 1;
const CLOSING = 2;
const CLOSED = 3;

/** socket -> its state. */
const sockets = newWeakMap();
const SocketEvent = root.Event;
const SocketMessage = root.MessageEvent;
const SocketClose = root.CloseEvent;

/** The address as the native constructor would normalise it; a bad one is a SyntaxError. */
function socketUrl(given) {
  let url;
  try {
    url = new NativeURL(text(given), archivedBase());
  } catch {
    throw new NativeDomException(`The URL '${given}' is invalid.`, "SyntaxError");
  }
  if (url.protocol === "http:") url.protocol = "ws:";
  if (url.protocol === "https:") url.protocol = "wss:";
  if (url.protocol !== "ws:" && url.protocol !== "wss:") {
    const reason = `The URL's scheme must be 'ws' or 'wss'. '${url.protocol}' is not allowed.`;
    throw new NativeDomException(reason, "SyntaxError");
  }
  return url.href;
}

/** What the page offers to speak must be words, each once. */
function checkProtocols(given) {
  if (given === undefined) return;
  const isList = given !== null && typeof given === "object" && typeof given[Symbol.iterator] === "function";
  const seen = create(null);
  for (const word of isList ? [...given] : [given]) {
    const name = text(word);
    if (!/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name)) {
      throw new NativeDomException(`The subprotocol '${name}' is invalid.`, "SyntaxError");
    }
    if (seen[lower(name)]) {
      throw new NativeDomException(`The subprotocol '${name}' is duplicated.`, "SyntaxError");
    }
    seen[lower(name)] = true;
  }
}

/** A socket: an event target with the prototype of `WebSocket`. */
function makeSocket(args, target) {
  const url = socketUrl(args[0]);
  checkProtocols(args[1]);
  const made = construct(root.EventTarget, [], target);
  const state = { url, readyState: CONNECTING, protocol: "", binaryType: "blob", sent: 0, coming: [] };
  state.handlers = create(null);
  sockets.set(made, state);
  connect(made, state);
  return made;
}

/** Looks for recorded messages; the answer is
 * `{protocol, messages: [{at, sent, text | base64 | code}]}`: when each came, and after how many of the
 * page's own. */
async function connect(socket, state) {
  try {
    const url = `${replayOrigin}/__varve/ws?time=${config.time}&url=${encodeURIComponent(state.url)}`;
    const answer = await nativeFetch(url);
    if (!answer.ok) throw new Error("nothing recorded");
    play(socket, state, await answer.json());
  } catch {
    nativeSetTimeout(() => closeSocket(socket, state, 1006, "", false), 0);
  }
}

function play(socket, state, recorded) {
  if (state.readyState !== CONNECTING) return;
  state.readyState = OPEN;
  state.protocol = recorded.protocol || "";
  fire(socket, state, new SocketEvent("open"));
  state.coming = recorded.messages || [];
  state.opened = monotonic();
  playNext(socket, state);
}

/** What was heard in answer to the page waits for the page to speak, but not for ever. */
const LONGEST_WAIT = 3000;

/** Plays the next message in its time; called again whenever the page has sent something. */
function playNext(socket, state) {
  if (state.readyState !== OPEN || state.timer || !state.coming.length) return;
  const [message] = state.coming;
  const answered = state.sent >= (message.sent || 0);
  const due = (message.at || 0) + (answered ? 0 : LONGEST_WAIT) - (monotonic() - state.opened);
  state.timer = nativeSetTimeout(() => {
    state.timer = null;
    if (state.readyState !== OPEN) return;
    state.coming.shift();
    receive(socket, state, message);
    playNext(socket, state);
  }, due > 0 ? due : 0);
}

function receive(socket, state, message) {
  if (message.code) return closeSocket(socket, state, message.code, message.text || "", true);
  const origin = new NativeURL(state.url).origin;
  fire(socket, state, new SocketMessage("message", { data: messageData(state, message), origin }));
}

/** The page has said something: what waits for that may come now. */
function noteSent(socket, state) {
  state.sent += 1;
  nativeClearTimeout(state.timer);
  state.timer = null;
  playNext(socket, state);
}

function messageData(state, message) {
  if (typeof message.text === "string") return message.text;
  const bytes = Uint8Array.from(root.atob(message.base64 || ""), (sign) => sign.charCodeAt(0));
  return state.binaryType === "arraybuffer" ? bytes.buffer : new NativeBlob([bytes]);
}

function closeSocket(socket, state, code, reason, wasClean) {
  if (state.readyState === CLOSED) return;
  state.readyState = CLOSED;
  if (!wasClean) fire(socket, state, new SocketEvent("error"));
  fire(socket, state, new SocketClose("close", { code, reason, wasClean }));
}

const fire = (socket, state, event) => dispatch(socket, event);

function installSockets() {
  const prototype = prototypeOf("WebSocket");
  if (!prototype) return;
  patchConstructor("WebSocket", (args, target, native) =>
    args.length ? makeSocket(args, target) : construct(native, args),
  );
  for (const name of ["url", "readyState", "protocol"]) {
    patchAccessor(prototype, name, { get: (self) => sockets.get(self)?.[name] });
  }
  patchAccessor(prototype, "bufferedAmount", { get: () => 0 });
  patchAccessor(prototype, "extensions", { get: () => "" });
  patchAccessor(prototype, "binaryType", {
    get: (self) => sockets.get(self)?.binaryType,
    set: (self, value) => {
      const state = sockets.get(self);
      if (state && (value === "blob" || value === "arraybuffer")) state.binaryType = value;
    },
  });
  patchMethod(prototype, "send", (self) => {
    const state = sockets.get(self);
    if (state?.readyState === CONNECTING) {
      throw new NativeDomException("Still in CONNECTING state.", "InvalidStateError");
    }
    if (state) noteSent(self, state);
  });
  patchMethod(prototype, "close", (self, [code = 1005, reason = ""]) => {
    const state = sockets.get(self);
    if (!state || state.readyState >= CLOSING) return;
    const clean = state.readyState === OPEN;
    state.readyState = CLOSING;
    nativeSetTimeout(() => closeSocket(self, state, clean ? code : 1006, clean ? text(reason) : "", clean), 0);
  });
  patchHandlers(prototype, ["open", "message", "error", "close"], sockets);
}
