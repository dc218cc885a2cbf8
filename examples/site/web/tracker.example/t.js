/* Counts visitors. A made-up tracker of the example web. */
(function () {
  var id;
  try { id = localStorage.getItem("_gt"); } catch (e) {}
  id = id || Math.random().toString(36).slice(2) + Date.now().toString(36);
  try { localStorage.setItem("_gt", id); } catch (e) {}
  var base = "//tracker.example";
  var q = "v=2&cid=" + id + "&z=" + Math.floor(Math.random() * 1e9) + "&sr=" + screen.width + "x" + screen.height + "&vp=" + innerWidth + "x" + innerHeight + "&dl=" + encodeURIComponent(location.href) + "&t=" + Date.now();
  new Image().src = base + "/pixel.gif?" + q;
  fetch(base + "/id.json").then(function (r) { return r.json(); }).then(function (a) { navigator.sendBeacon(base + "/collect?e=view&aid=" + a.id, q); });
  addEventListener("pagehide", function () { navigator.sendBeacon(base + "/collect?e=leave&t=" + Date.now(), q); });
})();
