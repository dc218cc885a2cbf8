// Connections to peers, with nobody at the other end. No native one is made: it would be stopped by
// the archive's walls, and what browsers do then ranges from complaining to hanging.

/** connection or channel -> its state. */
const peers = newWeakMap();
const NO_MEDIA = "v=0\r\no=- 0 2 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\n";
const PEER_EVENTS = [
  "negotiationneeded", "icecandidate", "icecandidateerror", "signalingstatechange", "iceconnectionstatechange",
  "connectionstatechange", "icegatheringstatechange", "track", "datachannel", "addstream", "removestream",
];
const CHANNEL_EVENTS = ["open", "message", "error", "close", "closing", "bufferedamountlow"];

const withoutServers = (given) => ({ ...(given || {}), iceServers: [], iceTransportPolicy: "relay" });

function makePeer(args, target) {
  const made = construct(root.EventTarget, [], target);
  peers.set(made, {
    handlers: create(null), configuration: withoutServers(args[0]), local: null, remote: null,
    signaling: "stable", gathering: "new", connection: "new",
  });
  return made;
}

function makeChannel(label) {
  const made = setPrototypeOf(new root.EventTarget(), prototypeOf("RTCDataChannel"));
  peers.set(made, { handlers: create(null), label: text(label), readyState: "connecting", binaryType: "arraybuffer" });
  return made;
}

/** Promises, or callbacks where a page still has these. */
function answerPeer(args, value) {
  const answer = NativePromise.resolve(value);
  if (typeof args[0] === "function") then(answer, args[0]);
  return answer;
}

const description = (type) => new root.RTCSessionDescription({ type, sdp: NO_MEDIA });

/** What one side has said; of addresses to be reached at there are none. */
function describePeer(self, which, given) {
  const state = peers.get(self);
  if (!state || state.signaling === "closed") return;
  state[which] = given || description("offer");
  const isOffer = state[which].type === "offer";
  state.signaling = isOffer ? `have-${which}-offer` : "stable";
  if (which === "remote") return;
  state.gathering = "complete";
  nativeSetTimeout(() => {
    dispatch(self, new root.Event("icegatheringstatechange"));
    dispatch(self, new root.RTCPeerConnectionIceEvent("icecandidate", { candidate: null }));
  }, 0);
}

function makeTransceiver() {
  const nothing = { track: null, transport: null, getStats: async () => newMap(), replaceTrack: async () => undefined };
  return { mid: null, direction: "inactive", currentDirection: null, sender: nothing, receiver: nothing, stop() {} };
}

function installPeerMethods(prototype) {
  patchMethod(prototype, "createOffer", (self, args) => answerPeer(args, description("offer")));
  patchMethod(prototype, "createAnswer", (self, args) => answerPeer(args, description("answer")));
  for (const [name, which] of [["setLocalDescription", "local"], ["setRemoteDescription", "remote"]]) {
    patchMethod(prototype, name, async (self, [given]) => describePeer(self, which, given));
  }
  patchMethod(prototype, "addIceCandidate", async () => undefined);
  patchMethod(prototype, "getStats", async () => newMap());
  patchMethod(prototype, "createDataChannel", (self, [label]) => makeChannel(label));
  patchMethod(prototype, "addTransceiver", makeTransceiver);
  patchMethod(prototype, "addTrack", () => makeTransceiver().sender);
  for (const name of ["getSenders", "getReceivers", "getTransceivers", "getLocalStreams", "getRemoteStreams"]) {
    patchMethod(prototype, name, () => []);
  }
  for (const name of ["restartIce", "removeTrack", "addStream", "removeStream"]) patchMethod(prototype, name, () => undefined);
  patchMethod(prototype, "getConfiguration", (self) => ({ ...peers.get(self)?.configuration }));
  patchMethod(prototype, "setConfiguration", (self, [given]) => {
    const state = peers.get(self);
    if (state) state.configuration = withoutServers(given);
  });
  patchMethod(prototype, "close", (self) => {
    const state = peers.get(self);
    if (state) state.signaling = state.connection = "closed";
  });
}

function installPeerState(prototype) {
  const reading = {
    signalingState: "signaling", iceGatheringState: "gathering", iceConnectionState: "connection", connectionState: "connection",
    localDescription: "local", currentLocalDescription: "local", pendingLocalDescription: "local",
    remoteDescription: "remote", currentRemoteDescription: "remote", pendingRemoteDescription: "remote",
  };
  for (const [name, key] of Object.entries(reading)) {
    patchAccessor(prototype, name, { get: (self) => peers.get(self)?.[key] ?? null });
  }
  for (const name of ["canTrickleIceCandidates", "sctp"]) patchAccessor(prototype, name, { get: () => null });
  patchHandlers(prototype, PEER_EVENTS, peers);
}

function installChannels() {
  const prototype = prototypeOf("RTCDataChannel");
  if (!prototype) return;
  const fixed = { bufferedAmount: 0, id: null, maxPacketLifeTime: null, maxRetransmits: null, negotiated: false, ordered: true, protocol: "", reliable: true };
  for (const [name, value] of Object.entries(fixed)) patchAccessor(prototype, name, { get: () => value });
  for (const name of ["label", "readyState"]) patchAccessor(prototype, name, { get: (self) => peers.get(self)?.[name] });
  for (const name of ["binaryType", "bufferedAmountLowThreshold"]) {
    patchAccessor(prototype, name, {
      get: (self) => peers.get(self)?.[name] ?? 0,
      set: (self, value) => peers.has(self) && (peers.get(self)[name] = value),
    });
  }
  patchMethod(prototype, "send", () => {
    throw new NativeDomException("RTCDataChannel.readyState is not 'open'", "InvalidStateError");
  });
  patchMethod(prototype, "close", (self) => peers.has(self) && (peers.get(self).readyState = "closed"));
  patchHandlers(prototype, CHANNEL_EVENTS, peers);
}

function installPeers() {
  const prototype = prototypeOf("RTCPeerConnection");
  if (!prototype) return;
  for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection"]) {
    patchConstructor(name, (args, target) => makePeer(args, target));
  }
  installPeerMethods(prototype);
  installPeerState(prototype);
  installChannels();
}
