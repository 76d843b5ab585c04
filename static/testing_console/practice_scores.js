// @ts-check
// The scores of a practice dialogue, beside those of a reference with its reasons. Nothing is stored.

import { element, find, fromTemplate, inOneLine } from "../shared/page.js";
import { ScoreForm } from "../shared/score_form.js";

export class PracticeScores {
  /**
   * @param {import("./practice_bot.js").Practice} practice
   * @param {import("../shared/page.js").Say} say
   * @param {() => boolean} isBooked
   */
  constructor(practice, say, isBooked) {
    this.practice = practice;
    this.isBooked = isBooked;
    this.form = new ScoreForm(say, { onChange: () => {}, onHandIn: () => this.compare() });
  }

  /** @param {Map<number, import("./dialogue_state.js").Part>} parts */
  open(parts) {
    this.form.show({ ratings: {}, verdicts: {}, comment: "" }, parts);
    this.form.open();
  }

  compare() {
    this.form.lock(true);
    for (const row of this.form.rows) this.explain(row);
    element("practice-end").hidden = false;
    find(element("practice-end"), ".primary").focus();
  }

  /** @param {HTMLElement} row */
  explain(row) {
    const reference = this.referenceOf(row);
    const line = fromTemplate("reference-template");
    line.textContent = this.wordsOf(row, reference);
    line.classList.toggle("is-same", reference !== null && this.form.scoreIn(row) === String(reference.score));
    row.append(line);
    const point = reference && this.form.inputs(row).find((input) => input.value === String(reference.score));
    point?.parentElement?.classList.add("is-reference");
  }

  /**
   * @param {HTMLElement} row
   * @returns {import("./practice_bot.js").Reference}
   */
  referenceOf(row) {
    const isBooked = this.isBooked();
    if (row.dataset.verdict) return { score: Number(isBooked), why: isBooked ? this.practice.booked : this.practice.notBooked };
    const [key] = (row.dataset.criterion ?? "").split("#");
    return isBooked ? (this.practice.references[key] ?? null) : null;
  }

  /**
   * @param {HTMLElement} row
   * @param {import("./practice_bot.js").Reference} reference
   */
  wordsOf(row, reference) {
    if (!reference) return this.isBooked() ? this.practice.none : this.practice.cut;
    const isSame = this.form.scoreIn(row) === String(reference.score);
    const words = isSame ? this.practice.same : this.practice.other;
    return inOneLine([words.replace("{score}", String(reference.score).replace("-", "\u2212")), reference.why]);
  }
}
