// Reads one frame: title, text as rendered, and links.
({ maxLinks, maxText }) => {
  const links = [];
  const texts = [];
  let room = maxText;
  const well = text => (text ?? '').toWellFormed();
  const say = text => {
    if (!text || room <= 0) return;
    texts.push(text.slice(0, room));
    room -= text.length;
  };
  const lead = (url, text, rel) => {
    if (!url || links.length >= maxLinks || url.startsWith('javascript:') || url.length > 16384) return;
    links.push([well(url), well(text).replace(/\s+/g, ' ').trim().slice(0, 200), well(rel)]);
  };
  const absolute = url => { try { return new URL(url, document.baseURI).href; } catch { return ''; } };
  const visit = element => {
    switch (element.localName) {
      case 'a':
        // In SVG, href is an object.
        if (typeof element.href === 'string') lead(element.href, element.textContent, element.rel);
        else if (element.href?.baseVal) lead(absolute(element.href.baseVal), element.textContent, element.getAttribute('rel'));
        break;
      case 'area':
        lead(element.href, element.alt, element.rel);
        break;
      case 'iframe':
      case 'frame':
        if (element.src && !element.src.startsWith('about:')) lead(element.src, element.title, '');
        break;
    }
    if (element.shadowRoot) {
      walk(element.shadowRoot);
      for (const child of element.shadowRoot.children) {
        if (child instanceof HTMLElement && !/^(style|script|template)$/.test(child.localName)) say(child.innerText);
      }
    }
  };
  const walk = root => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) visit(node);
  };
  say(document.body?.innerText ?? document.documentElement?.textContent);
  walk(document);
  return {
    title: well(document.title),
    text: well(texts.join('\n')),
    links,
  };
}
