import "/client.js";
onmessage = ({ data }) => askAll("module", data.base).then(() => postMessage("done"));
