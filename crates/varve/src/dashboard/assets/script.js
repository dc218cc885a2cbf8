// The dashboard: shows every status that the crawl sends and sends back what people want.
//
// URLs, titles and host names are other people's text. They reach the page as text nodes only; no
// markup is ever made of a string.
"use strict";

/** So many finished pages are shown. */
const SHOWN = 60;
/** A chart is drawn with at most so many points. */
const CHART_POINTS = 240;
/** Points kept for the charts; the server has no more either. */
const KEPT_POINTS = 50000;
const MIB = 1048576;

const token = document.querySelector('meta[name="varve-token"]').content;
const $ = (id) => document.getElementById(id);

/** Makes an element with a class, attributes and children, which are texts or elements. */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** Puts a text in its place, if it is another. */
function say(id, text) {
  if ($(id).textContent !== text) $(id).textContent = text;
}

const count = (number) => number.toLocaleString("en");
const clock = (seconds) => {
  const [h, m, s] = [seconds / 3600, (seconds / 60) % 60, seconds % 60].map(Math.floor);
  const two = (number) => String(number).padStart(2, "0");
  return h ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
};
const size = (bytes) => {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  for (; bytes >= 1024 && unit < units.length - 1; unit += 1) bytes /= 1024;
  return `${bytes.toFixed(unit && bytes < 100 ? 1 : 0)} ${units[unit]}`;
};

// ---- What the crawl is doing -----------------------------------------------------------------

function showState(status) {
  const state = status.crawl.state;
  say("state", state);
  $("state").dataset.mood = state === "running" || state === "done" ? "" : "odd";
  say("age", clock(status.crawl.seconds));
  say("pause", status.settings.paused ? "Resume" : "Pause");
  const ending = status.settings.stopping || state === "finishing" || state === "done";
  $("pause").disabled = ending;
  $("stop").disabled = ending;
  document.title = `${count(status.crawl.pages.saved)} saved, ${state} · Varve crawl`;
}

function showNumbers({ pages, queue, requests, received_bytes, stored_bytes, browser }) {
  say("saved", count(pages.saved));
  say("failed", count(pages.failed));
  say("skipped", count(pages.skipped));
  say("queued", count(queue.queued));
  say("requests", count(requests.recorded + requests.reused + requests.failed));
  say("received", size(received_bytes));
  say("stored", size(stored_bytes));
  say("memory", size(browser.bytes));
}

/** Fills a table; a row is a list of texts and numbers. */
function showRows(id, rows, nothing) {
  const cell = (value) => {
    const isNumber = typeof value === "object";
    return element("td", isNumber ? { class: "number" } : {}, isNumber ? value.number : value);
  };
  const made = rows.map((row) => element("tr", {}, ...row.map(cell)));
  if (!made.length) made.push(element("tr", {}, element("td", { class: "nothing" }, nothing)));
  $(id).replaceChildren(...made);
}

const number = (text) => ({ number: text });

function showTables(crawl) {
  const flight = crawl.in_flight.map((page) => [page.url, page.tier, number(clock(page.seconds))]);
  showRows("flight", flight, "no page");
  const hosts = crawl.hosts.map((host) => [
    host.host,
    number(count(host.queued)),
    number(count(host.in_flight)),
    number(`${host.delay_ms / 1000} s`),
    hostState(host),
  ]);
  showRows("hosts", hosts, "nothing waits");
  const reasons = (of, table) => Object.entries(table).map(([reason, times]) => [reason, of, times]);
  const errors = [
    ...reasons("pages", crawl.page_failures),
    ...reasons("requests", crawl.request_failures),
    ...reasons("skipped pages", crawl.skips),
  ];
  errors.sort((a, b) => b[2] - a[2]);
  showRows("errors", errors.map(([reason, of, n]) => [reason, of, number(count(n))]), "nothing so far");
}

