importScripts("/everything/service-worker-import.js");
addEventListener("install", event => event.waitUntil(caches.open(cacheName).then(cache => cache.add("/everything/precached.json")).then(() => skipWaiting())));
addEventListener("activate", event => event.waitUntil(clients.claim()));
addEventListener("fetch", event => {
  const { pathname } = new URL(event.request.url);
  if (pathname === "/everything/only-in-the-service-worker.json") event.respondWith(fetch("/everything/behind-respond-with.json"));
  if (pathname === "/everything/from-the-cache.json") event.respondWith(caches.match("/everything/precached.json"));
});
