export const told = import.meta.url;