function hostState(host) {
  const wait = (host.backed_off_until ?? 0) - Date.now();
  if (host.blocked) return host.blocked;
  return wait > 0 ? `left alone for ${clock(wait / 1000)}` : "";
}

// ---- Pages as they finish ----------------------------------------------------------------------

let lastPage = 0;

function showPages(finished) {
  const fresh = finished.filter((page) => page.id > lastPage);
  if (!fresh.length) return;
  lastPage = fresh[0].id;
  $("pages").prepend(...fresh.map(pageCard));
  while ($("pages").childElementCount > SHOWN) $("pages").lastElementChild.remove();
}

function pageCard(page) {
  const facts = [page.reason, page.status ?? "", page.tier, size(page.bytes), `${page.seconds.toFixed(1)} s`];
  const title = page.title || page.url;
  return element(
    "li",
    page.saved ? {} : { class: "failed" },
    picture(page),
    element("p", { class: "title", title }, title),
    element("p", { class: "address", title: page.url }, page.url),
    element("p", { class: "facts" }, facts.filter((fact) => fact !== "").join(" · ")),
  );
}

function picture(page) {
  if (!page.thumbnail) return element("div", { class: "picture" }, "no picture");
  const source = `/api/thumbnails/${Number(page.id)}`;
  const image = element("img", { class: "picture", src: source, alt: "", loading: "lazy" });
  // Long after, the crawl no longer has it.
  image.addEventListener("error", () => image.replaceWith(element("div", { class: "picture" }, "no picture")));
  return image;
}

// ---- Charts --------------------------------------------------------------------------------------

const SVG = "http://www.w3.org/2000/svg";
const [WIDTH, HEIGHT] = [600, 100];
let points = [];

const perSecond = (key) => (point) => point[key] / Math.max(point.span, 1);
const charts = [
  { id: "chart-pages", value: perSecond("pages"), text: (n) => `${n.toFixed(1)}/s` },
  { id: "chart-bytes", value: perSecond("bytes"), text: (n) => `${size(n)}/s` },
  { id: "chart-requests", value: perSecond("requests"), text: (n) => `${n.toFixed(0)}/s` },
  { id: "chart-memory", value: (point) => point.memory, text: size },
];

function drawn(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function addPoint(point) {
  if (point.span === 0 || (points.length && points[points.length - 1].at >= point.at)) return;
  points.push(point);
  if (points.length > KEPT_POINTS) points = points.slice(-KEPT_POINTS);
}

/** Neighbours put together until they are few enough to draw. */
function condensed() {
  const group = Math.ceil(points.length / CHART_POINTS) || 1;
  const made = [];
  for (let at = 0; at < points.length; at += group) {
    const some = points.slice(at, at + group);
    const sum = (key) => some.reduce((total, point) => total + point[key], 0);
    made.push({
      at: some[some.length - 1].at,
      span: sum("span"),
      pages: sum("pages"),
      requests: sum("requests"),
      bytes: sum("bytes"),
      memory: Math.max(...some.map((point) => point.memory)),
    });
  }
  return made;
}

function drawCharts() {
  const shown = condensed();
  if (shown.length < 2) return;
  for (const chart of charts) drawChart(chart, shown);
}

function drawChart({ id, value, text }, shown) {
  const values = shown.map(value);
  const top = Math.max(...values) || 1;
  const [first, last] = [shown[0].at, shown[shown.length - 1].at];
  const x = (at) => (((at - first) / Math.max(last - first, 1)) * WIDTH).toFixed(1);
  const y = (amount) => (HEIGHT - 2 - (amount / top) * (HEIGHT - 8)).toFixed(1);
  const curve = shown.map((point, n) => `${x(point.at)},${y(values[n])}`).join("L");
  const now = text(values[values.length - 1]);
  const label = `now ${now}, at most ${text(top)} in ${clock(last - first)}`;
  const svg = drawn("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": label });
  svg.append(
    drawn("line", { class: "ground", x1: 0, x2: WIDTH, y1: HEIGHT - 1, y2: HEIGHT - 1 }),
    drawn("path", { class: "area", d: `M0,${HEIGHT}L${curve}L${WIDTH},${HEIGHT}Z` }),
    drawn("path", { class: "curve", d: `M${curve}` }),
  );
  const figure = $(id);
  figure.querySelector("svg")?.remove();
  figure.append(svg);
  figure.querySelector("output").textContent = `${now} · peak ${text(top)}`;
}

