// @ts-check
// The goal card: its parts with their rulers, the large ruler above the composer, ticks of facts, the line on a phone.

import { drawRuler, drawScale, stateOfBudget } from "../look/ruler.js";
import { element, find, settings, turns } from "../shared/page.js";
import { saysFact } from "./said_facts.js";

const LOW = 5;

export class Goal {
  /**
   * @param {import("./dialogue_state.js").DialogueState} state
   * @param {import("../shared/page.js").Say} say
   * @param {string} dialogue
   */
  constructor(state, say, dialogue) {
    this.state = state;
    this.say = say;
    this.ticksKey = `huace-ticks-${dialogue}`;
    /** @type {Record<string, number | null>} what the tester ticked, with its turn, and unticked (null): that stands */
    this.ticks = JSON.parse(localStorage.getItem(this.ticksKey) || "{}");
    this.shownPart = 0;
    this.body = element("goal");
    this.facts = /** @type {HTMLInputElement[]} */ ([...this.body.querySelectorAll("[data-fact]")]);
    for (const box of this.facts) this.bindFact(box);
    element("goal-line").addEventListener("click", () => this.fold(this.body.classList.contains("is-open")));
  }

  /** @param {boolean} isFolded on a phone, where the card lies over the chat */
  fold(isFolded) {
    this.body.classList.toggle("is-open", !isFolded);
    element("goal-line").setAttribute("aria-expanded", String(!isFolded));
  }

  get isOver() {
    return this.body.classList.contains("is-open");
  }

  /** @param {HTMLInputElement} box */
  bindFact(box) {
    const key = /** @type {string} */ (box.dataset.fact);
    this.showTick(box, this.ticks[key]);
    box.addEventListener("change", () => {
      this.ticks[key] = box.checked ? (this.state.turns.get(this.state.total.used)?.place ?? 0) : null;
      localStorage.setItem(this.ticksKey, JSON.stringify(this.ticks));
      this.showTick(box, this.ticks[key]);
    });
    box.addEventListener("keydown", (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      const shown = this.facts.filter((one) => one.checkVisibility());
      shown[shown.indexOf(box) + step]?.focus();
    });
  }

  /** By key: the first fact that is not said yet; arrows lead on, the space bar ticks. */
  focusFact() {
    this.fold(false);
    const shown = this.facts.filter((box) => box.checkVisibility());
    (shown.find((box) => !box.checked) ?? shown[0])?.focus();
  }

  get hasFocus() {
    return this.facts.some((box) => box === document.activeElement);
  }

  /**
   * Ticks what a message says of its part and of no part, where the tester has not decided otherwise.
   * @param {number} turn
   */
  hear(turn) {
    const { part = 0, place = 0, text = "" } = this.state.turns.get(turn) ?? {};
    for (const box of this.facts) {
      const key = /** @type {string} */ (box.dataset.fact);
      const isOfPart = key.startsWith("0.") || key.startsWith(`${part}.`);
      if (!isOfPart || box.checked || key in this.ticks) continue;
      if (saysFact(text, (box.dataset.spoken ?? "").split("|"))) this.showTick(box, place);
    }
  }

  /**
   * @param {HTMLInputElement} box
   * @param {number | null | undefined} place the turn that said it; 0 where it was ticked before the first
   */
  showTick(box, place) {
    box.checked = place !== undefined && place !== null;
    const shown = find(/** @type {HTMLElement} */ (box.parentElement), ".fact-turn");
    shown.textContent = place ? String(place) : "";
    shown.title = place ? this.say("saidInTurn", { n: place }) : "";
  }

  foldInstructions() {
    element("how")?.removeAttribute("open");
  }

  show() {
    for (const part of this.state.parts.values()) this.showPart(part);
    const current = this.state.current();
    if (current) this.open(current.index);
    this.showLine(current);
    this.showBudget(current);
  }

