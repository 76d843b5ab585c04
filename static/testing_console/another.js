// @ts-check
// Another assignment, where this system fails, pauses or lets the tester wait. This dialogue stays on the list.

import { element, settings } from "../shared/page.js";

/** Begins what comes next. */
export function openAnother() {
  if (settings.hasAnother) /** @type {HTMLFormElement} */ (element("another")).requestSubmit();
}

/**
 * The button of a note that offers it; nothing where there is nothing else to do.
 * @param {import("../shared/page.js").Say} say
 * @returns {{ act?: import("./notes.js").NoteAct }}
 */
export function offerOfAnother(say) {
  return settings.hasAnother ? { act: { label: `${say("another")} Alt N`, act: openAnother } } : {};
}
