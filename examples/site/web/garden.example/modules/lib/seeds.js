export const seeds = {
  "Broad bean": "outdoors, in double rows, a hand apart",
  "Sweet pea": "in tall pots; soak the seed overnight",
  "Chilli": "on the warmest sill you have",
  "Tomato": "indoors, two seeds to a pot",
  "Sunflower": "where it is to grow, once the slugs sleep",
  "Runner bean": "at the foot of its pole, after the last frost",
  "Foxglove": "on the surface; it wants light",
  "Honesty": "in any corner; it will do the rest",
  "Blue poppy": "fresh, cold, and with some hope",
  "Garlic": "a clove, pointed end up",
};
