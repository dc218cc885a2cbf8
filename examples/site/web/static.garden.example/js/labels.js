// Labels for plants, as custom elements.
function fill(root, element) {
  const plate = element.getAttribute("plate");
  root.innerHTML = `
    <link rel="stylesheet" href="//static.garden.example/css/label.css">
    <div class="label"><img src="//static.garden.example/img/thumbs/${plate}.webp" width="240" height="288" alt="">
    <b>${element.getAttribute("name")}</b><slot></slot><a href="${element.getAttribute("href")}">More</a></div>`;
}
class PlantLabel extends HTMLElement {
  connectedCallback() { fill(this.attachShadow({ mode: "open" }), this); }
}
class SecretLabel extends HTMLElement {
  connectedCallback() { fill(this.attachShadow({ mode: "closed" }), this); }
}
customElements.define("plant-label", PlantLabel);
customElements.define("secret-label", SecretLabel);
