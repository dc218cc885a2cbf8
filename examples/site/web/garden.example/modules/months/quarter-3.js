export default { 7: ["Honesty", "Foxglove"], 8: ["Honesty"], 9: ["Blue poppy"] };
