// Called on a node that has listeners. To `look`, it only tells, for each type of event, what kind of
// handler listens to it, and what the node looks like. Otherwise it sends the node such events, as a
// person's would be: with a place, a key, on their way up through the document. A node that listens
// on behalf of many below it is sent events from those that look as if they were to be used. To
// `compare`, it also tells what state the document was in before: what earlier ones brought about.
// What a hand with a mouse can do is left to one where the node can be seen and reached, and asked `byHand`.
function (types, task, most, byHand) {
  const node = this;
  const isRoot = node === window || node.nodeType === 9;
  const element = isRoot ? document.documentElement : node;

  // What an event brings about is mostly there after so many milliseconds; if something changes
  // meanwhile, after as many again, so often.
  const MOMENT = 25;
  const MOMENTS = 4;
  const LIFE = /^(load|DOMContentLoaded|readystatechange|error|abort|beforeunload|unload|pagehide|pageshow|message|messageerror|storage|online|offline|visibilitychange|hashchange|popstate|freeze|resume|securitypolicyviolation|unhandledrejection|rejectionhandled|languagechange|beforeprint|afterprint|slotchange)$/;
  const POINTED = /^(click|dblclick|auxclick|contextmenu|mouse(down|up)|pointer(down|up|cancel))$/;
  const HOVERED = /^(mouse|pointer)(over|out|enter|leave|move)$/;
  const KEYED = /^key(down|up|press)$/;
  const FORMED = /^(input|change|beforeinput|focus|blur|focusin|focusout|invalid|reset|search|select|selectionchange|selectstart|copy|cut|paste|composition\w+)$/;
  const TOUCHED = /^(touch\w+|gesture\w+)$/;
  const SCROLLED = /^(scroll|scrollend|resize|wheel|mousewheel|DOMMouseScroll|orientationchange)$/;
  const DRAGGED = /^(drag\w*|drop)$/;
  const QUIET = /^(mouseenter|mouseleave|pointerenter|pointerleave|focus|blur|scroll|load|error|invalid)$/;

  const LOOKS = [
    ['menu', /menu|navbar|nav-|-nav|hamburger|drawer|offcanvas|sidebar/],
    ['tab', /(^|[^a-z])tabs?([^a-z]|$)/],
    ['carousel', /carousel|slider|slick|swiper|glide|slide|splide/],
    ['accordion', /accordion|collaps|expand|toggle|faq|disclosure/],
    ['dropdown', /dropdown|popover|tooltip|combobox|listbox|select/],
    ['lightbox', /lightbox|modal|gallery|zoom|dialog|popup|overlay/],
  ];
  // What would change something on a server, if there was one.
  const DEALS = /\b(log ?out|sign ?out|delete|unsubscribe|subscribe|buy|checkout|add to (cart|basket)|pay|order|donate|vote|report|follow)\b/i;

  const words = (of) => {
    const attributes = [...(of.attributes || [])].map((it) =>
      /^(class|id|role|aria-|data-)/.test(it.name) ? `${it.name} ${it.value}` : '');
    return attributes.join(' ').toLowerCase().slice(0, 500);
  };
  const looksLike = (of) => {
    if (of.matches?.('summary, [aria-expanded]')) return 'accordion';
    if (of.matches?.('[role=tab]')) return 'tab';
    if (of.matches?.('[aria-haspopup], select')) return 'dropdown';
    const text = words(of);
    return LOOKS.find(([, pattern]) => pattern.test(text))?.[0] ?? 'control';
  };
  const deals = (of, type) => {
    const form = of.closest?.('form[action]');
    if (form && (type === 'submit' || of.matches('[type=submit], [type=image], button:not([type])'))) return true;
    return DEALS.test((of.textContent || of.value || '').slice(0, 40)) && of.matches?.('a, button, input, [role=button]');
  };
  const classOf = (type) => {
    if (LIFE.test(type)) return 'life';
    if (type === 'submit' || (POINTED.test(type) && !isRoot && deals(element, type))) return 'transaction';
    if (POINTED.test(type)) return isRoot ? 'control' : looksLike(element);
    if (FORMED.test(type)) return 'form';
    if (KEYED.test(type)) return 'key';
    if (HOVERED.test(type)) return 'hover';
    if (TOUCHED.test(type)) return 'touch';
    if (SCROLLED.test(type)) return 'scroll';
    return 'other';
  };

  // To ask where something is after each change lays out the page again; so it is asked once.
  const places = new Map();
  const placeOf = (target) => {
    if (!places.has(target)) {
      const box = target.getBoundingClientRect?.() ?? { left: 0, top: 0, width: 0, height: 0 };
      places.set(target, { clientX: box.left + box.width / 2, clientY: box.top + box.height / 2 });
    }
    return places.get(target);
  };
  const events = (type, target) => {
    const isPlaced = POINTED.test(type) || HOVERED.test(type) || TOUCHED.test(type) || DRAGGED.test(type) || /wheel$|^pointer/.test(type);
    const place = isPlaced ? placeOf(target) : {};
    const common = { bubbles: !QUIET.test(type), cancelable: true, composed: true, view: window };
    const pointed = { ...common, ...place, detail: 1, button: 0, buttons: /down/.test(type) ? 1 : 0, pointerId: 1, pointerType: 'mouse', isPrimary: true };
    if (type.startsWith('pointer')) return [new PointerEvent(type, pointed)];
    if (type === 'click') return [new PointerEvent(type, pointed)];
    if (POINTED.test(type) || HOVERED.test(type)) return [new MouseEvent(type, pointed)];
    if (KEYED.test(type)) {
      return [['Enter', 13], ['ArrowRight', 39], ['ArrowDown', 40], ['Escape', 27]].map(([key, keyCode]) =>
        new KeyboardEvent(type, { ...common, key, code: key, keyCode, which: keyCode }));
    }
    if (type === 'wheel' || type === 'mousewheel') return [new WheelEvent(type, { ...pointed, deltaY: 100 })];
    if (/^focus|^blur/.test(type)) return [new FocusEvent(type, common)];
    if (/^(before)?input$/.test(type)) return [new InputEvent(type, { ...common, inputType: 'insertText', data: 'a' })];
    if (DRAGGED.test(type)) return [new DragEvent(type, { ...pointed, dataTransfer: new DataTransfer() })];
    if (TOUCHED.test(type) && window.TouchEvent && window.Touch) {
      const touch = new Touch({ identifier: 1, target, ...place });
      const touches = /end|cancel/.test(type) ? [] : [touch];
      return [new TouchEvent(type, { ...common, touches, targetTouches: touches, changedTouches: [touch] })];
    }
    return [new Event(type, common)];
  };

  const USED = 'a[href^="#"], a:not([href]), a[role], button, summary, select, input, textarea, label, [role=button], [role=tab],'
    + '[role=menuitem], [role=option], [role=switch], [role=checkbox], [role=radio], [onclick], [aria-expanded], [aria-haspopup],'
    + '[aria-controls], [data-toggle], [data-bs-toggle], [data-target], [tabindex]';
  const lookOf = (it) => `${it.tagName} ${it.getAttribute('class')} ${it.getAttribute('role')} ${it.getAttribute('data-toggle')}`;
  // Of those that look alike a few are enough.
  const below = () => {
    const seen = new Map();
    const some = [];
    for (const it of (isRoot ? document : element).querySelectorAll(USED)) {
      const look = lookOf(it);
      const times = seen.get(look) ?? 0;
      seen.set(look, times + 1);
      if (times < 2 && !deals(it, 'click')) some.push(it);
      if (some.length >= most) break;
    }
    return some;
  };
  const isShared = (type) => (POINTED.test(type) || HOVERED.test(type) || KEYED.test(type) || FORMED.test(type) || TOUCHED.test(type));
  const isForMany = isRoot || element.childElementCount > 3;

  if (task === 'look') {
    // Who listens for many looks like all of them together.
    const looks = isForMany && types.some(isShared) ? [...new Set(below().map(lookOf))].sort() : [];
    return { kinds: types.map(classOf), look: [isRoot ? '' : lookOf(element), ...looks].join('\n') };
  }

  // The state of the document as a number: elements, what they say, and what says how they look.
  // URLs do not count: where pages are replayed is nobody's doing.
  const state = () => {
    let hash = 0x811c9dc5, left = 20000;
    const add = (text) => {
      for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
    };
    const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    for (let it = walker.currentNode; it && left > 0; it = walker.nextNode(), left--) {
      if (it.nodeType === 3) {
        if (!/^(SCRIPT|STYLE)$/.test(it.parentNode?.nodeName)) add(it.data.trim());
        continue;
      }
      add(`<${it.nodeName} ${it.getAttribute('class')}`);
      for (const { name, value } of it.attributes) {
        if (/^(aria-|hidden$|open$|style$|checked$|disabled$|selected$)/.test(name) && !/url\(/.test(value)) add(`${name}=${value}`);
      }
    }
    return hash >>> 0;
  };
  // Where a hand would press the node, seen from the window of all frames; nothing if it cannot.
  const PRESSED = /^(click|(mouse|pointer)(down|up))$/;
  const WIDGET = 'select, option, input[type=file], input[type=color], input[type=date], input[type=time], input[type=month], input[type=week], input[type=datetime-local]';
  const reach = () => {
    if (isForMany || !types.some((type) => PRESSED.test(type) || HOVERED.test(type)) || element.closest(WIDGET)) return null;
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return null;
    const view = element.ownerDocument.defaultView;
    const isWithin = ({ x, y }) => x > 0 && y > 0 && x < view.innerWidth && y < view.innerHeight;
    const middle = () => {
      const box = [...element.getClientRects()].find((it) => it.width > 1 && it.height > 1);
      return box && { x: box.left + box.width / 2, y: box.top + box.height / 2 };
    };
    if (middle() && !isWithin(middle())) element.scrollIntoView({ block: 'center', behavior: 'instant' });
    const place = middle();
    const hit = place && isWithin(place) && element.getRootNode().elementFromPoint(place.x, place.y);
    if (!hit || !(hit === element || element.contains(hit))) return null;
    for (let frame = view; frame !== window.top; frame = frame.parent) {
      const box = frame.frameElement.getBoundingClientRect();
      place.x += box.left + frame.frameElement.clientLeft;
      place.y += box.top + frame.frameElement.clientTop;
    }
    return { ...place, presses: types.some((type) => PRESSED.test(type)) };
  };
  const send = () => {
    let place = null;
    try { place = byHand ? reach() : null } catch { }
    sendAll(place ? types.filter((type) => !PRESSED.test(type) && !HOVERED.test(type)) : types);
    return place;
  };
  const sendAll = (types) => {
    const many = isForMany && types.some(isShared) ? below() : [];
    if (types.some((type) => !FORMED.test(type) && !KEYED.test(type))) [node, ...many].forEach(placeOf);
    for (const type of types) {
      const targets = isShared(type) ? many : [];
      for (const target of [node, ...targets]) {
        for (const event of events(type, target)) {
          try { target.dispatchEvent(event) } catch { }
        }
      }
    }
  };
  if (task !== 'compare') {
    return { before: 0, place: send() };
  }
  return new Promise((done) => {
    let left = MOMENTS, isChanged = false;
    const observer = new MutationObserver(() => { isChanged = true });
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    const look = () => {
      left -= 1;
      if (isChanged && left > 0) {
        isChanged = false;
        setTimeout(look, MOMENT);
        return;
      }
      observer.disconnect();
      let before = 0;
      try { before = state() } catch { }
      done({ before, place: send() });
    };
    setTimeout(look, MOMENT);
  });
}
