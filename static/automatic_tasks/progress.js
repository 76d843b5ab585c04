// @ts-check
// Runs that are not over.

import { follow } from "../shared/follow.js";

/**
 * @param {HTMLElement} place
 * @param {{is_over: boolean, state: string, word: string, done: number, total: number}} run
 */
function show(place, run) {
  place.classList.toggle("running", run.state === "running");
  const word = place.querySelector(".run-state-word");
  if (word) {
    word.textContent = run.word;
  }
  const progress = place.querySelector(".run-progress");
  if (progress && run.total) {
    progress.textContent = ` ${run.done}/${run.total}`;
  }
  const meter = document.querySelector(".run-meter");
  if (meter instanceof HTMLProgressElement && run.total) {
    meter.max = run.total;
    meter.value = run.done;
  }
}

for (const place of document.querySelectorAll("[data-progress]")) {
  if (place instanceof HTMLElement) {
    follow(place.dataset.progress ?? "", show.bind(null, place));
  }
}
