// Resolves when the document has not changed for `window` milliseconds, or after `patience`.
// What counts is what is inserted, removed or made to load; styles and classes are animation.
({ window: wait, patience }) => new Promise(resolve => {
  const started = performance.now();
  let changed = started;
  const observer = new MutationObserver(() => { changed = performance.now(); });
  const watched = { subtree: true, childList: true, characterData: true, attributeFilter: ['src', 'srcset', 'href'] };
  const look = () => {
    const now = performance.now();
    if (now - changed < wait && now - started < patience) {
      setTimeout(look, Math.min(wait - (now - changed), patience - (now - started)));
      return;
    }
    observer.disconnect();
    // What can act by itself later on. A frame may have scripts of its own.
    const active = 'iframe, frame, object, embed, [onload], [onerror], animate, set';
    resolve({ scripts: document.scripts.length + document.querySelectorAll(active).length });
  };
  observer.observe(document, watched);
  if (document.scripts.length === 0) changed = -wait;
  look();
})
