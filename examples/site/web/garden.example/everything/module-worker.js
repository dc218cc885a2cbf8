import { word } from "./module-worker-import.js"; postMessage(word);
