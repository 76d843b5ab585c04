// @ts-check
// What was said before the page was opened comes line by line. The transcript is hidden until the last of these lines is drawn,
// so nothing that is seen moves; the style sheet shows it after some seconds, whatever became of the lines.

export class Replay {
  /** @param {HTMLElement} list */
  constructor(list) {
    this.list = list;
    this.lastSeq = 0;
    this.tellShown = () => {};
    /** @type {Promise<void>} what is hidden takes no focus: who gives it waits for this */
    this.shown = new Promise((resolve) => (this.tellShown = resolve));
  }

  /** @param {number} lastSeq the last line that stood in the ledger when the page was opened */
  begin(lastSeq) {
    this.lastSeq = lastSeq;
    if (!lastSeq) this.show();
  }

  get isEmpty() {
    return this.lastSeq === 0;
  }

  /** @param {{ seq: number }} frame whether it happens now, not before this page was opened */
  isNews(frame) {
    return frame.seq > this.lastSeq;
  }

  /** @param {{ seq?: number }} frame that was drawn */
  drawn(frame) {
    if (frame.seq && frame.seq >= this.lastSeq) this.show();
  }

  show() {
    delete this.list.dataset.replayed;
    this.tellShown();
  }
}
