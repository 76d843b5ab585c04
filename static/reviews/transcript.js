// @ts-check
// The transcript: a cursor on one turn, the labels of each turn by single keys, chips for what was given and pinned.

import { forReading } from "../shared/keys.js";
import { find, fromTemplate, showDialog } from "../shared/page.js";
import { showText } from "../shared/inert_text.js";

export class Transcript {
  /**
   * @param {HTMLElement} place
   * @param {import("../shared/page.js").Say} say
   * @param {{ onLabel: (rating: string, value: string | number | null) => void, onPin: (turn: number) => void, onVerdict: (part: string) => void }} acts
   */
  constructor(place, say, acts) {
    this.place = place;
    this.say = say;
    this.acts = acts;
    this.rows = /** @type {HTMLElement[]} */ ([...place.querySelectorAll(".read-turn")]);
    this.sets = /** @type {HTMLElement[]} */ ([...place.querySelectorAll(".label-set")]);
    this.current = -1;
    this.turnKey = `huace-turn-${location.pathname}`;
    for (const said of /** @type {NodeListOf<HTMLElement>} */ (place.querySelectorAll("[data-said]"))) {
      showText(said, said.textContent ?? "");
    }
    place.addEventListener("click", (event) => this.clicked(event.target));
    place.addEventListener("focusin", (event) => this.follow(event.target));
  }

  /** The keys of every page that shows a transcript: through its turns, and the list of keys. */
  keys() {
    return [
      { keys: ["j", "J"], act: () => this.go(this.current + 1), ...forReading },
      { keys: ["k", "K"], act: () => this.go(this.current - 1), ...forReading },
      { keys: ["?"], act: () => showDialog("help"), ...forReading },
    ];
  }

  /** @param {EventTarget | null} target */
  clicked(target) {
    if (!(target instanceof Element)) return;
    const row = /** @type {HTMLElement | null} */ (target.closest(".read-turn"));
    const button = /** @type {HTMLElement | null} */ (target.closest("button"));
    if (row) this.go(this.rows.indexOf(row));
    if (button?.matches("[data-pin]") && row) this.acts.onPin(Number(row.dataset.turn));
    else if (button?.matches("[data-value]")) this.choose(button);
    else if (button?.matches("[data-verdict-of]")) this.acts.onVerdict(button.dataset.verdictOf ?? "");
  }

  /** @param {EventTarget | null} target */
  follow(target) {
    const place = this.rows.findIndex((row) => target instanceof Node && row.contains(target));
    if (place >= 0) this.mark(place);
  }

  /**
   * Moves the cursor, and the focus with it, so that a screen reader reads the turn.
   * @param {number} place
   */
  go(place) {
    if (!this.rows.length) return;
    this.mark(Math.min(Math.max(0, place), this.rows.length - 1));
    const row = this.rows[this.current];
    if (!row.contains(document.activeElement)) row.focus({ preventScroll: true });
    row.scrollIntoView({ block: "nearest" });
  }

  /** Marks the turn that was the current one before the page was loaded again; else the first that lacks a label, or the first. */
  goOn() {
    const before = this.rows.findIndex((row) => row.dataset.turn === sessionStorage.getItem(this.turnKey));
    const place = before >= 0 ? before : this.rows.findIndex((row) => this.lacksLabel(row));
    if (this.rows.length) this.mark(Math.max(0, place));
  }

  /** @param {number} place */
  mark(place) {
    this.current = place;
    sessionStorage.setItem(this.turnKey, String(this.turn));
    this.rows.forEach((row, index) => {
      row.classList.toggle("is-current", index === place);
      if (index === place) row.setAttribute("aria-current", "true");
      else row.removeAttribute("aria-current");
    });
  }

  get turn() {
    return this.current < 0 ? null : Number(this.rows[this.current].dataset.turn);
  }

  /** @param {number} turn */
  goToTurn(turn) {
    this.go(this.rows.findIndex((row) => Number(row.dataset.turn) === turn));
  }

  /** The next turn after the cursor that lacks a label, or the first of all. */
  goToUnlabelled() {
    const lacking = this.rows.map((row, place) => (this.lacksLabel(row) ? place : -1)).filter((place) => place >= 0);
    const next = lacking.find((place) => place > this.current) ?? lacking[0];
    if (next !== undefined) this.go(next);
    return next !== undefined;
  }

  /** @param {HTMLElement} row */
  lacksLabel(row) {
    return [...row.querySelectorAll(".label-set:not([data-optional])")].some((set) => !set.querySelector("[aria-pressed=true]"));
  }

