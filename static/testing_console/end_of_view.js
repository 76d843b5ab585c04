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
    this.top = view.scrollTop;
    view.addEventListener("scroll", () => this.scrolled());
    new ResizeObserver(() => this.isAtEnd && this.go()).observe(view);
    button.addEventListener("click", () => this.go());
  }

  /** Only who scrolls up leaves the end: when this is heard, the transcript may have grown since it was brought there. */
  scrolled() {
    const { scrollHeight, scrollTop, clientHeight } = this.view;
    if (scrollHeight - scrollTop - clientHeight < NEAR_PX) {
      this.isAtEnd = true;
      this.button.hidden = true;
    } else if (scrollTop < this.top) {
      this.isAtEnd = false;
    }
    this.top = scrollTop;
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
    this.top = this.view.scrollTop;
    this.isAtEnd = true;
    this.button.hidden = true;
  }
}
