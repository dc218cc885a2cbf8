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

const shown = {
  url: document.getElementById("where").textContent,
  time: document.querySelector("#when time").textContent.replace(/\D/g, ""),
};

/** Whether what a page says about itself can be: where each origin has a host, its name tells. */
function isTrue({ url, time }, origin) {
  if (!/^\d{14}$/.test(time) || !/^https?:/.test(url) || !URL.canParse(url)) return false;
  const host = new URL(origin).hostname;
  return !host.includes(`.${time}.`) || host.startsWith(`${new URL(url).hostname}.`);
}

/** Leads a way of the bar elsewhere. */
function lead(id, path) {
  const way = document.getElementById(id);
  if (way) way.href = path;
}

/** The bar follows where links in the page lead. */
function follow({ url, time, title }) {
  document.title = title || url;
  if (url === shown.url) return;
  Object.assign(shown, { url, time });
  const seconds = time.replace(/(....)(..)(..)(..)(..)(..)/, "$1-$2-$3 $4:$5:$6");
  document.getElementById("where").textContent = url;
  document.querySelector("#when time").textContent = seconds;
  lead("when", `/web/*/${url}`);
  lead("share", `/web/${time}/${url}`);
  lead("record", `/record-view/${time}/${url}`);
  lead("raw", `/web/${time}id_/${url}`);
  // What is before and after it, and its picture, are known where it is opened anew.
  document.querySelectorAll(".step, #compare, #beside, #then").forEach((gone) => gone.remove());
  document.querySelector(".view").classList.remove("with-picture");
  history.replaceState(null, "", `/web/${time}/${url}`);
  fit();
  tellGiven();
}

const RULES = {
  exact: "Under its own address",
  canonical: "Under the same address, written otherwise",
  query: "With other parameters that do not matter",
  distance: "By the most similar address",
};
const SPANS = [["year", 31557600], ["month", 2629800], ["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];

/** `3 days later`. */
function far(seconds) {
  const [name, length] = SPANS.find(([, length]) => Math.abs(seconds) >= length) ?? SPANS.at(-1);
  const count = Math.round(Math.abs(seconds) / length);
  return `${count} ${name}${count === 1 ? "" : "s"} ${seconds < 0 ? "earlier" : "later"}`;
}

function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

/** Shows what the server says that it gave to the page. */
function showGiven({ found, furthest, missing }) {
  const parts = Object.values(found).reduce((sum, count) => sum + count, 0);
  if (parts + missing.count === 0) return;
  const words = [`${parts} part${parts === 1 ? "" : "s"}`];
  if (missing.count > 0) words.push(`${missing.count} missing`);
  if (furthest) words.push(far(furthest.seconds));
  document.getElementById("sum").textContent = words.join(", ");
  const rules = Object.entries(RULES).filter(([rule]) => found[rule]);
  document.getElementById("rules").replaceChildren(
    ...rules.flatMap(([rule, name]) => [element("dt", name), element("dd", found[rule])]),
  );
  document.getElementById("furthest").textContent = furthest
    ? `Furthest in time: ${far(furthest.seconds)} than the page: ${furthest.url}`
    : "Everything is of the page's own time.";
  document.getElementById("missing-title").hidden = missing.count === 0;
  const named = missing.urls.map((url) => element("li", url));
  if (missing.count > named.length) named.push(element("li", `and ${missing.count - named.length} more`));
  document.getElementById("missing").replaceChildren(...named);
  const box = document.getElementById("given");
  box.hidden = false;
  box.querySelector("summary").classList.toggle("warns", missing.count > 0);
}

let asking = 0;

/** Asks a few times, for pages go on loading. */
async function tellGiven() {
  const turn = ++asking;
  for (const pause of [300, 1500, 4000, 10000]) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    if (turn !== asking) return;
    const answer = await fetch(`/given/${shown.time}/${shown.url}`).catch(() => null);
    if (turn === asking && answer?.ok) showGiven(await answer.json());
  }
}

document.getElementById("share").addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const link = event.currentTarget.href;
  const told = (text) => { document.getElementById("copied").textContent = text; };
  navigator.clipboard.writeText(link).then(() => told("The link was copied."), () => told(link));
});

// One panel at a time, and none when the user goes on.
document.querySelectorAll(".bar details").forEach((box, _, all) => {
  box.addEventListener("toggle", () => {
    if (box.open) all.forEach((other) => { if (other !== box) other.open = false; });
  });
});
window.addEventListener("keydown", ({ key }) => {
  if (key !== "Escape") return;
  const open = document.querySelector(".bar details[open]");
  open?.removeAttribute("open");
  open?.querySelector("summary").focus();
});
window.addEventListener("blur", () => {
  document.querySelectorAll(".bar details[open]").forEach((box) => box.removeAttribute("open"));
});

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
frame.addEventListener("load", tellGiven);
tellGiven();
