export default { 4: ["Tomato", "Sunflower"], 5: ["Sunflower", "Runner bean", "Foxglove"], 6: ["Foxglove", "Honesty", "Runner bean"] };
