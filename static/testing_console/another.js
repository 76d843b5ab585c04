// @ts-check
// Another assignment, where this system fails, pauses or lets the tester wait. This dialogue stays on the list.

import { element, settings } from "../shared/page.js";

/** Begins what comes next. */
export function openAnother() {
  if (settings.hasAnother) /** @type {HTMLFormElement} */ (element("another")).requestSubmit();
}

/** Alt+N presses the button that names it; where none is shown, a healthy dialogue is not left by a slip of the hand. */
export function pressAnother() {
  const buttons = [...document.querySelectorAll("button")];
  buttons.find((button) => button.textContent?.includes("Alt N") && button.checkVisibility())?.click();
}

/**
 * The button of a note that offers it; nothing where there is nothing else to do.
 * @param {import("../shared/page.js").Say} say
 * @returns {{ act?: import("./notes.js").NoteAct }}
 */
export function offerOfAnother(say) {
  return settings.hasAnother ? { act: { label: `${say("another")} Alt N`, act: openAnother } } : {};
}
