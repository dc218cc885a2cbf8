export const preloaded = true;
