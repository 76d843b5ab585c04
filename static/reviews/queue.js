// @ts-check
// A reviewer's list: opens the next dialogue, takes a hand-in back, asks to revise an older one.

import { HandedIn } from "../shared/handed_in.js";
import { bindKeys } from "../shared/keys.js";
import { element, letDialogsClose, say, settings } from "../shared/page.js";
import { Server } from "../shared/server.js";
import { SignIn } from "../shared/sign_in.js";

const server = new Server(settings.person, new SignIn(settings.person, say));
const handedIn = new HandedIn(server, say);
const revise = /** @type {HTMLDialogElement} */ (element("revise"));
let asked = "";

/** @param {string} dialogue */
const reviewOf = (dialogue) => `/api/v1/dialogues/${dialogue}/review/`;

/** @param {string} id @param {unknown} error */
function complain(id, error) {
  const place = element(id);
  place.textContent = typeof error === "string" ? error : error instanceof Error && error.message ? error.message : say("review.network");
  place.hidden = !place.textContent;
}

document.getElementById("next-form")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = /** @type {HTMLButtonElement} */ (document.querySelector("#next-form button"));
  if (button.dataset.page) return location.assign(button.dataset.page);
  button.disabled = true;
  try {
    const next = await server.request("POST", settings.next, { campaign: settings.campaign });
    location.assign(next.page ?? settings.list);
  } catch (error) {
    button.disabled = false;
    complain("next-error", error);
  }
});

document.addEventListener("click", async (event) => {
  const button = event.target instanceof Element ? event.target.closest("button") : null;
  const dialogue = /** @type {HTMLElement | null} */ (button?.closest("[data-dialogue]"))?.dataset.dialogue;
  if (!button || !dialogue) return;
  if (button.dataset.undo) {
    button.disabled = true;
    try {
      await server.request("POST", `${reviewOf(dialogue)}undo/`, { version: Number(button.dataset.undo) });
      location.assign(`/reviews/${dialogue}/`);
    } catch {
      location.reload();
    }
  } else if ("revise" in button.dataset) {
    asked = dialogue;
    element("revise-error").hidden = true;
    revise.showModal();
  }
});

const form = /** @type {HTMLFormElement} */ (element("revise-form"));
form.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.isComposing) form.requestSubmit();
});
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const text = /** @type {HTMLTextAreaElement} */ (element("revise-text"));
  if (!text.value.trim()) return complain("revise-error", say("queue.noReason"));
  try {
    await server.request("POST", `${reviewOf(asked)}revision/`, { reason: text.value });
    location.reload();
  } catch (error) {
    complain("revise-error", error);
  }
});

/** What was handed in last: what the page still offers, the row that names the key, what has no row in this list. */
function undo() {
  const button = /** @type {HTMLButtonElement | null} */ (document.querySelector("[data-undo-key]"));
  if (!handedIn.isShown && button) button.click();
  else if (handedIn.canUndo) handedIn.undo();
  else if (!handedIn.isUndoing) handedIn.tell(say("queue.nothingToUndo"));
}

letDialogsClose();
bindKeys([{ keys: ["Alt+KeyZ"], act: undo }], () => document.querySelector("dialog[open]") !== null);
