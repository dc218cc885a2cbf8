// Runs the tables of assertions that the other files of this folder register, in the page that
// loaded them, and writes a report into `<pre id="varve-report">` (and to the parent, if any).
//
// The page is `https://www.example.org/dir/page?x=1...#frag` at 20260101000000, served with the
// shim and the configuration that `expectations` below repeats. A table is a list of
// `[name, function]` or `[name, function, layout]`; a function throws, or returns a promise that
// rejects, when it fails.

document.write('<p id="written"><a href="https://written.test/', 'x">w</a><script>window.whileParsing = location.host</scr' + "ipt></p>");

const varveTests = {
  tables: [],
  time: "20260101000000",
  layout: /\/web\/\d{14}/.test(window["loc" + "ation"].pathname) ? "path" : "host",
  real: window["loc" + "ation"],

  add(suite, table) {
    this.tables.push([suite, table]);
  },

  /** The replay form that an absolute archived URL should have in this layout. */
  replay(url, mod = "mp_") {
    const { origin, host, port } = this.real;
    if (this.layout === "path") return `${origin}/web/${this.time}${mod}/${url}`;
    const target = new URL(url);
    const label = `${target.hostname}.${target.protocol.slice(0, -1)}${target.port ? `-${target.port}` : ""}`;
    const replayHost = host.slice(host.indexOf(`.${this.time}.`) + 1);
    return `http://${label}.${replayHost}${target.pathname}${target.search}${target.hash}`;
  },

  equal(actual, expected, what = "") {
    if (!Object.is(actual, expected)) {
      throw new Error(`${what} expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`);
    }
  },

  /** A URL as the document holds it, in whatever form, leads to where an archived URL is replayed. */
  leads(written, url, mod) {
    this.equal(new URL(written, this.real.href).href, this.replay(url, mod));
  },

  throws(action, name) {
    try {
      action();
    } catch (error) {
      if (name) this.equal(error.name, name);
      return;
    }
    throw new Error("expected an exception");
  },

  /** The attribute as the document really holds it. */
  actual(element, name) {
    return this.pristine().Element.prototype.getAttribute.call(element, name);
  },

  /** What the shim changes, as it was before. */
  pristine() {
    return varveUntouched;
  },

  box() {
    return document.getElementById("box");
  },

  once(target, type) {
    return new Promise((resolve) => target.addEventListener(type, resolve, { once: true }));
  },

  async run() {
    const lines = [];
    let failed = 0;
    let passed = 0;
    for (const [suite, table] of this.tables) {
      for (const [name, assertion, layout] of table) {
        if (layout && layout !== this.layout) continue;
        const outcome = await this.outcome(assertion);
        if (outcome === null) passed += 1;
        else {
          failed += 1;
          lines.push(`FAILED ${suite}: ${name}: ${outcome}`);
        }
      }
    }
    lines.push(`${this.layout} layout: ${passed} passed, ${failed} failed`);
    this.report(lines.join("\n"));
  },

  async outcome(assertion) {
    const late = new Promise((resolve) => setTimeout(() => resolve("no answer in time"), 5000));
    const done = (async () => {
      try {
        await assertion();
        return null;
      } catch (error) {
        return `${error && error.message ? error.message : error}`;
      }
    })();
    return Promise.race([done, late]);
  },

  report(text) {
    const element = document.createElement("pre");
    element.id = "varve-report";
    element.textContent = text;
    document.body.append(element);
    const realParent = Object.getOwnPropertyDescriptor(varveUntouched, "parent").get.call(window);
    varveUntouched.postMessage.call(realParent, { report: text }, "*");
  },
};
