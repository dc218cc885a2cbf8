// What makes no sense in an archive answers as if the user had said no.

const refused = (message) => new NativeDomException(message, "NotAllowedError");

function installNotifications() {
  patchAccessor(root.Notification, "permission", { get: () => "denied" });
  patchMethod(root.Notification, "requestPermission", (self, [callback]) => {
    if (typeof callback === "function") callback("denied");
    return NativePromise.resolve("denied");
  });
}

/** Positions are refused, later, as a browser would. */
function installGeolocation() {
  const geolocation = prototypeOf("Geolocation");
  const denied = () => {
    const error = create(prototypeOf("GeolocationPositionError") || Object.prototype);
    defineProperty(error, "code", { value: 1, enumerable: true });
    defineProperty(error, "message", { value: "User denied Geolocation", enumerable: true });
    return error;
  };
  const refuse = ([, failed]) => {
    if (typeof failed === "function") nativeSetTimeout(() => failed(denied()), 0);
  };
  patchMethod(geolocation, "getCurrentPosition", (self, args) => refuse(args));
  patchMethod(geolocation, "watchPosition", (self, args) => {
    refuse(args);
    return 1;
  });
}

/** interface -> methods that are refused. */
const REFUSED = {
  Navigator: ["share", "requestMIDIAccess", "requestMediaKeySystemAccess", "joinAdInterestGroup", "runAdAuction"],
  MediaDevices: ["getUserMedia", "getDisplayMedia"],
  PresentationRequest: ["start", "reconnect", "getAvailability"],
  PushManager: ["subscribe"],
  SyncManager: ["register"],
  PeriodicSyncManager: ["register"],
  BackgroundFetchManager: ["fetch"],
  SharedStorage: ["createWorklet", "run", "selectURL"],
  SharedStorageWorklet: ["addModule", "run", "selectURL"],
};

function installRefusals() {
  for (const [name, methods] of Object.entries(REFUSED)) {
    for (const method of methods) {
      patchMethod(prototypeOf(name), method, () => NativePromise.reject(refused("Permission denied.")));
    }
  }
  const navigator = prototypeOf("Navigator");
  for (const name of ["registerProtocolHandler", "unregisterProtocolHandler"]) {
    patchMethod(navigator, name, () => undefined);
  }
  for (const name of ["setAppBadge", "clearAppBadge"]) {
    patchMethod(navigator, name, () => NativePromise.resolve());
  }
  patchMethod(navigator, "getInstalledRelatedApps", () => NativePromise.resolve([]));
  patchMethod(prototypeOf("CredentialsContainer"), "get", () => NativePromise.resolve(null));
}

/** Attribution and speculation would tell others about the reader. */
function installSpeculation() {
  patchMethod(prototypeOf("HTMLScriptElement") && root.HTMLScriptElement, "supports", (self, args, native) =>
    args[0] === "speculationrules" ? false : apply(native, self, args),
  );
  patchMethod(prototypeOf("XMLHttpRequest"), "setAttributionReporting", () => undefined);
}

function installDisabled() {
  attempt("notifications", () => root.Notification && installNotifications());
  attempt("geolocation", installGeolocation);
  attempt("refusals", installRefusals);
  attempt("speculation", installSpeculation);
}
