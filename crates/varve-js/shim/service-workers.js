// Service workers, make-believe. A real one would control our origins, so none is ever registered.
// But pages wait for theirs, or complain that they get none. So registering goes as it went: the
// script must be in the archive, and its states follow each other. It never runs. What it answered
// by itself at capture is in the archive, like everything else.

/** registration or worker -> its state. */
const serviceParts = newWeakMap();
/** container -> its registrations by scope, and who controls the page. */
const serviceContainers = newWeakMap();
/** What a script says that takes over pages which are open already. */
const CLAIMS = /\bclients\s*\.\s*claim\s*\(|\bclientsClaim\b/;

function serviceContainer(self) {
  const known = serviceContainers.get(self);
  if (known) return known;
  const made = { self, byScope: newMap(), all: [], controller: null };
  made.ready = new NativePromise((resolve) => (made.isReady = resolve));
  serviceContainers.set(self, made);
  if (isLoadedAgain()) addEarlierWorker(made);
  return made;
}

/** Whether the page has led to itself. */
function isLoadedAgain() {
  const isReload = root.performance.getEntriesByType("navigation")[0]?.type === "reload";
  return isReload || withoutHash(config.referrer || "") === withoutHash(archivedHref());
}

/**
 * A page that loads itself again because nobody controlled it is controlled then. Which worker
 * that is, it says when it registers.
 */
function addEarlierWorker(container) {
  const scope = `${archivedOrigin()}/`;
  const worker = makeServicePart("ServiceWorker", { script: scope, state: "activated" });
  const registration = makeServicePart("ServiceWorkerRegistration", { scope, script: null, active: worker });
  container.byScope.set(scope, registration);
  push(container.all, registration);
  container.controller = worker;
  container.isReady(registration);
}

/** The registration for this script, if there is one. */
function knownRegistration(container, { script, scope }) {
  const known = container.byScope.get(scope);
  const state = known && serviceParts.get(known);
  if (state && state.script === null) {
    state.script = script;
    serviceParts.get(state.active).script = script;
  }
  return state && state.script === script ? known : null;
}

function makeServicePart(name, state) {
  const made = setPrototypeOf(new root.EventTarget(), prototypeOf(name));
  serviceParts.set(made, { ...state, handlers: create(null) });
  return made;
}

/** The addresses of a worker as the browser would understand them; `TypeError` where it would. */
function serviceAddresses(url, options) {
  const script = new NativeURL(text(url), archivedBase());
  const given = options && options.scope;
  const scope = given === undefined || given === null ? new NativeURL("./", script) : new NativeURL(text(given), archivedBase());
  script.hash = scope.hash = "";
  for (const { origin } of [script, scope]) {
    if (origin !== archivedOrigin()) {
      const reason = `Failed to register a ServiceWorker: The origin of the provided URL ('${origin}') does not match the current origin ('${archivedOrigin()}').`;
      throw new NativeDomException(reason, "SecurityError");
    }
  }
  return { script: script.href, scope: scope.href };
}

/** The text of a worker's script, if the archive has it. */
async function serviceScript({ script, scope }) {
  const answer = await nativeFetch(toReplayUrl(script, "js_"));
  const about = `Failed to register a ServiceWorker for scope ('${scope}') with script ('${script}')`;
  if (!answer.ok) {
    throw new TypeError(`${about}: A bad HTTP response code (${answer.status}) was received when fetching the script.`);
  }
  const type = answer.headers.get("Content-Type") || "";
  if (matches(/\/(?:x-)?(?:java|ecma|live|j)script/i, type)) return answer.text();
  throw new NativeDomException(`${about}: The script has an unsupported MIME type ('${type}').`, "SecurityError");
}

async function registerServiceWorker(container, url, options) {
  const addresses = serviceAddresses(url, options);
  const code = await serviceScript(addresses);
  const known = knownRegistration(container, addresses);
  if (known) return known;
  const registration = makeServicePart("ServiceWorkerRegistration", addresses);
  const worker = makeServicePart("ServiceWorker", { script: addresses.script, state: "installing" });
  serviceParts.get(registration).installing = worker;
  container.byScope.set(addresses.scope, registration);
  push(container.all, registration);
  nativeSetTimeout(() => bringUp(container, registration, worker, matches(CLAIMS, code)), 0);
  return registration;
}

/** Leads a worker through its states. */
function bringUp(container, registration, worker, claims) {
  const place = serviceParts.get(registration);
  const become = (state, from, to) => {
    if (from) [place[from], place[to]] = [null, worker];
    serviceParts.get(worker).state = state;
    dispatch(worker, new root.Event("statechange"));
  };
  dispatch(registration, new root.Event("updatefound"));
  become("installed", "installing", "waiting");
  become("activating", "waiting", "active");
  if (startsWith(archivedHref(), place.scope)) {
    container.isReady(registration);
    if (claims) takeControl(container, worker);
  }
  become("activated");
}

/** Pages that load anew when somebody takes control had somebody from the start when they did. */
function takeControl(container, worker) {
  const isNew = container.controller === null;
  container.controller = worker;
  if (isNew) dispatch(container.self, new root.Event("controllerchange"));
}

/** The registration with the longest scope that an address is in. */
function registrationFor(container, url) {
  const href = url === undefined ? archivedHref() : new NativeURL(text(url), archivedBase()).href;
  let best;
  for (const registration of container.all) {
    const { scope } = serviceParts.get(registration);
    if (startsWith(href, scope) && !(best && serviceParts.get(best).scope.length > scope.length)) best = registration;
  }
  return best;
}

function unregisterServiceWorker(registration) {
  const container = serviceContainer(root.navigator.serviceWorker);
  const at = container.all.indexOf(registration);
  if (at < 0) return false;
  container.all.splice(at, 1);
  container.byScope.delete(serviceParts.get(registration).scope);
  return true;
}

function installServiceContainer() {
  const prototype = prototypeOf("ServiceWorkerContainer");
  patchMethod(prototype, "register", async (self, [url, options]) =>
    registerServiceWorker(serviceContainer(self), url, options),
  );
  patchMethod(prototype, "getRegistration", async (self, [url]) => registrationFor(serviceContainer(self), url));
  patchMethod(prototype, "getRegistrations", async (self) => [...serviceContainer(self).all]);
  patchMethod(prototype, "startMessages", () => undefined);
  patchAccessor(prototype, "controller", { get: (self) => serviceContainer(self).controller });
  patchAccessor(prototype, "ready", { get: (self) => serviceContainer(self).ready });
}

/** What leads on from a registration: nobody is asked for anything, and nothing is sent. */
function installServiceRegistration() {
  const prototype = prototypeOf("ServiceWorkerRegistration");
  if (!prototype) return;
  for (const name of ["navigationPreload", "sync", "periodicSync", "backgroundFetch", "index", "paymentManager", "cookies"]) {
    patchAccessor(prototype, name, { get: () => undefined });
  }
  for (const name of ["installing", "waiting", "active"]) {
    patchAccessor(prototype, name, { get: (self) => serviceParts.get(self)?.[name] ?? null });
  }
  patchAccessor(prototype, "scope", { get: (self) => serviceParts.get(self)?.scope });
  patchAccessor(prototype, "updateViaCache", { get: () => "imports" });
  patchAccessor(prototype, "pushManager", { get: () => noPushes });
  patchMethod(prototype, "update", async (self) => self);
  patchMethod(prototype, "unregister", async (self) => unregisterServiceWorker(self));
  patchMethod(prototype, "getNotifications", async () => []);
  patchMethod(prototype, "showNotification", async () => {
    throw new TypeError("No notification permission has been granted for this origin.");
  });
  patchHandlers(prototype, ["updatefound"], serviceParts);
}

const noPushes = {
  getSubscription: async () => null,
  permissionState: async () => "denied",
  subscribe: async () => {
    throw new NativeDomException("Registration failed - permission denied", "NotAllowedError");
  },
};

function installServiceWorkers() {
  if (!prototypeOf("ServiceWorkerContainer")) return;
  installServiceContainer();
  installServiceRegistration();
  const prototype = prototypeOf("ServiceWorker");
  patchAccessor(prototype, "scriptURL", { get: (self) => serviceParts.get(self)?.script });
  patchAccessor(prototype, "state", { get: (self) => serviceParts.get(self)?.state });
  patchMethod(prototype, "postMessage", () => undefined);
  patchHandlers(prototype, ["statechange", "error"], serviceParts);
}
