const word = fetch("/everything/shared-worker-data.json").then(response => response.json());
onconnect = async ({ ports: [port] }) => port.postMessage((await word).word);
