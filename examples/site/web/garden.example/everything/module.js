import { version } from "petal";
import { imported } from "./static-import.js";
import { preloaded } from "./modulepreload.js";
import data from "./module-data.json" with { type: "json" };

checks.expect("module graph", (async () => imported && preloaded && data.module && version === "1.4.2")());
checks.expect("dynamic import", import("./dynamic-import.js").then(module => module.dynamic));
