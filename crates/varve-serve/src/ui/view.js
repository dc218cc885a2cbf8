// Gives the archived page the window that it was captured in, scaled to fit into ours.
//
// The frame has the recorded size in CSS pixels. `zoom` makes its device pixels those of the
// recorded screen, so that media queries, srcset and devicePixelRatio answer as they did then; a
// transform takes the zoom back and fits the frame into the stage, never larger than it was.
"use strict";

const stage = document.getElementById("stage");
const frame = document.getElementById("page");
const { width, height, ratio, scheme, src } = frame.dataset;

function fit() {
  const zoom = ratio / window.devicePixelRatio;
  const scale = Math.min(stage.clientWidth / width, stage.clientHeight / height, 1);
  const left = Math.max(0, (stage.clientWidth - width * scale) / 2);
  frame.style.width = `${width}px`;
  frame.style.height = `${height}px`;
  frame.style.zoom = String(zoom);
  // Lengths in a transform are zoomed as well.
  frame.style.transform = `translateX(${left / zoom}px) scale(${scale / zoom})`;
}

/** Another screen may have other pixels; so has a window that its user enlarges. */
function fitAgainOnOtherPixels() {
  const same = window.matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`);
  same.addEventListener("change", () => {
    fit();
    fitAgainOnOtherPixels();
  }, { once: true });
}

frame.style.colorScheme = scheme;
fit();
window.addEventListener("resize", fit);
fitAgainOnOtherPixels();
frame.src = src;
