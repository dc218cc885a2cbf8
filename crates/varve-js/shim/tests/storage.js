// Storage by archived origin.

{
  const { equal } = varveTests;

  varveTests.add("storage", [
    ["localStorage", () => {
      localStorage.clear();
      localStorage.setItem("a", "1");
      localStorage.b = 2;
      equal(localStorage.getItem("a"), "1");
      equal(localStorage.b, "2");
      equal(localStorage.length, 2);
      equal(Object.keys(localStorage).sort().join(), "a,b");
      equal("a" in localStorage, true);
      delete localStorage.a;
      equal(localStorage.getItem("a"), null);
      equal(localStorage.key(0), "b");
      equal(localStorage instanceof Storage, true);
      equal(localStorage.none, undefined);
      localStorage.clear();
      equal(localStorage.length, 0);
    }],
    ["sessionStorage", () => {
      sessionStorage.setItem("s", "1");
      equal(JSON.stringify(sessionStorage), '{"s":"1"}');
      const cookies = document.cookie;
      sessionStorage.clear();
      equal(document.cookie, cookies);
    }],
    ["storage lies under the archived origin", () => {
      localStorage.setItem("k", "v");
      const raw = Object.getOwnPropertyDescriptor(varveTests.pristine(), "localStorage").get.call(window);
      equal(Object.keys(raw).some((key) => key === "varve|https://www.example.org|k"), true);
      localStorage.clear();
    }, "path"],
    ["indexedDB", async () => {
      const open = indexedDB.open("db", 1);
      await varveTests.once(open, "success");
      equal(open.result.name, "db");
      equal((await indexedDB.databases()).some(({ name }) => name === "db"), true);
      open.result.close();
    }],
    ["caches", async () => {
      const cache = await caches.open("c1");
      await cache.put("https://www.example.org/cached", new Response("body"));
      equal(await (await cache.match("https://www.example.org/cached")).text(), "body");
      equal((await cache.keys())[0].url, "https://www.example.org/cached");
      equal((await caches.keys()).join(), "c1");
      await caches.delete("c1");
    }],
  ]);
}
