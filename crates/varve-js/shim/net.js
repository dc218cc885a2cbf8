// Requests by scripts: `fetch`, `XMLHttpRequest`, `EventSource`, beacons. Addresses are mapped on
// the way out and back on the way in; headers that the server renamed have their names again.

const ARCHIVED_HEADER = "x-archive-orig-";

/** A request's address: a `Request` has been mapped when it was made. */
function requestInput(input) {
  return root.Request && input instanceof root.Request ? input : toReplayUrl(input);
}

/** Options that would fail in replay are left out. */
function requestOptions(options) {
  if (!options || typeof options !== "object") return options;
  const kept = { ...options };
  delete kept.integrity;
  if (typeof kept.referrer === "string") kept.referrer = toReplayUrl(kept.referrer);
  return kept;
}

function installFetch() {
  patchArguments(root, "fetch", (args) => {
    if (args.length) args[0] = requestInput(args[0]);
    if (args.length > 1) args[1] = requestOptions(args[1]);
  });
  patchConstructor("Request", (args, target, native) => {
    if (args.length) args[0] = requestInput(args[0]);
    if (args.length > 1) args[1] = requestOptions(args[1]);
    return construct(native, args, target);
  });
  patchReading(prototypeOf("Request"), "url", toArchived);
  patchReading(prototypeOf("Request"), "referrer", toArchived);
  patchReading(prototypeOf("Response"), "url", toArchived);
  patchArguments(root.Response, "redirect", (args) => {
    if (args.length) args[0] = toReplayUrl(args[0]);
  });
  installHeaders();
}

function installHeaders() {
  const headers = prototypeOf("Headers");
  const readValueOf = (self, args, native, missing) => {
    const value = apply(native, self, args);
    if (value !== missing || !args.length) return value;
    return apply(native, self, [ARCHIVED_HEADER + text(args[0])]);
  };
  patchMethod(headers, "get", (self, args, native) => {
    const value = readValueOf(self, args, native, null);
    return value === null ? null : textToArchived(value);
  });
  patchMethod(headers, "has", (self, args, native) => readValueOf(self, args, native, false));
}

const mappedDocuments = newWeakMap();

/** A document that was fetched: its elements may move into the page, so they are mapped. */
function mappedDocument(value) {
  const isDocument = inWindow && typeof value === "object" && value instanceof root.Document;
  if (!isDocument || mappedDocuments.has(value)) return value;
  mappedDocuments.set(value, true);
  mapTree(value);
  return value;
}

function installXhr() {
  const request = prototypeOf("XMLHttpRequest");
  patchArguments(request, "open", (args) => {
    if (args.length > 1) args[1] = toReplayUrl(args[1]);
  });
  patchReading(request, "responseURL", toArchived);
  for (const name of ["response", "responseXML"]) patchReading(request, name, mappedDocument);
  patchMethod(request, "getResponseHeader", (self, args, native) => {
    const value = apply(native, self, args);
    if (value !== null || !args.length) return textToArchived(value);
    return textToArchived(apply(native, self, [ARCHIVED_HEADER + text(args[0])]));
  });
  patchMethod(request, "getAllResponseHeaders", (self, args, native) =>
    textToArchived(replaceAll(apply(native, self, args), /^x-archive-orig-/gim, () => "")),
  );
}

function installEventSource() {
  patchConstructor("EventSource", (args, target, native) => {
    if (args.length) args[0] = toReplayUrl(args[0]);
    return construct(native, args, target);
  });
  patchReading(prototypeOf("EventSource"), "url", toArchived);
}

/** A beacon is accepted and goes nowhere: the archive has nobody to tell. */
function installBeacons() {
  patchMethod(prototypeOf("Navigator"), "sendBeacon", (self, args, native) =>
    args.length ? true : apply(native, self, args),
  );
  patchMethod(root, "fetchLater", () => ({ activated: false }));
}

/** Nobody is there to be connected to. */
function installTransports() {
  patchConstructor("WebTransport", (args, target, native) => {
    const failed = () => NativePromise.reject(new NativeDomException("Connection lost.", "NetworkError"));
    const made = create(target.prototype);
    for (const name of ["ready", "closed", "draining"]) {
      const value = failed();
      then(value, undefined, () => {});
      defineProperty(made, name, { value });
    }
    defineProperty(made, "close", { value: () => {} });
    return made;
  });
}

function installNet() {
  installFetch();
  installXhr();
  installEventSource();
  installBeacons();
  installTransports();
  installPeers();
  installSockets();
}
