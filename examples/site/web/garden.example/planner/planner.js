// A planner for a bed of plants, drawn by a small library of components in the manner of the large
// ones: elements are descriptions, which are compared with those from before; state belongs to a
// component and a change of it draws the component anew; an error in a component is shown by the
// nearest one around it that says what to do then.
(function () {
  "use strict";

  const PLANTS = [
    { name: "Rose", light: 3, water: 2, width: 60, friends: ["Lavender", "Sage"], foes: ["Mint"] },
    { name: "Lavender", light: 3, water: 1, width: 40, friends: ["Rose"], foes: ["Hosta"] },
    { name: "Sage", light: 3, water: 1, width: 35, friends: ["Rose"], foes: [] },
    { name: "Hosta", light: 1, water: 3, width: 70, friends: ["Fern"], foes: ["Lavender"] },
    { name: "Fern", light: 1, water: 3, width: 50, friends: ["Hosta"], foes: [] },
    { name: "Mint", light: 2, water: 3, width: 90, friends: [], foes: ["Rose"] },
  ];

  // --- Elements ---

  function element(type, props, ...children) {
    return { type, props: props || {}, key: props && props.key, children: children.flat().filter((child) => child !== null) };
  }

  function isText(described) {
    return typeof described === "string" || typeof described === "number";
  }

  function setProperty(node, name, value, before) {
    if (name === "key") return;
    if (name.startsWith("on")) {
      const event = name.slice(2).toLowerCase();
      if (before) node.removeEventListener(event, before);
      if (value) node.addEventListener(event, value);
    } else if (value === undefined || value === false) {
      node.removeAttribute(name);
    } else {
      node.setAttribute(name, value === true ? "" : value);
    }
  }

  function setProperties(node, props, before) {
    for (const name of Object.keys(before)) {
      if (!(name in props)) setProperty(node, name, undefined, before[name]);
    }
    for (const name of Object.keys(props)) {
      if (props[name] !== before[name]) setProperty(node, name, props[name], before[name]);
    }
  }

  // --- Instances: what is drawn ---

  let current = null;

  class Instance {
    constructor(described, parent) {
      this.described = described;
      this.parent = parent;
      this.children = [];
      this.states = [];
      this.node = null;
      this.failure = null;
    }

    get isComponent() {
      return !isText(this.described) && typeof this.described.type === "function";
    }

    mount() {
      if (isText(this.described)) {
        this.node = document.createTextNode(String(this.described));
      } else if (this.isComponent) {
        this.children = [mounted(this.rendered(), this)];
        this.node = this.children[0].node;
      } else {
        this.node = document.createElement(this.described.type);
        setProperties(this.node, this.described.props, {});
        this.children = this.described.children.map((child) => mounted(child, this));
        for (const child of this.children) this.node.append(child.node);
      }
      return this;
    }

    rendered() {
      const { type, props, children } = this.described;
      const around = current;
      current = { instance: this, at: 0 };
      try {
        return type({ ...props, children, failure: this.failure });
      } catch (error) {
        return this.failed(error);
      } finally {
        current = around;
      }
    }

    failed(error) {
      // The nearest component around that takes failures draws itself again, with this one.
      for (let above = this.parent; above; above = above.parent) {
        if (above.isComponent && above.described.type.takesFailures && !above.failure) {
          above.failure = error;
          queue(above);
          return element("span", { class: "muted" }, "…");
        }
      }
      throw error;
    }

    update(described) {
      const before = this.described;
      this.described = described;
      if (isText(described)) {
        if (described !== before) this.node.data = String(described);
      } else if (this.isComponent) {
        this.draw();
      } else {
        setProperties(this.node, described.props, before.props);
        this.updateChildren(described.children);
      }
    }

    draw() {
      const drawn = this.rendered();
      const child = this.children[0];
      if (isSame(child.described, drawn)) {
        child.update(drawn);
      } else {
        const fresh = mounted(drawn, this);
        child.node.replaceWith(fresh.node);
        this.children = [fresh];
      }
      let above = this;
      while (above && above.isComponent) {
        above.node = above.children[0].node;
        above = above.parent;
      }
    }

    updateChildren(wanted) {
      const known = new Map();
      this.children.forEach((child, at) => known.set(keyOf(child.described, at), child));
      const next = wanted.map((described, at) => {
        const key = keyOf(described, at);
        const child = known.get(key);
        if (child && isSame(child.described, described)) {
          known.delete(key);
          child.update(described);
          return child;
        }
        return mounted(described, this);
      });
      for (const child of known.values()) child.node.remove();
      next.forEach((child, at) => {
        if (this.node.childNodes[at] !== child.node) this.node.insertBefore(child.node, this.node.childNodes[at] || null);
      });
      this.children = next;
    }
  }

  function mounted(described, parent) {
    return new Instance(described, parent).mount();
  }

  function isSame(one, other) {
    if (isText(one) || isText(other)) return isText(one) && isText(other);
    return one.type === other.type && one.key === other.key;
  }

  function keyOf(described, at) {
    return isText(described) || described.key === undefined || described.key === null ? `at ${at}` : `key ${described.key}`;
  }

  // --- State ---

  const waiting = new Set();

  function queue(instance) {
    if (waiting.size === 0) queueMicrotask(flush);
    waiting.add(instance);
  }

  function flush() {
    const drawn = [...waiting];
    waiting.clear();
    for (const instance of drawn) instance.draw();
  }

  function state(initial) {
    const { instance } = current;
    const at = current.at++;
    if (instance.states.length <= at) instance.states.push(initial);
    const set = (change) => {
      const value = typeof change === "function" ? change(instance.states[at]) : change;
      if (Object.is(value, instance.states[at])) return;
      instance.states[at] = value;
      queue(instance);
    };
    return [instance.states[at], set];
  }

  // --- The planner ---

  function quarrels(planted) {
    const names = new Set(planted.map((plant) => plant.name));
    const found = [];
    for (const plant of planted) {
      for (const foe of plant.foes) {
        if (names.has(foe)) found.push(`${plant.name} does not like ${foe}`);
      }
    }
    return found;
  }

  function advice(planted) {
    if (planted.length === 0) return "Nothing planted yet.";
    const width = planted.reduce((sum, plant) => sum + plant.width, 0);
    const dry = planted.filter((plant) => plant.water === 1).length;
    const damp = planted.filter((plant) => plant.water === 3).length;
    const words = [`${planted.length} planted, ${(width / 100).toFixed(1)} m.`];
    if (dry > 0 && damp > 0) words.push("Some want it dry and some want it damp.");
    return words.join(" ");
  }

  function Boundary({ children, failure }) {
    return failure ? element(Stumbled, { reason: failure }) : element("div", null, ...children);
  }
  Boundary.takesFailures = true;

  function Stumbled({ reason }) {
    // Where the page is tells who reads the report.
    const report = `${reason.message} (${location.host}${location.pathname})`;
    const again = () => {
      history.replaceState(null, "", location.pathname);
      location.reload();
    };
    return element(
      "div",
      { class: "broken", role: "alert" },
      element("p", null, `The planner stumbled: ${report}`),
      element("button", { class: "button", onclick: again }, "Try again"),
    );
  }

  function Shelf({ add }) {
    const [shade, setShade] = state(false);
    const offered = PLANTS.filter((plant) => !shade || plant.light < 3);
    const row = (plant) =>
      element("li", { key: plant.name }, plant.name, element("button", { class: "button quiet", onclick: () => add(plant) }, "Plant"));
    return element(
      "div",
      null,
      element("p", null, element("button", { "aria-pressed": String(shade), onclick: () => setShade(!shade) }, "For the shade")),
      element("ul", null, ...offered.map(row)),
    );
  }

  function Bed({ planted, remove, undo }) {
    if (planted.some((plant) => plant.name === "Triffid")) {
      throw new Error("nobody plants that");
    }
    const row = ({ number, name }) =>
      element("li", { key: number }, name, element("button", { class: "button quiet", onclick: () => remove(number) }, "Take out"));
    const trouble = quarrels(planted).map((words) => element("li", { key: words, class: "muted" }, words));
    return element(
      "div",
      null,
      element("p", { id: "advice" }, advice(planted)),
      element("ul", { id: "bed" }, ...planted.map(row)),
      element("ul", null, ...trouble),
      month() ? element(Calendar, { planted, month: month() }) : null,
      element("button", { class: "button", disabled: planted.length === 0, onclick: undo }, "Undo"),
    );
  }

  // A plan can come with the address: `#Rose,Fern`.
  function planned() {
    return location.hash.length > 1 ? read(decodeURIComponent(location.hash.slice(1))) : [];
  }

  // With a month behind a semicolon (`#Rose,Fern;5`) it comes with a calendar.
  function month() {
    const given = location.hash.includes(";") ? monthIn(location.hash) : null;
    return given;
  }

  function monthIn(hash) {
    const number = Number.parseInt(hash.slice(hash.lastIndexOf(";") + 1), 10);
    if (!Number.isInteger(number) || number < 1 || number > 12) {
      throw new RangeError(`there is no month ${hash.slice(hash.lastIndexOf(";") + 1)}`);
    }
    return number;
  }

  function tasks(plant, month) {
    const found = [];
    if (plant.water === 3 && month >= 5 && month <= 9) found.push(`water ${plant.name} every evening`);
    if (plant.water === 1 && (month === 11 || month === 12)) found.push(`keep the wet off ${plant.name}`);
    if (plant.light === 3 && month === 3) found.push(`cut ${plant.name} back before it shoots`);
    if (plant.light === 1 && month === 4) found.push(`mulch ${plant.name} while the soil is damp`);
    if (plant.width > 60 && month === 10) found.push(`divide ${plant.name}, it wants ${plant.width} cm by now`);
    return found;
  }

  function Calendar({ planted, month }) {
    const names = ["January", "February", "March", "April", "May", "June", "July"];
    const more = ["August", "September", "October", "November", "December"];
    const due = planted.flatMap((plant) => tasks(plant, month));
    const rows = due.length > 0 ? due : ["nothing to do but look"];
    return element(
      "section",
      { id: "calendar" },
      element("h2", null, `In ${[...names, ...more][month - 1]}`),
      element("ul", null, ...rows.map((row) => element("li", { key: row }, row))),
    );
  }

  function read(plan) {
    const plant = (name, number) => {
      const known = PLANTS.find((one) => one.name.toLowerCase() === name.trim().toLowerCase());
      return { ...(known || { name, light: 2, water: 2, width: 50, friends: [], foes: [] }), number };
    };
    const names = plan.split(";")[0].split(",").filter((name) => name.trim() !== "");
    return names.map(plant);
  }

  function Planner() {
    const [planted, setPlanted] = state(planned());
    const [next, setNext] = state(100);
    const add = (plant) => {
      setPlanted([...planted, { ...plant, number: next }]);
      setNext(next + 1);
    };
    const remove = (number) => setPlanted(planted.filter((plant) => plant.number !== number));
    const undo = () => setPlanted(planted.slice(0, -1));
    return element(
      "div",
      { class: "planner" },
      element(Shelf, { add }),
      element(Boundary, null, element(Bed, { planted, remove, undo })),
    );
  }

  const place = document.getElementById("planner");
  const drawn = mounted(element(Planner), null);
  place.replaceChildren(drawn.node);
})();
