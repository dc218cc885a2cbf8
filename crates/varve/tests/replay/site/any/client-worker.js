// A worker, or what one made of a blob runs.
importScripts(new URL("/client.js", self.location.origin));
onmessage = ({ data }) => askAll(self.location.protocol === "blob:" ? "blob" : "worker", data.base).then(() => postMessage("done"));
