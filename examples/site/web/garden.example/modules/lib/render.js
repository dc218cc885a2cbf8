import { element } from "petal";
import { seeds } from "./seeds.js";

/** Draws what is sown in a month. */
export function render(target, month, names) {
  const rows = names.map(name => element("tr", {}, element("th", { textContent: name }), element("td", { textContent: seeds[name] })));
  target.replaceChildren(element("h2", { textContent: month, style: "margin-top:1.5rem" }), element("table", {}, ...rows));
}
