// @ts-check
// On a screen that has room for one of the two, the rubric is a sheet over the transcript.

import { element } from "../shared/page.js";

export class RubricSheet {
  constructor() {
    this.rubric = element("rubric");
    this.button = element("open-rubric");
    this.button.addEventListener("click", () => this.open());
    element("close-rubric").addEventListener("click", () => this.close());
  }

  open() {
    this.show(true);
  }

  close() {
    if (this.rubric.classList.contains("is-open")) this.button.focus();
    this.show(false);
  }

  /** @param {boolean} isOpen */
  show(isOpen) {
    this.rubric.classList.toggle("is-open", isOpen);
    this.button.setAttribute("aria-expanded", String(isOpen));
  }
}
