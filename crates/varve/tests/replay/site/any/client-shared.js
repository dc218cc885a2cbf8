importScripts("/client.js");
onconnect = ({ ports: [port] }) => {
  port.onmessage = ({ data }) => askAll("shared", data.base).then(() => port.postMessage("done"));
};
