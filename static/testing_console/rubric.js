// @ts-check
// The rubric by keyboard: digits choose a point of the current row, arrows move, Ctrl+Enter hands in.

export class RubricForm {
  /**
   * @param {HTMLFormElement} form
   * @param {(key: string, values?: Record<string, string | number>) => string} say
   * @param {(content: object) => Promise<void>} handIn
   */
  constructor(form, say, handIn) {
    this.form = form;
    this.say = say;
    this.handIn = handIn;
    this.rows = /** @type {HTMLElement[]} */ ([...form.querySelectorAll(".criterion")]);
    this.current = 0;
    this.isMinusPressed = false;
    this.isBusy = false;
    form.addEventListener("keydown", (event) => this.key(event));
    form.addEventListener("focusin", (event) => this.follow(event.target));
    form.addEventListener("change", () => this.showMissing(false));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.submit();
    });
  }

  /** @param {Map<number, string>} statuses of the subtasks by index, as the ledger has them */
  open(statuses) {
    this.form.hidden = false;
    for (const [index, status] of statuses) {
      const value = String(status === "finished");
      const input = this.form.querySelector(`[data-verdict="${index}"] input[value="${value}"]`);
      if (input) /** @type {HTMLInputElement} */ (input).checked = true;
    }
    const first = this.rows.findIndex((row) => !row.querySelector("input:checked"));
    this.go(first < 0 ? 0 : first);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.altKey) {
      event.preventDefault();
      this.submit();
      return;
    }
    if (event.target instanceof HTMLTextAreaElement || event.ctrlKey || event.metaKey || event.altKey) return;
    const digit = /^(?:Digit|Numpad)(\d)$/.exec(event.code);
    if (event.key === "-" || event.code === "NumpadSubtract") this.isMinusPressed = true;
    else if (digit) {
      this.choose(Number(digit[1]), this.isMinusPressed || event.shiftKey);
      this.isMinusPressed = false;
    } else if (event.key === "ArrowUp") this.go(this.current - 1);
    else if (event.key === "ArrowDown") this.go(this.current + 1);
    else if (event.key === "Enter") this.go(this.current + 1);
    else return;
    event.preventDefault();
  }

  /**
   * @param {number} digit the place of the point from the left, or a negative score's size
   * @param {boolean} isNegative
   */
  choose(digit, isNegative) {
    const inputs = /** @type {HTMLInputElement[]} */ ([...this.rows[this.current].querySelectorAll("input")]);
    const chosen = isNegative ? inputs.find((input) => input.value === String(-digit)) : inputs[digit - 1];
    if (!chosen) return;
    chosen.checked = true;
    this.showMissing(false);
    const next = this.rows.findIndex((row, place) => place > this.current && !row.querySelector("input:checked"));
    this.go(next < 0 ? Math.min(this.current + 1, this.rows.length - 1) : next);
  }

  /** @param {number} place */
  go(place) {
    if (place >= this.rows.length) {
      /** @type {HTMLElement} */ (this.form.querySelector("#comment")).focus();
      return;
    }
    this.current = Math.max(0, place);
    const row = this.rows[this.current];
    const input = row.querySelector("input:checked") || row.querySelector("input");
    /** @type {HTMLElement} */ (input).focus({ preventScroll: true });
    row.scrollIntoView({ block: "nearest" });
    this.mark();
  }

  /** @param {EventTarget | null} target */
  follow(target) {
    const place = this.rows.findIndex((row) => target instanceof Node && row.contains(target));
    if (place >= 0) this.current = place;
    this.mark(place < 0);
  }

  mark(isElsewhere = false) {
    this.rows.forEach((row, place) => row.classList.toggle("is-current", place === this.current && !isElsewhere));
  }

  /** @param {boolean} isShown */
  showMissing(isShown) {
    for (const row of this.rows) row.classList.toggle("is-missing", isShown && !row.querySelector("input:checked"));
    if (!isShown) this.complain("");
  }

  /** @param {string} sentence */
  complain(sentence) {
    const place = /** @type {HTMLElement} */ (this.form.querySelector("#rubric-error"));
    place.textContent = sentence;
    place.hidden = !sentence;
  }

  async submit() {
    if (this.isBusy) return;
    const missing = this.rows.findIndex((row) => !row.querySelector("input:checked"));
    if (missing >= 0) {
      this.go(missing);
      this.showMissing(true);
      this.complain(this.say("review.missing"));
      return;
    }
    this.isBusy = true;
    try {
      await this.handIn(this.content());
    } catch (error) {
      this.complain(this.say("review.failed", { reason: error instanceof Error ? error.message : String(error) }));
    } finally {
      this.isBusy = false;
    }
  }

  content() {
    /** @type {Record<string, boolean>} */
    const verdicts = {};
    /** @type {Record<string, number>} */
    const ratings = {};
    for (const row of this.rows) {
      const value = /** @type {HTMLInputElement} */ (row.querySelector("input:checked")).value;
      if (row.dataset.verdict) verdicts[row.dataset.verdict] = value === "true";
      else ratings[/** @type {string} */ (row.dataset.criterion)] = Number(value);
    }
    const comment = /** @type {HTMLTextAreaElement} */ (this.form.querySelector("#comment")).value;
    return { verdicts, ratings, comment };
  }
}
