// @ts-check
// The scenario editor: rows are added, moved and removed in place, and the goal card follows what is typed.
// Before this script has come, each of these buttons is sent, and the server answers with the rows changed.

import { element, fromTemplate } from "../shared/page.js";

const PAUSE_MS = 350;
const form = /** @type {HTMLFormElement} */ (element("scenario"));
let waiting = 0;
let asking = new AbortController();

form.addEventListener("click", (event) => {
  const button = event.target instanceof Element && event.target.closest("button[name=act]");
  if (!(button instanceof HTMLButtonElement)) return;
  event.preventDefault();
  const [rows, act] = button.value.split(".");
  if (act === "add") add(rows);
  else change(button, act);
  drawSoon();
});
form.addEventListener("input", drawSoon);

/** @param {string} rows */
function add(rows) {
  const row = fromTemplate(`${rows}-blank`);
  element(`${rows}-rows`).append(row);
  row.querySelector("input")?.focus();
}

/**
 * @param {HTMLButtonElement} button
 * @param {string} act
 */
function change(button, act) {
  const row = button.closest("[data-row]");
  const beside = act === "up" ? row?.previousElementSibling : row?.nextElementSibling;
  if (act === "remove") {
    const next = row?.nextElementSibling ?? row?.previousElementSibling;
    row?.remove();
    next?.querySelector("input")?.focus();
    return;
  }
  if (act === "up") beside?.before(/** @type {Element} */ (row));
  else beside?.after(/** @type {Element} */ (row));
  button.focus();
}

function drawSoon() {
  clearTimeout(waiting);
  waiting = setTimeout(draw, PAUSE_MS);
}

async function draw() {
  asking.abort();
  asking = new AbortController();
  const body = new FormData(form);
  body.set("act", "card");
  try {
    const answer = await fetch(location.href, { method: "POST", body, signal: asking.signal });
    if (!answer.ok) return;
    const drawn = new DOMParser().parseFromString(await answer.text(), "text/html");
    element("card").replaceChildren(...drawn.body.childNodes);
  } catch {
    // Overtaken by what was typed since, or offline: the card stays, and saving says what is the matter.
  }
}
