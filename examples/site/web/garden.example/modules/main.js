import { element, months } from "petal";
import { render } from "calendar/render.js";

const target = document.getElementById("calendar");
const choice = element("select", { ariaLabel: "Month" }, ...months.map((name, n) => element("option", { value: n + 1, textContent: name })));
const list = element("div");
target.append(choice, list);

async function show(number) {
  const quarter = Math.floor((number - 1) / 3) + 1;
  const { default: sowings } = await import(`./months/quarter-${quarter}.js`);
  render(list, months[number - 1], sowings[number]);
}
choice.addEventListener("change", () => show(Number(choice.value)));
choice.value = 5;
show(5);
