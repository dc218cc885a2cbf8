export default { 10: ["Sweet pea", "Garlic"], 11: ["Broad bean", "Garlic"], 12: ["Garlic"] };
