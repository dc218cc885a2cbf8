importScripts("/everything/worker-import.js");
fetch("/everything/worker-data.json").then(response => response.json()).then(data => postMessage(`${word} and ${data.word}`));