  /**
   * Gives the label of that key to the turn at the cursor; a turn that is complete with it leads on to the next one.
   * @param {string} key
   * @returns {boolean} whether the turn has such a label
   */
  press(key) {
    const row = this.rows[this.current];
    const button = /** @type {HTMLButtonElement | null} */ (row?.querySelector(`[data-shortcut="${CSS.escape(key.toLowerCase())}"]`));
    if (!button || !key) return false;
    const wasLacking = this.lacksLabel(row);
    this.choose(button);
    if (wasLacking && !this.lacksLabel(row)) this.goToUnlabelled();
    return true;
  }

  /** @param {HTMLElement} button */
  choose(button) {
    if (button.hasAttribute("disabled")) return;
    const set = /** @type {HTMLElement} */ (button.closest(".label-set"));
    const isTakenBack = button.getAttribute("aria-pressed") === "true";
    const value = isTakenBack ? null : button.dataset.value ?? "";
    this.showLabel(set, value);
    this.acts.onLabel(set.dataset.rating ?? "", value === null || set.dataset.kind === "label" ? value : Number(value));
  }

  /**
   * @param {HTMLElement} set
   * @param {string | null} value
   */
  showLabel(set, value) {
    for (const button of /** @type {NodeListOf<HTMLElement>} */ (set.querySelectorAll("[data-value]"))) {
      button.setAttribute("aria-pressed", String(value !== null && button.dataset.value === value));
    }
    this.showMarks(/** @type {HTMLElement} */ (set.closest(".read-turn")));
  }

  /** @param {Record<string, import("../shared/draft.js").Rating>} ratings */
  showLabels(ratings) {
    for (const set of this.sets) {
      const value = ratings[set.dataset.rating ?? ""];
      this.showLabel(set, value === undefined || value === null ? null : String(value));
    }
  }

  /**
   * The chips beside a turn: its labels, then the criteria that it is evidence for.
   * @param {HTMLElement} row
   */
  showMarks(row) {
    const chips = [...row.querySelectorAll(".label-set")].flatMap((set) => {
      const chosen = set.querySelector("[aria-pressed=true] .label-words");
      return chosen ? [this.chip("label-chip", chosen.textContent ?? "", /** @type {HTMLElement} */ (set).dataset.speaker)] : [];
    });
    const pins = (row.dataset.pins ?? "").split(" ").filter(Boolean);
    const evidence = pins.map((letter) => this.chip("evidence-chip", this.say("review.evidenceFor", { letter })));
    find(row, ".marks").replaceChildren(...chips, ...evidence);
  }

  /**
   * @param {string} template
   * @param {string} words
   * @param {string} [speaker]
   */
  chip(template, words, speaker) {
    const chip = fromTemplate(template);
    find(chip, "span").textContent = words;
    if (speaker) chip.dataset.speaker = speaker;
    return chip;
  }

  /**
   * Shows which turn is pinned for which criterion, and what E would do at the cursor.
   * @param {Map<number, string[]>} lettersByTurn
   * @param {string} letter of the criterion at hand
   * @param {number | undefined} pinned its turn
   */
  showPins(lettersByTurn, letter, pinned) {
    for (const row of this.rows) {
      const turn = Number(row.dataset.turn);
      row.dataset.pins = (lettersByTurn.get(turn) ?? []).join(" ");
      const key = /** @type {HTMLElement} */ (find(row, "[data-pin]"));
      key.hidden = !letter;
      key.setAttribute("aria-pressed", String(pinned === turn));
      find(key, "span").textContent = this.say("review.evidenceFor", { letter });
      this.showMarks(row);
    }
  }

  /**
   * What the reviewers of a panel gave, for whoever decides between them.
   * @param {Record<string, [number, string][]>} labels of each rating, by the number of the reviewer
   */
  showPanel(labels) {
    for (const set of this.sets) {
      const given = document.createElement("span");
      given.className = "muted small";
      given.textContent = (labels[set.dataset.rating ?? ""] ?? []).map(([number, value]) => `${number}: ${value}`).join(" · ");
      set.append(given);
    }
  }

  /** @returns {{ given: number, all: number }} how many of the labels that are asked for are there */
  counted() {
    const asked = this.sets.filter((set) => !("optional" in set.dataset));
    return { given: asked.filter((set) => set.querySelector("[aria-pressed=true]")).length, all: asked.length };
  }

  /** @returns {Record<string, import("../shared/draft.js").Rating>} the labels by rating */
  chosen() {
    /** @type {Record<string, import("../shared/draft.js").Rating>} */
    const ratings = {};
    for (const set of this.sets) {
      const button = /** @type {HTMLElement | null} */ (set.querySelector("[aria-pressed=true]"));
      if (button) ratings[set.dataset.rating ?? ""] = set.dataset.kind === "label" ? button.dataset.value : Number(button.dataset.value);
    }
    return ratings;
  }

  /** @param {boolean} isLocked */
  lock(isLocked) {
    for (const button of this.place.querySelectorAll(".label-key")) button.toggleAttribute("disabled", isLocked);
  }
}
