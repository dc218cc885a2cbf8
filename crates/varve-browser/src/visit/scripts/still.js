// Makes a page hold still: what is on its way is at its end. While the picture is taken the window
// has other sizes, and rules for these must not set anything moving.
() => {
  const still = new CSSStyleSheet();
  const all = ["*", "*::before", "*::after", "*::placeholder", "*::marker", "*::backdrop", "*::file-selector-button"];
  still.replaceSync(`${all.join(", ")} { transition: none !important }`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, still];
  let ended = 0;
  for (const animation of document.getAnimations()) {
    const end = animation.effect?.getComputedTiming().endTime;
    if (animation.playState !== "running" || !Number.isFinite(end)) continue;
    animation.finish();
    ended += 1;
  }
  return ended;
}
