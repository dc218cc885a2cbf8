importScripts("/workers/sum.js");
onmessage = async ({ data }) => {
  const trays = await fetch(data).then(r => r.json());
  postMessage({ seeds: sum(trays.map(tray => tray.seeds)), trays: trays.length });
};
