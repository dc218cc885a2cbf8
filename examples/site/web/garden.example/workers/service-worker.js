importScripts("/workers/cache-name.js");
addEventListener("install", event => {
  event.waitUntil(caches.open(cacheName).then(cache => cache.addAll(["/workers/offline.html", "/workers/tea.json"])).then(() => skipWaiting()));
});
addEventListener("activate", event => event.waitUntil(clients.claim()));
addEventListener("fetch", event => {
  // The kettle is asked for by the page, but only tea.json exists on the server.
  if (new URL(event.request.url).pathname === "/workers/kettle.json") event.respondWith(caches.match("/workers/tea.json"));
});
