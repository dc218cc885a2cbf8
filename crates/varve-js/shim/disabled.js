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

function installRefusals() {
  const navigator = prototypeOf("Navigator");
  for (const name of ["registerProtocolHandler", "unregisterProtocolHandler", "clearAppBadge", "setAppBadge"]) {
    patchMethod(navigator, name, (self, args, native) => (name.endsWith("Badge") ? NativePromise.resolve() : undefined));
  }
  for (const name of ["share", "requestMIDIAccess", "requestMediaKeySystemAccess", "joinAdInterestGroup", "runAdAuction"]) {
    patchMethod(navigator, name, () => NativePromise.reject(refused("Permission denied.")));
  }
  patchMethod(navigator, "getInstalledRelatedApps", () => NativePromise.resolve([]));
  for (const name of ["getUserMedia", "getDisplayMedia"]) {
    patchMethod(prototypeOf("MediaDevices"), name, () => NativePromise.reject(refused("Permission denied")));
  }
  const requests = prototypeOf("PresentationRequest");
  for (const name of ["start", "reconnect", "getAvailability"]) {
    patchMethod(requests, name, () => NativePromise.reject(new NativeDomException("No screens found.", "NotFoundError")));
  }
  for (const name of ["PushManager", "SyncManager", "PeriodicSyncManager", "BackgroundFetchManager"]) {
    for (const method of ["subscribe", "register", "fetch"]) {
      patchMethod(prototypeOf(name), method, () => NativePromise.reject(refused("Registration failed - permission denied")));
    }
  }
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
