// When to sow what, for the almanac: fetched with the page, run by those who ask for it.

const SOWN = [
  { plant: "broad bean", from: 6, until: 12, depth: 5, apart: 20, sign: "when the snowdrops are over" },
  { plant: "parsnip", from: 9, until: 16, depth: 2, apart: 15, sign: "when the soil no longer sticks to the boot" },
  { plant: "early pea", from: 9, until: 14, depth: 4, apart: 8, sign: "when the blackbird sings before six" },
  { plant: "beetroot", from: 14, until: 26, depth: 2, apart: 10, sign: "when the damson flowers" },
  { plant: "carrot", from: 12, until: 28, depth: 1, apart: 5, sign: "when the ground is warm to the back of the hand" },
  { plant: "runner bean", from: 19, until: 25, depth: 5, apart: 25, sign: "when the may is out" },
  { plant: "marrow", from: 19, until: 22, depth: 3, apart: 100, sign: "when the swifts are back" },
  { plant: "swede", from: 20, until: 25, depth: 2, apart: 25, sign: "when the hay is cut" },
  { plant: "winter lettuce", from: 32, until: 36, depth: 1, apart: 20, sign: "when the swifts have left" },
  { plant: "garlic", from: 40, until: 46, depth: 4, apart: 15, sign: "when the leaves of the pear turn" },
];

// Beds are turned each year, so that nothing follows its own kind.
const FAMILIES = {
  "broad bean": "pulse", "early pea": "pulse", "runner bean": "pulse",
  parsnip: "root", carrot: "root", beetroot: "root",
  swede: "cabbage", marrow: "gourd", "winter lettuce": "salad", garlic: "onion",
};
const TURN = ["pulse", "cabbage", "root", "gourd", "onion", "salad"];

function bedOf(plant, year) {
  const place = TURN.indexOf(FAMILIES[plant]);
  return 1 + ((place + year) % TURN.length + TURN.length) % TURN.length;
}

function monthOf(week) {
  const names = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];
  return names[Math.min(11, Math.floor((week - 1) * 7 / 30.44))];
}

function sowing(cell) {
  const list = document.createElement("ul");
  for (const { plant, from, until, depth, apart, sign } of SOWN) {
    const months = [...new Set([monthOf(from), monthOf(until)])].join(" to ");
    list.append(cell("li", `${plant}, ${months}, ${sign}: ${depth} cm deep, ${apart} cm apart, in bed ${bedOf(plant, 1911)}`));
  }
  list.append(cell("li", "Nothing at all on the day of the fair: nobody would water it."));
  return list;
}
