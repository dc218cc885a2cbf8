// Each behaviour is one line of the page's text: its name and what came out. Lines of the capture
// and of a replay are compared.
(function () {
  const lines = [];
  const shown = (value) => (typeof value === "string" ? value : JSON.stringify(value));
  const pre = document.createElement("pre");
  const show = () => {
    pre.textContent = `${lines.sort().join("\n")}\n`;
    if (document.body && document.readyState !== "loading") document.body.append(pre);
  };
  addEventListener("DOMContentLoaded", show);
  window.behaviour = async (name, run) => {
    let line;
    try {
      const late = new Promise((_, fail) => setTimeout(() => fail(new Error("late")), 8000));
      line = `${name} = ${shown(await Promise.race([run(), late]))}`;
    } catch (error) {
      line = `${name} = threw ${error && error.name}: ${error && error.message}`;
    }
    lines.push(line.replace(/\s+/g, " "));
    show();
  };
})();
