// @ts-check
// Where the tester writes: grows to six lines, keeps its draft, counts, and leaves Enter to the input method while it composes.

import { element } from "../shared/page.js";

const REFUSED_SHOWN_MS = 700;

export class Composer {
  /**
   * @param {string} dialogue
   * @param {number} limit
   * @param {(text: string) => void} onSend
   */
  constructor(dialogue, limit, onSend) {
    this.box = /** @type {HTMLTextAreaElement} */ (element("text"));
    this.form = element("composer");
    this.draftKey = `huace-draft-${dialogue}`;
    this.limit = limit;
    this.isComposing = false;
    const send = () => onSend(this.box.value);
    // Enter belongs to the input method until it has ended composing; keyCode 229 is what some of them send instead.
    this.box.addEventListener("compositionstart", () => (this.isComposing = true));
    this.box.addEventListener("compositionend", () => (this.isComposing = false));
    this.box.addEventListener("input", () => this.changed());
    this.box.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return;
      if (event.isComposing || this.isComposing || event.keyCode === 229) return;
      event.preventDefault();
      send();
    });
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      send();
    });
    // Before this script ran something may have been written already.
    this.putBefore(localStorage.getItem(this.draftKey) || "");
    this.changed();
    // Until here it would have submitted the form without this script, and what was written with it.
    /** @type {HTMLButtonElement} */ (element("send")).disabled = false;
  }

  /** @param {string} text */
  write(text) {
    this.box.value = text;
    this.changed();
  }

  /** Puts text at the cursor. @param {string} text */
  insert(text) {
    this.box.setRangeText(text, this.box.selectionStart, this.box.selectionEnd, "end");
    this.changed();
    this.focus();
  }

  /** Puts text before whatever is written, once. @param {string} text */
  putBefore(text) {
    const written = this.box.value;
    if (text && written !== text && !written.startsWith(`${text}\n`)) this.write(written ? `${text}\n${written}` : text);
  }

  focus() {
    if (!this.box.disabled) this.box.focus();
  }

  get isTooLong() {
    return [...this.box.value].length > this.limit;
  }

  changed() {
    const text = this.box.value;
    if (text) localStorage.setItem(this.draftKey, text);
    else localStorage.removeItem(this.draftKey);
    const count = element("count");
    // The server counts characters, not the halves that JavaScript keeps some of them in.
    count.textContent = `${[...text].length} / ${this.limit}`;
    count.classList.toggle("is-over", this.isTooLong);
    this.box.style.height = "auto";
    this.box.style.height = `${this.box.scrollHeight}px`;
  }

  /** Answers an Enter that sends nothing, so that it is seen. */
  refuse() {
    this.form.classList.add("is-refused");
    setTimeout(() => this.form.classList.remove("is-refused"), REFUSED_SHOWN_MS);
  }

  close() {
    localStorage.removeItem(this.draftKey);
    this.box.disabled = true;
    element("write").hidden = true;
  }
}
