// @ts-check
// The list of assignments: search, filter, and opening with one press. Without this script every row still leads there.

import { HandedIn } from "../shared/handed_in.js";
import { element, letDialogsClose, say, settings } from "../shared/page.js";
import { Server } from "../shared/server.js";
import { SignIn } from "../shared/sign_in.js";

const search = /** @type {HTMLInputElement | null} */ (document.getElementById("search"));
const system = /** @type {HTMLSelectElement | null} */ (document.getElementById("system"));
const states = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-filter]")]);

/** @param {HTMLElement} row @param {string[]} words @param {string} state */
function fits(row, words, state) {
  const text = (row.textContent ?? "").toLowerCase();
  const isOfState = !state || row.dataset.state === state;
  const isOfSystem = !system?.value || row.dataset.system === system.value;
  return isOfState && isOfSystem && words.every((word) => text.includes(word));
}

function filter() {
  const words = (search?.value ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const state = states.find((chip) => chip.getAttribute("aria-pressed") === "true")?.dataset.filter ?? "";
  for (const group of document.querySelectorAll(".group")) {
    const rows = /** @type {HTMLElement[]} */ ([...group.querySelectorAll(".assignment")]);
    for (const row of rows) row.hidden = !fits(row, words, state);
    /** @type {HTMLElement} */ (group).hidden = rows.every((row) => row.hidden);
  }
  const isNothingLeft = [...document.querySelectorAll(".group")].every((group) => /** @type {HTMLElement} */ (group).hidden);
  element("nothing-fits")?.toggleAttribute("hidden", !isNothingLeft);
}

search?.addEventListener("input", filter);
system?.addEventListener("change", filter);
for (const chip of states) {
  chip.addEventListener("click", () => {
    for (const other of states) other.setAttribute("aria-pressed", String(other === chip));
    filter();
  });
}

// A link must not change anything, so what is not begun is opened by a form; the link alone would ask first.
const opening = /** @type {HTMLFormElement | null} */ (document.getElementById("opening-form"));
for (const link of document.querySelectorAll("a[data-opens]")) {
  link.addEventListener("click", (event) => {
    const { ctrlKey, metaKey, shiftKey, button } = /** @type {MouseEvent} */ (event);
    if (!opening || ctrlKey || metaKey || shiftKey || button) return;
    event.preventDefault();
    opening.action = link.getAttribute("href") ?? "";
    opening.submit();
  });
}

const handedIn = new HandedIn(new Server(settings.person, new SignIn(settings.person, say)), say);
document.addEventListener("keydown", (event) => {
  if (!event.altKey || event.ctrlKey || event.metaKey || event.code !== "KeyZ" || !handedIn.canUndo) return;
  event.preventDefault();
  handedIn.undo();
});
letDialogsClose();
