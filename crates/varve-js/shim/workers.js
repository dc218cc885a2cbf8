// Workers and worklets. Scripts from the server come with the worker's shim; those
// of blobs and data URLs are given it here.

/** The code of a blob worker with the shim in front, whose address carries the configuration. */
function workerCode(code, kind, url) {
  const given = writeJson(configFor(blobToArchived(url, archivedOrigin()), archivedBase()));
  const version = config.version ? `${config.version}&` : "?";
  const shim = writeJson(`${replayOrigin}/__varve/worker.js${version}config=${encodeURIComponent(given)}`);
  if (kind === "module") return `import ${shim};${rewrittenCode("module", code)}`;
  return `importScripts(${shim});${rewrittenCode("script", code)}`;
}

/** What a worker should be started from. */
function workerUrl(given, options) {
  const kind = options && typeof options === "object" && options.type === "module" ? "module" : "classic";
  const value = text(given);
  if (!matches(/^(?:blob|data):/i, value)) return toReplayUrl(value, "wkr_");
  return rewrittenBlob(value, `worker ${kind}`, (code) => workerCode(code, kind, value));
}

function installWorkerConstructors() {
  for (const name of ["Worker", "SharedWorker"]) {
    patchConstructor(name, (args, target, native) => {
      if (args.length) args[0] = workerUrl(args[0], args[1]);
      if (name === "SharedWorker") args[1] = sharedWorkerOptions(args[1]);
      return construct(native, args, target);
    });
  }
}

/** In path layout a shared worker's name is told apart by archived origin. */
function sharedWorkerOptions(options) {
  if (config.layout !== "path") return options;
  const given = typeof options === "object" && options !== null ? options : { name: options };
  return { ...given, name: storagePrefix() + (given.name ?? "") };
}

function installImports() {
  patchArguments(root, "importScripts", (args) => {
    for (let at = 0; at < args.length; at += 1) {
      const value = text(args[at]);
      const isData = matches(/^(?:blob|data):/i, value);
      args[at] = isData ? rewrittenBlob(value, "script") : toReplayUrl(value, "js_");
    }
  });
  patchArguments(prototypeOf("Worklet"), "addModule", (args) => {
    if (args.length) args[0] = toReplayUrl(args[0], "js_");
  });
}

function installWorkers() {
  installWorkerConstructors();
  installImports();
  installServiceWorkers();
}
