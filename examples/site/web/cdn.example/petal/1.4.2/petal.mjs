// petal 1.4.2 as a module: what modern pages import.
export const version = "1.4.2";
export function element(tag, properties = {}, ...children) {
  const node = Object.assign(document.createElement(tag), properties);
  node.append(...children);
  return node;
}
export const months = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];
