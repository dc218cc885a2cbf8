const duty = fetch("/workers/rota.json").then(r => r.json());
onconnect = async ({ ports: [port] }) => { port.postMessage((await duty).today.join(", ")); };
