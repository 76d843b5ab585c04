// @ts-check
// How parts and the dialogue end: what is asked before, and what the page says afterwards.

import { answerOf, element, find, fromTemplate, settings } from "../shared/page.js";
import { HeldClosing } from "./held_closing.js";

/**
 * @typedef {object} Around
 * @property {import("./dialogue_state.js").DialogueState} state
 * @property {import("./dialogue_socket.js").DialogueSocket | import("./practice_socket.js").PracticeSocket} socket
 * @property {import("./notes.js").Notes} notes
 * @property {import("./composer.js").Composer} composer
 * @property {import("./transcript.js").Transcript} transcript
 * @property {import("./items.js").Items} items
 * @property {(index: number) => string} nameOf
 * @property {() => void} onOver
 * @property {() => void} onChange what is shown depends on what is held
 * @property {boolean} asksForScores whether testers score at all in this campaign
 */

// Where the reason says more than the outcome.
const REASONS_SAID = new Set(["bot_ended", "time_over", "ended_early", "ended_by_organizer", "voided"]);

export class Endings {
  /**
   * @param {import("../shared/page.js").Say} say
   * @param {Around} around
   */
  constructor(say, around) {
    this.say = say;
    this.around = around;
    this.isOutcomeShown = false;
    this.held = new HeldClosing(element("closing"), settings.dialogue, around.state, say, {
      send: ({ subtask, finished }) => around.socket.send({ type: "subtask.close", subtask, finished }),
      nameOf: around.nameOf,
      onChange: () => around.onChange(),
      onPressed: () => around.composer.focus(),
    });
  }

  /** Whether everything that was given is used; before the first turn nothing is. */
  get isAllUsed() {
    return this.around.items.areAllUsed && this.around.state.total.used > 0;
  }

  /** Whether the dialogue has to go on; its tester can then only give it up, and it counts nowhere. */
  get isEarly() {
    const { state } = this.around;
    const current = state.current();
    const hasTurns = current !== undefined && state.budgetOf(current.index).left > 0;
    return settings.endsWhenUsed && !this.isAllUsed && hasTurns;
  }

  /** Holds the part for some seconds; the same key again closes it at once. @param {boolean} isFinished */
  async closePart(isFinished) {
    const { state, socket, notes, composer, items, nameOf } = this.around;
    const current = state.current();
    if (!current || !state.isOpen) return;
    if (this.held.isHeld && this.held.held?.finished === isFinished) return this.held.commit();
    const isEarly = this.isEarly && state.isLastPart;
    if (isFinished && isEarly) {
      notes.say("refused", this.say("ending.early"), { isWarning: true });
      return;
    }
    if (state.waiting !== null) {
      notes.say("in_flight", this.say("error.turn_in_flight"), { isWarning: true });
      return;
    }
    // The server asks for ticks that it knows.
    await items.saving;
    if (!isEarly) this.held.hold(current.index, isFinished);
    else if (await this.confirmEarly(nameOf(current.index))) {
      socket.send({ type: "subtask.close", subtask: current.index, finished: false });
    }
    composer.focus();
  }

  /** What would not count, and is to be done again, is asked about first. @param {string} kind */
  async confirmEarly(kind) {
    element("confirm-question").textContent = this.say("confirm.giveUp", { kind });
    element("confirm-words").textContent = this.say("ending.early");
    return (await answerOf("confirm")) === "yes";
  }

  async askEnd() {
    const { state, socket, composer, items } = this.around;
    if (!state.isOpen) return;
    this.held.undo();
    element("ending-words").textContent = this.say(this.isEarly ? "ending.early" : "ending.forGood");
    /** @type {HTMLButtonElement} */ (element("ending-done")).disabled = this.isEarly;
    const reason = await answerOf("ending");
    await items.saving;
    if (reason === "done" || reason === "gave_up") socket.send({ type: "dialogue.end", reason });
    else composer.focus();
  }

  /** @param {string} [because] what an organizer who ended it says */
  showOutcome(because = "") {
    if (this.isOutcomeShown) return;
    this.isOutcomeShown = true;
    const { state, composer, transcript, onOver } = this.around;
    composer.close();
    const how = this.say(`closed.${REASONS_SAID.has(state.reason) ? state.reason : state.status}`);
    const over = [this.say("dialogueOver"), state.isToScore && !this.isScored ? this.say("scoredByReviewers") : ""];
    transcript.cut(over.filter(Boolean).join(" · "), because ? `${how} ${this.say("because", { because })}` : how);
    if (!this.isScored) {
      const leave = fromTemplate("leave-template");
      transcript.add(leave);
      find(leave, "button").hidden = !settings.hasAnother;
      find(leave, settings.hasAnother ? "button" : "a").focus();
    }
    onOver();
  }

  get isScored() {
    return this.around.asksForScores && this.around.state.isToScore;
  }
}
