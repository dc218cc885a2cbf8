// Gives the archived page the window that it was captured in, scaled to fit into ours.
//
// The frame has the recorded size in CSS pixels. `zoom` makes its device pixels those of the
// recorded screen, so that media queries, srcset and devicePixelRatio answer as they did then; a
// transform takes the zoom back and fits the frame into the stage, never larger than it was.
"use strict";

const stage = document.getElementById("stage");
const frame = document.getElementById("page");
const { width, height, ratio, scheme, src } = frame.dataset;

function fit() {
  const zoom = ratio / window.devicePixelRatio;
  const scale = Math.min(stage.clientWidth / width, stage.clientHeight / height, 1);
  const left = Math.max(0, (stage.clientWidth - width * scale) / 2);
  frame.style.width = `${width}px`;
  frame.style.height = `${height}px`;
  frame.style.zoom = String(zoom);
  // Lengths in a transform are zoomed as well.
  frame.style.transform = `translateX(${left / zoom}px) scale(${scale / zoom})`;
}

/** Another screen may have other pixels; so has a window that its user enlarges. */
function fitAgainOnOtherPixels() {
  const same = window.matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`);
  same.addEventListener("change", () => {
    fit();
    fitAgainOnOtherPixels();
  }, { once: true });
}

const shown = { url: document.getElementById("where").textContent };

/** Whether what a page says about itself can be: where each origin has a host, its name tells. */
function isTrue({ url, time }, origin) {
  if (!/^\d{14}$/.test(time) || !/^https?:/.test(url) || !URL.canParse(url)) return false;
  const host = new URL(origin).hostname;
  return !host.includes(`.${time}.`) || host.startsWith(`${new URL(url).hostname}.`);
}

/** The bar follows where links in the page lead. */
function follow({ url, time, title }) {
  document.title = title || url;
  if (url === shown.url) return;
  shown.url = url;
  const seconds = time.replace(/(....)(..)(..)(..)(..)(..)/, "$1-$2-$3 $4:$5:$6");
  document.getElementById("where").textContent = url;
  document.querySelector("#when time").textContent = seconds;
  document.getElementById("when").href = `/web/*/${url}`;
  document.getElementById("raw").href = `/web/${time}id_/${url}`;
  // What is before and after it is in the list of its captures.
  document.querySelectorAll(".step").forEach((step) => step.remove());
  history.replaceState(null, "", `/web/${time}/${url}`);
}

window.addEventListener("message", ({ data, source, origin }) => {
  if (source !== frame.contentWindow || !data || data.varve !== "page") return;
  const said = { url: String(data.url), time: String(data.time), title: String(data.title) };
  if (isTrue(said, origin)) follow(said);
});

frame.style.colorScheme = scheme;
fit();
window.addEventListener("resize", fit);
fitAgainOnOtherPixels();
// The page's process is told the size of its frame, so the frame must have been laid out before.
// (In a window that nobody sees nothing is laid out.)
function begin() {
  if (!frame.hasAttribute("src")) frame.src = src;
}
requestAnimationFrame(() => requestAnimationFrame(begin));
setTimeout(begin, 1000);
