// @ts-check
// The checklist of what the tester was given to use. Its ticks are kept on the server; when all are set, the dialogue may end.

import { element } from "../shared/page.js";
import { Refused } from "../shared/server.js";

export class Items {
  /**
   * @param {string} dialogue
   * @param {import("../shared/server.js").Server} server
   * @param {import("../shared/page.js").Say} say
   * @param {{ onSaid: (words: string, isWarning?: boolean) => void, onChange: () => void }} acts
   */
  constructor(dialogue, server, say, { onSaid, onChange }) {
    this.url = `/api/v1/dialogues/${dialogue}/items/`;
    this.server = server;
    this.say = say;
    this.onSaid = onSaid;
    this.onChange = onChange;
    this.boxes = /** @type {HTMLInputElement[]} */ ([...document.querySelectorAll("[data-item]")]);
    /** One request after the other, or an older one could arrive last. */
    this.saving = Promise.resolve();
    for (const box of this.boxes) box.addEventListener("change", () => this.changed(box));
  }

  get areAllUsed() {
    return this.boxes.length > 0 && this.boxes.every((box) => box.checked);
  }

  /** @param {HTMLInputElement} box */
  changed(box) {
    this.show();
    this.onChange();
    this.saving = this.saving.then(() => this.save(box));
  }

  /** @param {HTMLInputElement} box */
  async save(box) {
    const ticked = this.boxes.flatMap((one, place) => (one.checked ? [place] : []));
    try {
      await this.server.request("PATCH", this.url, { ticked });
    } catch (error) {
      // What is not stored is not shown as if it were.
      box.checked = !box.checked;
      this.show();
      this.onChange();
      this.onSaid(this.say("items.notStored", { reason: error instanceof Refused ? error.message : this.say("review.network") }), true);
    }
  }

  show() {
    if (!this.boxes.length) return;
    const n = this.boxes.filter((box) => box.checked).length;
    element("items-words").textContent = this.say("items.used", { n, all: this.boxes.length });
  }

  /** Nothing is ticked in a dialogue that is over. */
  close() {
    for (const box of this.boxes) box.disabled = true;
  }
}
