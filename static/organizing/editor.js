// @ts-check
// An editor of rows: they are added, moved and removed in place, and what is drawn of them follows what is typed.
// Before this script has come, each of these buttons is sent, and the server answers with the rows changed; so is what has no template.

import { element, fromTemplate } from "../shared/page.js";

const PAUSE_MS = 350;
const form = /** @type {HTMLFormElement} */ (element("editor"));
let waiting = 0;
let asking = new AbortController();

form.addEventListener("click", (event) => {
  const button = event.target instanceof Element && event.target.closest("button[name=act]");
  if (!(button instanceof HTMLButtonElement)) return;
  const [rows, act, of] = button.value.split(".");
  if (act === "add" && !element(`${rows}-blank`)) return;
  event.preventDefault();
  if (act === "add") add(rows, of);
  else change(button, act);
  drawSoon();
});
form.addEventListener("input", drawSoon);

/**
 * @param {string} rows
 * @param {string} [of] the row whose rows these are
 */
function add(rows, of) {
  const row = fromTemplate(`${rows}-blank`);
  const field = row.querySelector("[data-of]");
  if (field instanceof HTMLInputElement && of) field.value = of;
  element(of ? `${rows}-rows-${of}` : `${rows}-rows`).append(row);
  /** @type {HTMLElement | null} */ (row.querySelector("input:not([type=hidden])"))?.focus();
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
    /** @type {HTMLElement | null | undefined} */ (next?.querySelector("input:not([type=hidden])"))?.focus();
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
  body.set("act", "draw");
  try {
    const answer = await fetch(location.href, { method: "POST", body, signal: asking.signal });
    if (!answer.ok) return;
    const drawn = new DOMParser().parseFromString(await answer.text(), "text/html");
    element("drawn").replaceChildren(...drawn.body.childNodes);
  } catch {
    // Overtaken by what was typed since, or offline: the drawing stays, and saving says what is the matter.
  }
}
