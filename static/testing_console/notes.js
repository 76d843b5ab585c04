// @ts-check
// One line above the composer. Each note has a reason, and goes when the reason is over.

import { element } from "../shared/page.js";

/** @typedef {{ label: string, act: () => void }} NoteAct */

export class Notes {
  constructor() {
    /** @type {Map<string, { words: string, isWarning: boolean, act: NoteAct | undefined }>} the latest is shown */
    this.reasons = new Map();
    /** @type {NoteAct | undefined} */
    this.act = undefined;
    element("note-act").addEventListener("click", () => this.act?.act());
  }

  /**
   * @param {string} reason
   * @param {string} words
   * @param {{ isWarning?: boolean, act?: NoteAct }} [how]
   */
  say(reason, words, { isWarning = false, act } = {}) {
    this.reasons.delete(reason);
    this.reasons.set(reason, { words, isWarning, act });
    this.show();
  }

  /**
   * The same for what lasts: said once, it does not come before what was said since.
   * @param {string} reason
   * @param {string} words
   * @param {{ isWarning?: boolean, act?: NoteAct }} [how]
   */
  keep(reason, words, how) {
    if (!this.reasons.has(reason)) this.say(reason, words, how);
  }

  /** @param {string[]} reasons that are over */
  drop(...reasons) {
    for (const reason of reasons) this.reasons.delete(reason);
    this.show();
  }

  show() {
    const shown = [...this.reasons.values()].at(-1);
    const place = element("note");
    this.act = shown?.act;
    place.hidden = !shown;
    place.classList.toggle("is-warning", Boolean(shown?.isWarning));
    element("note-words").textContent = shown?.words ?? "";
    element("note-act").hidden = !shown?.act;
    element("note-act").textContent = shown?.act?.label ?? "";
  }
}
