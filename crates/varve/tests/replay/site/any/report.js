// Each behaviour is one line of the page's text: its name and what came out. Lines of the capture
// and of a replay are compared.
(function () {
  const waiting = [];
  const lines = [];
  const shown = (value) => (typeof value === "string" ? value : JSON.stringify(value));
  window.behaviour = (name, run) => {
    waiting.push(
      (async () => {
        let line;
        try {
          const late = new Promise((_, fail) => setTimeout(() => fail(new Error("late")), 8000));
          line = `${name} = ${shown(await Promise.race([run(), late]))}`;
        } catch (error) {
          line = `${name} = threw ${error && error.name}: ${error && error.message}`;
        }
        lines.push(line.replace(/\s+/g, " "));
      })(),
    );
  };
  addEventListener("load", async () => {
    for (let done = 0; done < waiting.length; done += 1) await waiting[done];
    const pre = document.createElement("pre");
    pre.id = "report";
    pre.textContent = `${lines.sort().join("\n")}\nend of report`;
    document.body.append(pre);
    document.title = "reported";
  });
})();
