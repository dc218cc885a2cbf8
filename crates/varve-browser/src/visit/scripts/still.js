// Makes a page hold still: what is on its way is at its end. While the picture is taken the window
// has other sizes, and rules for these must not set anything moving; and no scripts run, but what is
// for browsers without any must not appear. Tells where it moves all the
// same: what plays or turns without end looks different at every moment.
({ most }) => {
  const moving = [];

  const holdStill = (page) => {
    const still = new CSSStyleSheet();
    const all = ["*", "*::before", "*::after", "*::placeholder", "*::marker", "*::backdrop", "*::file-selector-button"];
    still.replaceSync(`${all.join(", ")} { transition: none !important; caret-color: transparent !important }`);
    page.adoptedStyleSheets = [...page.adoptedStyleSheets, still];
    for (const animation of page.getAnimations()) {
      const end = animation.effect?.getComputedTiming().endTime;
      if (animation.playState === "running" && Number.isFinite(end)) animation.finish();
    }
  };

  // A sheet belongs to one document.
  const hideNoscript = (page) => {
    const hidden = new page.defaultView.CSSStyleSheet();
    hidden.replaceSync("noscript { display: none !important }");
    page.adoptedStyleSheets = [...page.adoptedStyleSheets, hidden];
  };

  // What can be scrolled may be drawn by itself, sooner or later, and then has its edges elsewhere by a
  // part of a pixel. Nobody scrolls a picture.
  const stopScrolling = (page) => {
    for (const element of page.querySelectorAll("body *")) {
      const overflows = element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight;
      if (!overflows) continue;
      const { overflowX, overflowY } = page.defaultView.getComputedStyle(element);
      if (/auto|scroll/.test(overflowX + overflowY)) element.style?.setProperty("overflow", "hidden", "important");
    }
  };

  const note = (element, left, top) => {
    const box = element?.getBoundingClientRect?.();
    if (!box || box.width <= 0 || box.height <= 0 || moving.length >= most) return;
    moving.push({ x: box.left + left, y: box.top + top, width: box.width, height: box.height });
  };

  // The documents of other origins are not seen from here.
  const look = (page, left, top) => {
    for (const film of page.querySelectorAll("video, marquee")) note(film, left, top);
    for (const animation of page.getAnimations()) {
      if (animation.playState === "running") note(animation.effect?.target, left, top);
    }
    for (const frame of page.querySelectorAll("iframe, frame")) {
      const box = frame.getBoundingClientRect();
      if (!frame.contentDocument) continue;
      hideNoscript(frame.contentDocument);
      stopScrolling(frame.contentDocument);
      look(frame.contentDocument, left + box.left, top + box.top);
    }
  };

  holdStill(document);
  hideNoscript(document);
  stopScrolling(document);
  look(document, scrollX, scrollY);
  return moving;
}
