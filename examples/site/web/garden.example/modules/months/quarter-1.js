export default { 1: ["Chilli"], 2: ["Chilli", "Broad bean", "Tomato"], 3: ["Tomato", "Sweet pea", "Broad bean"] };
