// Gives the archived page the window that it was captured in, scaled to fit into ours.
//
// The frame has the recorded size in CSS pixels. `zoom` makes its device pixels those of the
// recorded screen, so that media queries, srcset and devicePixelRatio answer as they did then; a
// transform takes the zoom back and fits the frame into the stage.
"use strict";

const stage = document.getElementById("stage");
const frame = document.getElementById("page");

function fit() {
  const width = Number(frame.dataset.width);
  const height = Number(frame.dataset.height);
  const zoom = Number(frame.dataset.ratio) / window.devicePixelRatio;
  const room = Math.min(stage.clientWidth / width, stage.clientHeight / height, 1);
  const scale = room / zoom;
  frame.style.width = `${width}px`;
  frame.style.height = `${height}px`;
  frame.style.zoom = String(zoom);
  frame.style.transform = `scale(${scale})`;
}

fit();
window.addEventListener("resize", fit);
