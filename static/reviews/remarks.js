// @ts-check
// What is said instead of a score: the maker of the system shows, or the dialogue cannot be judged.

import { element } from "../shared/page.js";

/** @typedef {"leaked" | "cannot_judge"} Kind */

export class Remarks {
  /**
   * @param {string} dialogue
   * @param {import("../shared/server.js").Server} server
   * @param {import("../shared/page.js").Say} say
   * @param {(kind: Kind) => void} onSaid
   */
  constructor(dialogue, server, say, onSaid) {
    this.url = `/api/v1/dialogues/${dialogue}/remark/`;
    this.server = server;
    this.say = say;
    this.onSaid = onSaid;
    this.dialog = /** @type {HTMLDialogElement} */ (element("remark"));
    this.text = /** @type {HTMLTextAreaElement} */ (element("remark-text"));
    this.kind = /** @type {Kind} */ ("leaked");
    const form = /** @type {HTMLFormElement} */ (element("remark-form"));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.send();
    });
    form.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.isComposing) form.requestSubmit();
    });
    for (const button of document.querySelectorAll("[data-remark]")) {
      button.addEventListener("click", () => this.open(/** @type {Kind} */ (button.getAttribute("data-remark"))));
    }
  }

  /** @param {Kind} kind */
  open(kind) {
    if (this.dialog.open || !document.querySelector("[data-remark]")) return;
    this.kind = kind;
    for (const part of ["title", "words", "label"]) element(`remark-${part}`).textContent = this.say(`remark.${kind}.${part}`);
    this.complain("");
    this.dialog.showModal();
    this.text.focus();
  }

  async send() {
    if (this.kind === "cannot_judge" && !this.text.value.trim()) {
      this.complain(this.say("remark.empty"));
      return;
    }
    try {
      await this.server.request("POST", this.url, { kind: this.kind, text: this.text.value });
    } catch (error) {
      this.complain(error instanceof Error && error.message ? error.message : this.say("review.network"));
      return;
    }
    this.text.value = "";
    this.dialog.close();
    this.onSaid(this.kind);
  }

  /** @param {string} sentence */
  complain(sentence) {
    const place = element("remark-error");
    place.textContent = sentence;
    place.hidden = !sentence;
  }
}
