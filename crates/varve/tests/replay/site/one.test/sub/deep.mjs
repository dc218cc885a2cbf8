export const deep = import.meta.url;
