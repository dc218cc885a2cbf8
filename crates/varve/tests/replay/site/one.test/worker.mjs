import { deep } from "./sub/deep.mjs";
import { told } from "http://two.test/bare.mjs";
postMessage([location.href, import.meta.url, deep, told, (await import("./sub/deep.mjs?later")).deep]);
