// Reads what a page's scripts can see of the visitor; `first.js` has noted some of it. One question
// without an answer is no reason to leave out the others.
async () => {
  const ask = question => { try { return question() ?? null; } catch { return null; } };
  const pick = (object, names) => object && Object.fromEntries(names.map(name => [name, object[name] ?? null]));

  const HIGH_ENTROPY = [
    'architecture', 'bitness', 'formFactors', 'fullVersionList', 'model', 'platformVersion', 'uaFullVersion', 'wow64',
  ];
  const hints = async () => {
    const { userAgentData } = navigator;
    if (!userAgentData) return null;
    try { return await userAgentData.getHighEntropyValues(HIGH_ENTROPY); } catch { return userAgentData.toJSON(); }
  };

  const FEATURES = {
    'any-hover': ['none', 'hover'],
    'any-pointer': ['none', 'coarse', 'fine'],
    'color-gamut': ['srgb', 'p3', 'rec2020'],
    'display-mode': ['browser', 'standalone', 'minimal-ui', 'fullscreen', 'window-controls-overlay', 'picture-in-picture'],
    'dynamic-range': ['standard', 'high'],
    'forced-colors': ['none', 'active'],
    'hover': ['none', 'hover'],
    'inverted-colors': ['none', 'inverted'],
    'pointer': ['none', 'coarse', 'fine'],
    'prefers-color-scheme': ['light', 'dark'],
    'prefers-contrast': ['no-preference', 'more', 'less', 'custom'],
    'prefers-reduced-data': ['no-preference', 'reduce'],
    'prefers-reduced-motion': ['no-preference', 'reduce'],
    'prefers-reduced-transparency': ['no-preference', 'reduce'],
    'update': ['none', 'slow', 'fast'],
    'video-dynamic-range': ['standard', 'high'],
  };
  const media = () => Object.fromEntries(Object.entries(FEATURES)
    .map(([feature, words]) => [feature, words.filter(word => matchMedia(`(${feature}: ${word})`).matches)])
    .filter(([, words]) => words.length > 0));

  const plugins = () => [...navigator.plugins].map(plugin => ({
    ...pick(plugin, ['name', 'filename', 'description']),
    types: [...plugin].map(type => pick(type, ['type', 'suffixes', 'description'])),
  }));

  return {
    secure: isSecureContext,
    userAgent: navigator.userAgent,
    brands: navigator.userAgentData?.brands ?? [],
    hints: await hints(),
    appVersion: navigator.appVersion,
    productSub: navigator.productSub,
    vendor: navigator.vendor,
    platform: navigator.platform,
    language: navigator.language,
    languages: [...navigator.languages],
    locale: Intl.DateTimeFormat().resolvedOptions().locale,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    width: innerWidth,
    height: innerHeight,
    screenWidth: screen.width,
    screenHeight: screen.height,
    pixelRatio: devicePixelRatio,
    screen: {
      ...pick(screen, ['availWidth', 'availHeight', 'availLeft', 'availTop', 'colorDepth', 'pixelDepth', 'isExtended']),
      orientation: pick(screen.orientation, ['type', 'angle']),
    },
    window: { outerWidth, outerHeight, screenX, screenY },
    visualViewport: pick(visualViewport, ['width', 'height', 'scale']),
    touchPoints: navigator.maxTouchPoints,
    processors: navigator.hardwareConcurrency,
    memory: navigator.deviceMemory ?? null,
    connection: navigator.connection ? globalThis.firstConnection ?? null : null,
    cookies: navigator.cookieEnabled,
    doNotTrack: navigator.doNotTrack,
    webdriver: navigator.webdriver,
    pdfViewer: navigator.pdfViewerEnabled ?? null,
    plugins: ask(plugins),
    dark: matchMedia('(prefers-color-scheme: dark)').matches,
    media: ask(media) ?? {},
  };
}
