// @ts-check
// The vote below both sides: four buttons with their keys, why, and the turn that shows it.

import { bindKeys, forReading } from "../shared/keys.js";
import { element, say, settings, showDialog } from "../shared/page.js";
import { LoggedOut, Refused } from "../shared/server.js";
import { rememberVote } from "./voted.js";

/** @typedef {"left" | "right" | "tie" | "both_bad"} Verdict */

/** @type {[Verdict, string[], string][]} */
const KEYS = [
  ["left", ["1", "ArrowLeft"], "Alt+Digit1"],
  ["right", ["2", "ArrowRight"], "Alt+Digit2"],
  ["tie", ["3", "="], "Alt+Digit3"],
  ["both_bad", ["4", "0"], "Alt+Digit4"],
];

export class Vote {
  /**
   * @param {import("../shared/server.js").Server} server
   * @param {import("./voted.js").Voted} voted
   * @param {{ whyNot?: () => string, prepare?: () => Promise<boolean>, undo?: () => boolean }} [how] `prepare` makes the dialogues ready,
   * as by ending them; `undo` takes back what is not a vote
   */
  constructor(server, voted, { whyNot = () => "", prepare = async () => true, undo = () => false } = {}) {
    this.server = server;
    this.voted = voted;
    this.whyNot = whyNot;
    this.prepare = prepare;
    this.version = settings.vote.version;
    this.isBusy = false;
    this.reason = /** @type {HTMLInputElement | null} */ (document.getElementById("reason"));
    this.side = /** @type {HTMLSelectElement | null} */ (document.getElementById("evidence-side"));
    this.turn = /** @type {HTMLInputElement | null} */ (document.getElementById("evidence-turn"));
    for (const button of this.buttons()) button.addEventListener("click", () => void this.choose(/** @type {Verdict} */ (button.dataset.verdict)));
    document.getElementById("go-on")?.addEventListener("click", () => void this.goOn());
    element("vote").addEventListener("submit", (event) => event.preventDefault());
    const canVote = this.buttons().length > 0;
    const choices = canVote ? KEYS.flatMap(([verdict, keys, whileWriting]) => [
      { keys, act: () => this.press(verdict), ...forReading },
      { keys: [whileWriting], act: () => this.press(verdict) },
    ]) : [{ keys: ["Enter"], act: () => void this.goOn(), ...forReading }];
    bindKeys(
      [
        ...choices,
        { keys: ["Alt+KeyZ"], act: () => void (undo() || voted.undo()) },
        { keys: ["Alt+KeyW"], act: () => this.reason?.focus() },
        { keys: ["Alt+KeyG"], act: () => element("goal").toggleAttribute("open") },
        { keys: ["?"], act: () => showDialog("help"), ...forReading },
        { keys: ["Alt+KeyH"], act: () => showDialog("help") },
      ],
      () => document.querySelector("dialog[open]") !== null,
    );
    element("help-button").addEventListener("click", () => showDialog("help"));
  }

  buttons() {
    return /** @type {HTMLButtonElement[]} */ ([...document.querySelectorAll("[data-verdict]")]);
  }

  /** @param {string} side @param {number} turn */
  pin(side, turn) {
    if (!this.side || !this.turn) return;
    const isTakenOff = this.side.value === side && this.turn.value === String(turn);
    this.side.value = isTakenOff ? "" : side;
    this.turn.value = isTakenOff ? "" : String(turn);
    this.turn.dispatchEvent(new Event("input"));
  }

  evidence() {
    const turn = Number.parseInt(this.turn?.value ?? "", 10);
    return this.side?.value && Number.isInteger(turn) ? { side: this.side.value, turn } : null;
  }

  /** @param {Verdict} verdict @returns {void} */
  press(verdict) {
    void this.choose(verdict);
  }

  /** @param {Verdict} verdict @returns {Promise<void>} */
  async choose(verdict) {
    if (this.isBusy) return;
    const lacksReason = settings.asksForReason && !this.reason?.value.trim();
    const lacksEvidence = Boolean(this.side?.value || this.turn?.value) && !this.evidence();
    const refusal = this.whyNot() || (lacksReason ? say("vote.reasonNeeded") : lacksEvidence ? say("vote.evidenceHalf") : "");
    if (refusal) {
      this.complain(refusal);
      if (lacksReason) this.reason?.focus();
      else if (lacksEvidence) (this.side?.value ? this.turn : this.side)?.focus();
      return;
    }
    this.wait(true);
    for (const button of this.buttons()) button.setAttribute("aria-pressed", String(button.dataset.verdict === verdict));
    if (!(await this.prepare())) {
      this.wait(false);
      this.complain(say("vote.notEnded"));
      return;
    }
    const said = { verdict, reason: this.reason?.value ?? "", version: this.version, evidence: this.evidence() };
    try {
      const stored = await this.server.request("POST", `/api/v1/pairs/${settings.pair}/vote/`, said);
      rememberVote(settings.pair, stored);
      await this.goOn();
    } catch (error) {
      this.wait(false);
      if (error instanceof Refused && error.code === "conflict") location.reload();
      else this.complain(say("vote.failed", { reason: reasonOf(error) }));
    }
  }

  /** The next pair, or the list where none is left. @returns {Promise<void>} */
  async goOn() {
    this.wait(true);
    try {
      const opened = await this.server.request("POST", settings.next, {});
      location.assign(opened.page || settings.list);
    } catch {
      // The list says why nothing can be opened now.
      location.assign(settings.list);
    }
  }

  /** @param {boolean} isBusy */
  wait(isBusy) {
    this.isBusy = isBusy;
    for (const button of this.buttons()) {
      button.disabled = isBusy;
      if (!isBusy) button.removeAttribute("aria-pressed");
    }
    if (isBusy) this.complain("");
  }

  /** @param {string} words */
  complain(words) {
    const place = document.getElementById("vote-error");
    if (!place) return;
    place.textContent = words;
    place.hidden = !words;
  }
}

/** @param {unknown} error */
export function reasonOf(error) {
  if (error instanceof LoggedOut) return say("error.forbidden");
  return error instanceof Refused ? error.message : say("review.network");
}