  /** Only the current part is open; what the tester opens by hand stays so until the next part. @param {number} index */
  open(index) {
    if (this.shownPart === index) return;
    this.shownPart = index;
    for (const row of this.body.querySelectorAll(".part")) {
      /** @type {HTMLDetailsElement} */ (row).open = row.getAttribute("data-index") === String(index);
    }
  }

  /** The data that the current part is booked from. @returns {string | undefined} */
  tableOfPart() {
    return this.body.querySelector(".part.is-current")?.getAttribute("data-booked-from") ?? undefined;
  }

  /** @param {import("./dialogue_state.js").Part} part */
  showPart(part) {
    const row = this.body.querySelector(`.part[data-index="${part.index}"]`);
    if (!(row instanceof HTMLDetailsElement)) return;
    const { used, cap, left } = this.state.budgetOf(part.index);
    const isCurrent = part.status === "open" && this.state.isOpen;
    const isLow = isCurrent && left < LOW;
    row.dataset.status = part.status;
    row.classList.toggle("is-current", isCurrent);
    row.classList.toggle("is-low", isLow);
    if (!this.state.isOpen) row.open = false;
    const words = this.wordsOf(part, used, cap, left, isLow);
    find(row, ".part-words").textContent = words;
    const ruler = row.querySelector(".ruler");
    if (!(ruler instanceof SVGElement)) return;
    const inFlight = isCurrent && this.state.isTurnInFlight;
    const state = part.status === "finished" ? "done" : isCurrent ? stateOfBudget(cap, used) : "mute";
    const label = `${row.dataset.kind}: ${words}`;
    const shown = part.status === "pending" ? 0 : used;
    drawRuler(ruler, { total: cap, used: shown - (inFlight ? 1 : 0), inFlight, lost: this.state.lostIn(part.index), state, label, height: 10 });
  }

  /**
   * @param {import("./dialogue_state.js").Part} part
   * @param {number} used
   * @param {number} cap
   * @param {number} left
   * @param {boolean} isLow
   */
  wordsOf(part, used, cap, left, isLow) {
    if (part.status === "pending") return this.say("status.pending");
    if (part.status !== "open") return this.say("partClosed", { status: this.say(`status.${part.status}`), turns: turns(this.state.turnsIn(part)) });
    return isLow ? this.say("turnsLeft", { n: left }) : `${used} / ${cap}`;
  }

  /** @param {import("./dialogue_state.js").Part | undefined} part what a phone shows of the card */
  showLine(part) {
    const row = part && this.body.querySelector(`.part[data-index="${part.index}"]`);
    element("goal-line-place").textContent = part ? String(part.index) : "✓";
    const [over, then] = settings.asksForScores ? ["scores", "dialogueOver"] : ["dialogueOver", this.state.isToScore ? "scoredByReviewers" : ""];
    element("goal-line-name").textContent = row ? row.getAttribute("data-kind") : this.say(over);
    element("goal-line-words").textContent = row ? find(row, ".part-name span").textContent : then && this.say(then);
    element("goal-line-left").textContent = part ? this.say("turnsLeft", { n: this.state.budgetOf(part.index).left }) : "";
  }

  /** @param {import("./dialogue_state.js").Part | undefined} part */
  showBudget(part) {
    if (!part) return;
    const place = find(element("budget"), ".budget");
    const { used, cap, left } = this.state.budgetOf(part.index);
    const inFlight = this.state.isTurnInFlight;
    drawScale(find(place, ".scale"), { total: cap, used: used - (inFlight ? 1 : 0), inFlight, lost: this.state.lostIn(part.index), state: stateOfBudget(cap, used) });
    place.setAttribute("aria-label", this.say("budget", { used, cap, left }));
    const words = find(place, ".left-over");
    const number = document.createElement("b");
    number.textContent = String(left);
    const [before, after] = this.say(left === 1 ? "oneTurnLeft" : "someTurnsLeft").split("{n}");
    words.replaceChildren(before, number, after);
  }
}
