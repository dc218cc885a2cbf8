importScripts("http://two.test/script.js", "sub/script.js");
(async () => {
  const data = await (await fetch("data.json?worker")).json();
  const x = new XMLHttpRequest();
  x.open("GET", "http://two.test/more.json?worker", false);
  x.send();
  postMessage([location.href, self.location.origin, data.a, x.responseURL, self.scripts, self.origin]);
})();
