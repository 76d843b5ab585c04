// @ts-check
// Evidence: the turn that shows why a score was given, one per rating.

import { find } from "../shared/page.js";

export class Evidence {
  /**
   * @param {HTMLElement[]} rows of the rubric
   * @param {import("./transcript.js").Transcript} transcript
   * @param {import("../shared/page.js").Say} say
   * @param {(changes: import("../shared/draft.js").Changes) => void} onChange
   */
  constructor(rows, transcript, say, onChange) {
    this.rows = rows.filter((row) => row.dataset.criterion);
    this.transcript = transcript;
    this.say = say;
    this.onChange = onChange;
    /** @type {Record<string, number>} */
    this.turns = {};
    /** @type {HTMLElement | null} the row that E pins for */
    this.row = null;
    /** @type {HTMLElement | null} the row of the rubric that is current */
    this.current = null;
    /** @type {HTMLElement | undefined} the row that was scored last */
    this.scored = undefined;
    this.isLocked = false;
    for (const row of this.rows) {
      find(row, ".evidence-of").addEventListener("click", (event) => this.clicked(row, event.target));
    }
  }

  /**
   * @param {HTMLElement} row
   * @param {EventTarget | null} target
   */
  clicked(row, target) {
    const turn = this.turns[row.dataset.criterion ?? ""];
    if (turn !== undefined && target instanceof Element && target.closest("button")) this.transcript.goToTurn(turn);
  }

  /** @param {HTMLElement} row of the rubric that is current now */
  follow(row) {
    this.current = row.dataset.criterion ? row : null;
    this.aim();
  }

  /** E serves the row that asks for a turn: the current one, the one scored last, any other; only then the current row all the same. */
  aim() {
    const asking = this.rows.filter((row) => this.lacks(row));
    this.row = asking.find((row) => row === this.current) ?? asking.find((row) => row === this.scored) ?? asking[0] ?? this.current;
    this.show();
  }

  /** @param {Record<string, number>} turns */
  take(turns) {
    this.turns = { ...turns };
    this.aim();
  }

  /**
   * Takes note of what was scored; forgets the evidence of ratings that are taken back, as the server does.
   * @param {Record<string, import("../shared/draft.js").Rating>} ratings that were changed
   */
  note(ratings) {
    for (const [rating, value] of Object.entries(ratings)) {
      if (value === null) delete this.turns[rating];
      this.scored = this.rows.find((row) => row.dataset.criterion === rating);
    }
    this.aim();
  }

  /**
   * The turns that show why a score was given; one pinned where there is no score yet shows nothing.
   * @param {Record<string, import("../shared/draft.js").Rating>} ratings
   * @returns {Record<string, number>}
   */
  chosen(ratings) {
    return Object.fromEntries(Object.entries(this.turns).filter(([rating]) => rating in ratings));
  }

  /**
   * Pins a turn for the row that E serves, or takes it off where it is pinned already.
   * @param {number} turn
   */
  pin(turn) {
    const rating = this.row?.dataset.criterion;
    if (!rating || this.isLocked) return;
    const isTakenOff = this.turns[rating] === turn;
    if (isTakenOff) delete this.turns[rating];
    else this.turns[rating] = turn;
    this.show();
    this.onChange({ evidence: { [rating]: isTakenOff ? null : turn } });
  }

  show() {
    /** @type {Map<number, string[]>} */
    const letters = new Map();
    for (const row of this.rows) {
      const turn = this.turns[row.dataset.criterion ?? ""];
      if (turn !== undefined) letters.set(turn, [...(letters.get(turn) ?? []), row.dataset.letter ?? ""]);
      this.showIn(row, turn);
    }
    this.transcript.showPins(letters, this.row?.dataset.letter ?? "", this.turns[this.row?.dataset.criterion ?? ""]);
  }

  /**
   * @param {HTMLElement} row
   * @param {number | undefined} turn
   */
  showIn(row, turn) {
    const place = find(row, ".evidence-of");
    const isAsked = this.lacks(row);
    const asked = row === this.row ? "review.evidenceNeeded" : "review.evidenceLacking";
    place.classList.toggle("is-asked", isAsked);
    const button = document.createElement("button");
    button.type = "button";
    button.className = "evidence";
    button.textContent = this.say(isAsked ? asked : "review.evidenceAt", { n: turn ?? 0 });
    place.replaceChildren(...(turn === undefined && !isAsked ? [] : [button]));
  }

  /** @param {HTMLElement} row whether its score asks for a turn that shows it */
  isNeeded(row) {
    const below = row.dataset.evidenceBelow;
    const chosen = /** @type {HTMLInputElement | null} */ (row.querySelector("input:checked"));
    return below !== undefined && chosen !== null && Number(chosen.dataset.digit) < Number(below);
  }

  /** @param {HTMLElement} row */
  lacks(row) {
    return this.isNeeded(row) && this.turns[row.dataset.criterion ?? ""] === undefined;
  }

  /** @returns {HTMLElement[]} the rows whose scores lack their evidence */
  missing() {
    return this.rows.filter((row) => this.lacks(row));
  }

  /** @returns {HTMLElement | undefined} the last row that has evidence */
  last() {
    return this.rows.findLast((row) => this.turns[row.dataset.criterion ?? ""] !== undefined);
  }
}
