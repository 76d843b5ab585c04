// @ts-check
// Follows a check that runs: shows how far it is, adds each probe as it is done, and loads the page anew at the end.

const LOOK_MS = 1000;
const PATIENCE_MS = 10000;

/** @typedef {{name: string, title: string, verdict: string, sentence: string, took_ms: number}} Probe */

/** @param {HTMLElement} place */
async function follow(place) {
  let wait = LOOK_MS;
  for (;;) {
    await new Promise((done) => setTimeout(done, wait));
    try {
      const answer = await fetch(place.dataset.check ?? "", { headers: { Accept: "application/json" } });
      if (!answer.ok) {
        return;
      }
      const check = await answer.json();
      if (check.is_over) {
        location.reload();
        return;
      }
      show(place, check);
      wait = LOOK_MS;
    } catch {
      // Offline: ask less and less often, up to a limit; what is on the page stays.
      wait = Math.min(wait * 2, PATIENCE_MS);
    }
  }
}

/**
 * @param {HTMLElement} place
 * @param {{word: string, done: number, total: number, probes: Probe[]}} check
 */
function show(place, check) {
  const word = document.querySelector(".check-word");
  if (word) {
    word.textContent = check.word;
  }
  const meter = place.querySelector("progress");
  if (meter) {
    meter.value = check.done;
  }
  const count = place.querySelector(".check-count");
  if (count) {
    count.textContent = `${check.done}/${check.total}`;
  }
  const rows = document.querySelector(".check-rows");
  if (rows && rows.children.length > check.probes.length) {
    // Another worker took it up and began anew.
    rows.replaceChildren();
  }
  for (const probe of check.probes.slice(rows?.children.length ?? 0)) {
    rows?.append(row(probe));
  }
}

const KINDS = new Map([["pass", "good"], ["warn", "care"], ["fail", "fail"]]);
const MARKS = new Map([["pass", "✓"], ["warn", "!"], ["fail", "✗"]]);

/** @param {Probe} probe */
function row(probe) {
  const details = document.createElement("details");
  details.className = "probe";
  const summary = document.createElement("summary");
  summary.append(
    part("span", `pill ${KINDS.get(probe.verdict) ?? ""}`, MARKS.get(probe.verdict) ?? ""),
    part("b", "", probe.title),
    part("span", "sentence", probe.sentence),
    part("span", "muted number", `${probe.took_ms} ms`),
  );
  details.append(summary);
  return details;
}

/**
 * @param {string} kind
 * @param {string} classes
 * @param {string} text
 */
function part(kind, classes, text) {
  const made = document.createElement(kind);
  made.className = classes;
  made.textContent = text;
  return made;
}

for (const place of document.querySelectorAll("[data-check]")) {
  if (place instanceof HTMLElement) {
    follow(place);
  }
}
