// A classic script: the list of checks that the others tick off.
window.checks = (() => {
  const all = new Map();
  function show() {
    const list = document.getElementById("list");
    if (!list) return;
    const done = [...all.values()].filter(state => state === "ok").length;
    list.replaceChildren(...[...all].map(([name, state]) => Object.assign(document.createElement("li"), { textContent: name, className: state })));
    document.getElementById("tally").textContent = `${done} of ${all.size} checks passed.`;
    document.documentElement.dataset.checks = `${done}/${all.size}`;
  }
  /** Waits for a promise that gives true when all is well. */
  async function expect(name, promise) {
    all.set(name, "");
    let state = "bad";
    try { if (await promise) state = "ok"; } catch (error) { console.warn(name, error); }
    all.set(name, state);
    show();
  }
  return { expect };
})();
