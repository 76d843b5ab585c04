// @ts-check
// Follows runs that are not over: shows how far they are, and loads the page anew when one ends.

const LOOK_MS = 1000;
const PATIENCE_MS = 10000;

/** @param {HTMLElement} place */
async function follow(place) {
  const address = place.dataset.progress ?? "";
  let wait = LOOK_MS;
  for (;;) {
    await new Promise((done) => setTimeout(done, wait));
    try {
      const answer = await fetch(address, { headers: { Accept: "application/json" } });
      if (!answer.ok) {
        return;
      }
      const run = await answer.json();
      if (run.is_over) {
        location.reload();
        return;
      }
      show(place, run);
      wait = LOOK_MS;
    } catch {
      // Offline: ask less and less often, up to a limit; what is on the page stays.
      wait = Math.min(wait * 2, PATIENCE_MS);
    }
  }
}

/**
 * @param {HTMLElement} place
 * @param {{state: string, word: string, done: number, total: number}} run
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
    follow(place);
  }
}
