// Frames that lead others. The viewer keeps archived pages in a sandbox, so that nothing leads its own
// window away; but in a sandbox a document may only lead itself and the frames inside it. In old
// framesets a frame leads the one beside it, and frames lead the page around them. These ask the
// topmost archived document, in which all of them are.

const LEAD = "varve.lead";
const tellsSource = !!prototypeOf("NavigateEvent") && "sourceElement" in prototypeOf("NavigateEvent");
const sourceOf = getterOf(prototypeOf("NavigateEvent"), "sourceElement");
const saidIn = getterOf(prototypeOf("MessageEvent"), "data");
const submitForm = methodOf(prototypeOf("HTMLFormElement"), "submit");
const nativeCreate = methodOf(prototypeOf("Document"), "createElement");
const nativeByTag = methodOf(prototypeOf("Document"), "getElementsByTagName");
const nativeAppend = methodOf(prototypeOf("Node"), "appendChild");
const nativeRemove = methodOf(prototypeOf("Element"), "remove");

/** link, form or button -> what it leads out of the browser's reach: `{ target, name }`. */
const led = newWeakMap();

/** The frame of a window that has this name; of other origins, the windows above know it. */
function childNamed(above, name) {
  for (let at = 0; at < above.length; at += 1) {
    const child = above[at];
    try {
      if (child.name === name) return child;
    } catch {
      if (attempted(() => above[name]) === child) return child;
    }
  }
  return null;
}

function attempted(read) {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** The nearest frame of this name inside a window. */
function frameNamed(above, name) {
  let level = [above];
  while (level.length) {
    const next = [];
    for (const one of level) {
      const found = childNamed(one, name);
      if (found) return found;
      for (let at = 0; at < one.length; at += 1) push(next, one[at]);
    }
    level = next;
  }
  return null;
}

/** The way from one window down to another, by the numbers of frames; `null` if it is not inside. */
function wayTo(above, target) {
  const way = [];
  let at = target;
  while (at !== above) {
    const outer = parentOf(at);
    if (outer === at || outer === realTop) return null;
    let number = 0;
    while (number < outer.length && outer[number] !== at) number += 1;
    if (number === outer.length) return null;
    way.unshift(number);
    at = outer;
  }
  return way;
}

const isInside = (target) => target === root || wayTo(root, target) !== null;

/** Whether this document may lead a window of this page only by way of the topmost document. */
function mustAskToLead(target) {
  return !config.top && viewerIsTop() && !isInside(target) && wayTo(archivedTop(), target) !== null;
}

/** The archived window that a target names, if this document may not lead it. */
function outOfReach(given) {
  if (config.top || !root.navigation || !tellsSource || !viewerIsTop()) return null;
  const name = text(given);
  const word = lower(name);
  const found = word === "_top" || word === "_unfencedtop" ? archivedTop()
    : word === "_parent" ? realParent(root)
    : name === "" || charCode(name, 0) === 95 || realName(root) === name || frameNamed(root, name) ? null
    : frameNamed(archivedTop(), name);
  return found && !isInside(found) ? found : null;
}

/** Has another window led to a replay URL; `sent` is what a form sends along, by this name of the window. */
function lead(target, url, sent, name) {
  const way = wayTo(archivedTop(), target);
  if (way) nativePostMessage(archivedTop(), { [LEAD]: way, url, sent, name }, "*");
}

/** In the topmost document: leads a frame for another. */
function followLead(event) {
  const asked = saidIn(event);
  if (!asked || typeof asked !== "object" || !Array.isArray(asked[LEAD])) return;
  if (!config.top || !isInside(nativeSource(event))) return;
  stopEvent(event);
  let target = root;
  for (const number of asked[LEAD]) target = target && target[number];
  const url = text(asked.url);
  if (!target || !isWindow(target) || !isReplay(url)) return;
  if (Array.isArray(asked.sent)) sendTo(target === root ? "_self" : text(asked.name), url, asked.sent);
  else if (target === root) nativeSetHref(realLocation, url);
  else target.location.href = url;
}

function sendTo(name, url, fields) {
  const form = nativeCreate(root.document, "form");
  for (const [attribute, value] of [["method", "post"], ["action", url], ["target", name], ["hidden", ""]]) {
    nativeSetAttribute(form, attribute, value);
  }
  for (const [field, value] of fields) {
    const input = nativeCreate(root.document, "input");
    nativeSetAttribute(input, "name", text(field));
    nativeSetAttribute(input, "value", text(value));
    nativeAppend(form, input);
  }
  nativeAppend(root.document.documentElement, form);
  submitForm(form);
  nativeRemove(form);
}

/** What a link or a form leads where the browser would not let it is led another way. */
function leadInstead(event) {
  const source = sourceOf(event);
  const found = source && led.get(source);
  if (!found) return false;
  const data = formOf(event);
  const sent = data ? [...data].filter(([, value]) => typeof value === "string") : undefined;
  prevent(event);
  lead(found.target, destinationUrl(destinationOf(event)), sent, found.name);
  return true;
}

/**
 * Notes where a link or a form leads by the attribute of this holder. What is out of reach is led to by
 * way of this very window, which is stopped as it sets out (`leadInstead`). Other targets that the
 * parser wrote are mapped as those of scripts are.
 */
function noteTarget(source, holder, attribute) {
  const name = readAttribute(holder, attribute);
  const target = outOfReach(name);
  if (target) {
    led.set(source, { target, name });
    nativeSetAttribute(holder, attribute, "_self");
    return remember(holder, attribute, "_self", name);
  }
  led.delete(source);
  const actual = nativeGetAttribute(holder, attribute);
  writeAttribute(holder, attribute, name, (_, meant) => meant !== actual && nativeSetAttribute(holder, attribute, meant));
}

/** The same for the attribute that counts: the button's, the element's own, or that of all. */
function noteTargetOf(element, submitter) {
  const source = submitter || element;
  if (submitter && nativeHasAttribute(submitter, "formtarget")) return noteTarget(source, submitter, "formtarget");
  if (nativeHasAttribute(element, "target")) return noteTarget(source, element, "target");
  const base = nativeByTag(root.document, "base")[0];
  if (base && nativeHasAttribute(base, "target")) noteTarget(source, base, "target");
}
