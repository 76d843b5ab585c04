// @ts-check
// The score form by keyboard: what is typed is the score, arrows move between rows, Ctrl+Enter hands in.

import { isField } from "./keys.js";
import { element, find, turns } from "./page.js";
import { readKey } from "./typed_score.js";

/**
 * @typedef {import("./draft.js").Chosen} Chosen
 * @typedef {import("./draft.js").Changes} Changes
 */

export class ScoreForm {
  /**
   * @param {import("./page.js").Say} say
   * @param {{ onChange: (changes: Changes) => void, onHandIn: (chosen: Chosen) => void, onRow?: (row: HTMLElement) => void }} acts
   * @param {HTMLElement} [keysFrom] where keys are for the form: a page where nothing else is written gives its body
   */
  constructor(say, acts, keysFrom) {
    this.form = /** @type {HTMLFormElement} */ (element("rubric"));
    this.comment = /** @type {HTMLTextAreaElement} */ (element("comment"));
    this.say = say;
    this.acts = acts;
    this.rows = /** @type {HTMLElement[]} */ ([...this.form.querySelectorAll(".score-row")]);
    this.current = 0;
    // What was typed of a score that is not whole yet.
    this.typed = "";
    (keysFrom ?? this.form).addEventListener("keydown", (event) => this.key(event));
    this.form.addEventListener("focusin", (event) => this.follow(event.target));
    this.form.addEventListener("change", (event) => this.changed(event.target));
    // A press on a point is a click before it is a change: only a point that was given before is taken back.
    this.form.addEventListener("click", (event) => this.clicked(event.target));
    this.comment.addEventListener("input", () => this.acts.onChange({ comment: this.comment.value }));
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.submit();
    });
  }

  /**
   * Shows what was chosen before; where nothing is said of a part, the verdict is what the ledger says.
   * @param {Chosen} chosen
   * @param {Map<number, import("../testing_console/dialogue_state.js").Part>} parts
   */
  show(chosen, parts) {
    for (const row of this.rows) {
      const part = row.dataset.verdict ? parts.get(Number(row.dataset.verdict)) : undefined;
      const verdict = chosen.verdicts[row.dataset.verdict ?? ""] ?? (part && part.status === "finished");
      const score = row.dataset.criterion ? chosen.ratings[row.dataset.criterion] : verdict === undefined ? undefined : Number(verdict);
      for (const input of this.inputs(row)) input.checked = score !== undefined && input.value === String(score);
      this.note(row);
      if (part) find(row, ".score-turns").textContent = turns(part.turns_used);
    }
    if (document.activeElement !== this.comment) this.comment.value = chosen.comment;
  }

  appear() {
    this.form.hidden = false;
    this.form.inert = false;
  }

  /** Shows the form, ready for the first row that has no score. */
  open() {
    this.appear();
    const first = this.rows.findIndex((row) => this.lacksScore(row));
    this.go(first < 0 ? 0 : first);
  }

  /** @param {boolean} isLocked */
  lock(isLocked) {
    for (const row of this.rows) for (const input of this.inputs(row)) input.disabled = isLocked || "impossible" in input.dataset;
    this.comment.disabled = isLocked;
    element("submit-scores").hidden = isLocked;
  }

  /** @param {HTMLElement} row */
  inputs(row) {
    return /** @type {HTMLInputElement[]} */ ([...row.querySelectorAll("input")]);
  }

  /** @param {HTMLElement} row */
  scoreIn(row) {
    return this.inputs(row).find((input) => input.checked)?.value;
  }

  /** @param {HTMLElement} row */
  lacksScore(row) {
    return !this.scoreIn(row) && !("optional" in row.dataset);
  }

  /**
   * What is stored for a row: its score, or the name of its label.
   * @param {HTMLElement} row
   */
  valueOf(row) {
    const value = this.scoreIn(row);
    return row.dataset.kind === "label" ? value : Number(value);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.isComposing || event.keyCode === 229 || event.defaultPrevented) return;
    if (document.querySelector("dialog[open]")) return;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.altKey) {
      event.preventDefault();
      this.submit();
      return;
    }
    if (isField(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
    const typed = readKey(this.typed, event, this.inputs(this.rows[this.current]).map(digitsOf));
    if (event.key !== "Shift") this.typed = typed?.mayGoOn ? typed.typed : "";
    if (typed) this.type(typed);
    else if (event.key === "ArrowUp") this.go(this.current - 1);
    else if (event.key === "ArrowDown" || (event.key === "Enter" && !isButton(event.target))) this.go(this.current + 1);
    else return;
    event.preventDefault();
  }

  /** @param {{ typed: string, isScore: boolean, mayGoOn: boolean }} key */
  type({ typed, isScore, mayGoOn }) {
    if (isScore || !mayGoOn) this.choose(typed, mayGoOn);
    else this.complain(typed === "-" ? "" : this.say("review.typeOn", { typed: shown(typed) }));
  }

  /**
   * @param {string} score
   * @param {boolean} stays a longer score may be meant: the row stays the current one
   */
  choose(score, stays) {
    const row = this.rows[this.current];
    const input = this.inputs(row).find((one) => digitsOf(one) === score);
    if (!input) {
      const name = `${this.nameOf(row)} ${this.scale(row)}`;
      this.complain(this.say("review.noSuchScore", { score: shown(score), name }));
      return;
    }
    if (input.disabled) return;
    if (this.isGiven(row, input)) {
      this.takeBack(row);
      this.tell(row);
      return;
    }
    input.checked = true;
    this.changed(input);
    this.tell(row);
    if (stays) return;
    const next = this.rows.findIndex((one, place) => place > this.current && this.lacksScore(one));
    this.go(next < 0 ? Math.min(this.current + 1, this.rows.length - 1) : next);
  }

  /** @param {HTMLElement} row */
  scale(row) {
    const possible = this.inputs(row).filter((input) => !("impossible" in input.dataset));
    const scores = possible.map((input) => shown(digitsOf(input)));
    return row.querySelector(".points.is-long") ? `${scores[0]} … ${scores.at(-1)}` : scores.join(" ");
  }

  /** @param {EventTarget | null} target */
  changed(target) {
    const row = target instanceof HTMLInputElement ? target.closest(".score-row") : null;
    if (!(row instanceof HTMLElement)) return;
    this.showMissing(false);
    this.note(row);
    const score = this.valueOf(row);
    if (row.dataset.verdict) this.acts.onChange({ verdicts: { [row.dataset.verdict]: score === 1 } });
    else this.acts.onChange({ ratings: { [row.dataset.criterion ?? ""]: score } });
  }

  /** @param {EventTarget | null} target */
  clicked(target) {
    const row = target instanceof HTMLInputElement ? target.closest(".score-row") : null;
    if (row instanceof HTMLElement && target instanceof HTMLInputElement && this.isGiven(row, target)) this.takeBack(row);
  }

  /**
   * Whether an optional row has that point already: chosen again, it is taken back.
   * @param {HTMLElement} row
   * @param {HTMLInputElement} input
   */
  isGiven(row, input) {
    return "optional" in row.dataset && row.dataset.given === input.value;
  }

  /** @param {HTMLElement} row */
  takeBack(row) {
    for (const input of this.inputs(row)) input.checked = false;
    this.note(row);
    this.showMissing(false);
    this.acts.onChange({ ratings: { [row.dataset.criterion ?? ""]: null } });
  }

  /** @param {HTMLElement} row whose point is the one that was given from now on */
  note(row) {
    row.dataset.given = this.scoreIn(row) ?? "";
    const place = row.querySelector(".scale-chosen");
    if (place) place.textContent = this.wordsIn(row);
  }

  /**
   * The chosen point of a long scale, whose points show their numbers alone; empty where nothing is chosen.
   * @param {HTMLElement} row
   */
  wordsIn(row) {
    const point = this.inputs(row).find((input) => input.checked)?.parentElement;
    const [number, label] = ["b", "span"].map((part) => point?.querySelector(part)?.textContent ?? "");
    return label && label !== number ? `${number} ${label}` : number;
  }

  /**
   * Says what was typed on a long scale: its point has no focus, so a screen reader does not read it as one that was pressed.
   * @param {HTMLElement} row
   */
  tell(row) {
    const words = this.wordsIn(row) || this.say("review.noScore");
    if (row.querySelector(".scale-chosen")) element("typed-score").textContent = `${this.nameOf(row)} ${words}`;
  }

  /** @param {number} place */
  go(place) {
    this.typed = "";
    if (place >= this.rows.length) {
      this.comment.focus();
      return;
    }
    this.current = Math.max(0, place);
    const row = this.rows[this.current];
    const inputs = this.inputs(row);
    (inputs.find((input) => input.checked) ?? inputs[0]).focus({ preventScroll: true });
    row.scrollIntoView({ block: "nearest" });
    this.mark();
  }

  /** @param {EventTarget | null} target */
  follow(target) {
    const place = this.rows.findIndex((row) => target instanceof Node && row.contains(target));
    if (place !== this.current) this.typed = "";
    if (place >= 0) this.current = place;
    this.mark(place < 0);
  }

  mark(isElsewhere = false) {
    this.rows.forEach((row, place) => row.classList.toggle("is-current", place === this.current && !isElsewhere));
    if (!isElsewhere && this.rows.length) this.acts.onRow?.(this.rows[this.current]);
  }

  /** @returns {string[]} the names of the rows without a score */
  missing() {
    return this.rows.filter((row) => this.lacksScore(row)).map((row) => this.nameOf(row));
  }

  /**
   * Its letter; with its place among the rows of that letter where there are several: C1, C2.
   * @param {HTMLElement} row
   */
  nameOf(row) {
    const letter = row.dataset.letter ?? "";
    const alike = this.rows.filter((other) => other.dataset.letter === letter);
    return alike.length > 1 ? `${letter}${alike.indexOf(row) + 1}` : letter;
  }

  /** @param {boolean} isShown */
  showMissing(isShown) {
    for (const row of this.rows) row.classList.toggle("is-missing", isShown && this.lacksScore(row));
    if (!isShown) this.complain("");
  }

  /** @param {string} sentence */
  complain(sentence) {
    const place = element("scores-error");
    place.textContent = sentence;
    place.hidden = !sentence;
  }

  submit() {
    const missing = this.rows.findIndex((row) => this.lacksScore(row));
    if (missing < 0) {
      this.acts.onHandIn(this.chosen());
      return;
    }
    this.go(missing);
    this.showMissing(true);
    this.complain(this.say("review.missing", { letters: this.missing().join(this.say("between")) }));
  }

  /** @returns {Chosen} */
  chosen() {
    /** @type {Chosen} */
    const chosen = { ratings: {}, verdicts: {}, comment: this.comment.value };
    for (const row of this.rows) {
      if (!this.scoreIn(row)) continue;
      const score = this.valueOf(row);
      if (row.dataset.verdict) chosen.verdicts[row.dataset.verdict] = score === 1;
      else chosen.ratings[row.dataset.criterion ?? ""] = score;
    }
    return chosen;
  }
}

/** @param {HTMLInputElement} input what is typed to choose it */
function digitsOf(input) {
  return input.dataset.digit ?? input.value;
}

/** @param {string} score */
function shown(score) {
  return score.replace("-", "\u2212");
}

/** @param {EventTarget | null} target whether Enter presses it */
function isButton(target) {
  return target instanceof Element && target.closest("button, a, summary") !== null;
}