// ---- Rules -----------------------------------------------------------------------------------------

let generation = -1;

/** Shows the rules when they have changed, so that nobody's typing is overwritten. */
function showRules(settings) {
  if (settings.generation === generation) return;
  generation = settings.generation;
  $("patterns").replaceChildren(...settings.exclude.map(patternRow));
  $("delay").value = settings.delay_ms / 1000;
  const { pages, bytes, seconds } = settings.limits;
  $("limit-pages").value = pages ?? "";
  $("limit-bytes").value = bytes === null ? "" : bytes / MIB;
  $("limit-seconds").value = seconds === null ? "" : seconds / 60;
}

function patternRow(pattern) {
  const button = element("button", { type: "button", "aria-label": `Remove ${pattern}` }, "Remove");
  button.addEventListener("click", () => order({ order: "include", pattern }));
  return element("li", {}, element("code", {}, pattern), button);
}

/** Sends an order; shows the settings that follow from it, or why it was refused. */
async function order(words) {
  try {
    const response = await fetch("/api/control", {
      method: "POST",
      headers: { "content-type": "application/json", "x-varve-token": token },
      body: JSON.stringify(words),
    });
    if (!response.ok) return complain(await response.text());
    latest.settings = await response.json();
    complain("");
    showRules(latest.settings);
    if (latest.crawl) showState(latest);
    return true;
  } catch {
    return complain("The crawl did not answer.");
  }
}

function complain(text) {
  $("message").hidden = !text;
  say("message", text);
  return false;
}

const limit = (id, factor) => ($(id).value === "" ? null : Math.round(Number($(id).value) * factor));

function listen() {
  const submit = (id, act) =>
    $(id).addEventListener("submit", (event) => {
      event.preventDefault();
      act();
    });
  $("pause").addEventListener("click", () => order({ order: latest.settings.paused ? "resume" : "pause" }));
  $("stop").addEventListener("click", () => {
    if (confirm("End the crawl after the pages in flight? What is saved stays saved.")) order({ order: "stop" });
  });
  submit("exclude-form", async () => {
    if (await order({ order: "exclude", pattern: $("pattern").value })) $("pattern").value = "";
  });
  submit("delay-form", () => order({ order: "delay", ms: limit("delay", 1000) ?? 0 }));
  submit("limits-form", () =>
    order({ order: "limits", pages: limit("limit-pages", 1), bytes: limit("limit-bytes", MIB), seconds: limit("limit-seconds", 60) }),
  );
}

// ---- The stream ------------------------------------------------------------------------------------

let latest = { settings: { paused: false } };

function show(status) {
  latest = status;
  complain("");
  showState(status);
  showNumbers(status.crawl);
  showTables(status.crawl);
  showPages(status.crawl.finished);
  showRules(status.settings);
  addPoint(status.crawl.point);
  drawCharts();
}

function watch() {
  const stream = new EventSource("/api/events");
  stream.addEventListener("message", (event) => {
    const status = JSON.parse(event.data);
    show(status);
    if (status.crawl.state === "done") stream.close();
  });
  stream.addEventListener("error", () => {
    $("state").dataset.mood = "bad";
    say("state", "not connected");
    complain("The crawl does not answer: it has ended, or its program has.");
  });
}

async function start() {
  listen();
  try {
    const series = await (await fetch("/api/series")).json();
    points = [...series.coarse, ...series.fine].filter((point) => point.span > 0);
  } catch {
    // The charts begin now, then.
  }
  watch();
}

start();
