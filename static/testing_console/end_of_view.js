// @ts-check
// Keeps the transcript at its end unless the tester scrolled up; then a button leads back.

const NEAR_PX = 40;

export class EndOfView {
  /**
   * @param {HTMLElement} view
   * @param {HTMLElement} button
   */
  constructor(view, button) {
    this.view = view;
    this.button = button;
    this.isAtEnd = true;
    this.isPlanned = false;
    view.addEventListener("scroll", () => {
      this.isAtEnd = view.scrollHeight - view.scrollTop - view.clientHeight < NEAR_PX;
      if (this.isAtEnd) button.hidden = true;
    });
    new ResizeObserver(() => this.isAtEnd && this.go()).observe(view);
    button.addEventListener("click", () => this.go());
  }

  /** Once per frame, however often the transcript has grown. */
  grown() {
    if (this.isPlanned) return;
    this.isPlanned = true;
    requestAnimationFrame(() => {
      this.isPlanned = false;
      if (this.isAtEnd) this.go();
      else this.button.hidden = false;
    });
  }

  go() {
    this.view.scrollTop = this.view.scrollHeight;
    this.isAtEnd = true;
    this.button.hidden = true;
  }
}
