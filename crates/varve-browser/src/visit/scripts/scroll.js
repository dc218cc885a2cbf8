// Scrolls what scrolls on this page (the document, or else its largest scrolling element) to the
// next screen, to the top or nowhere, waits until the page has noticed, and says where it is.
async ({ to }) => {
  const scrolls = element => {
    const overflow = getComputedStyle(element).overflowY;
    return (overflow === 'auto' || overflow === 'scroll') && element.scrollHeight > element.clientHeight + 1;
  };
  const area = element => element.clientWidth * element.clientHeight;
  const find = () => {
    const root = document.scrollingElement || document.documentElement;
    if (root.scrollHeight > innerHeight + 1) return root;
    const enough = innerWidth * innerHeight * 0.4;
    let best = root;
    for (const element of document.querySelectorAll('main, div, section, article, ul, ol')) {
      if (area(element) >= enough && area(element) > (best === root ? 0 : area(best)) && scrolls(element)) best = element;
    }
    return best;
  };
  if (!globalThis.scroller || !globalThis.scroller.isConnected) globalThis.scroller = find();
  const view = scroller === document.scrollingElement ? innerHeight : scroller.clientHeight;
  // One frame: in it the page hears of the scrolling and sees what has come into view.
  const noticed = () => new Promise(resolve => {
    setTimeout(resolve, 100);
    requestAnimationFrame(resolve);
  });
  if (to !== 'nowhere') {
    scroller.scrollTo({ top: to === 'top' ? 0 : scroller.scrollTop + view * 0.9, behavior: 'instant' });
    await noticed();
  }
  return {
    lazy: document.querySelector('img[loading=lazy], iframe[loading=lazy], iframe, frame') !== null,
    scripts: document.scripts.length > 0,
    screens: scroller.scrollHeight / Math.max(view, 1),
    at_end: scroller.scrollTop + view >= scroller.scrollHeight - 2,
    height: scroller.scrollHeight,
  };
}
