import { deep } from "../sub/deep.mjs";
import { told as other } from "http://two.test/bare.mjs";
export const told = [import.meta.url, location.pathname, deep, other, new URL("x", import.meta.url).href];
