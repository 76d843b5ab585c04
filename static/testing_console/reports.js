// @ts-check
// What the tester tells beside the dialogue: flags on turns, and problems in words for the organizer.

import { element } from "../shared/page.js";
import { LoggedOut, Refused } from "../shared/server.js";

export class Reports {
  /**
   * @param {string} dialogue
   * @param {import("../shared/server.js").Server} server
   * @param {import("./transcript.js").Transcript} transcript
   * @param {import("../shared/page.js").Say} say
   * @param {{ flagged: number[], onSaid: (words: string, isWarning?: boolean) => void }} how
   */
  constructor(dialogue, server, transcript, say, { flagged, onSaid }) {
    this.url = `/api/v1/dialogues/${dialogue}`;
    this.server = server;
    this.transcript = transcript;
    this.say = say;
    this.onSaid = onSaid;
    this.flagged = new Set(flagged);
    this.dialog = /** @type {HTMLDialogElement} */ (element("problem"));
    this.text = /** @type {HTMLTextAreaElement} */ (element("problem-text"));
    this.aboutTurn = /** @type {HTMLInputElement} */ (element("problem-turn"));
    /** @type {number | null} */
    this.turn = null;
    element("problem-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.send();
    });
    this.text.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      this.send();
    });
  }

  /** Shows the flag of a turn whose reply is there. @param {number} turn */
  shown(turn) {
    if (this.flagged.has(turn)) this.transcript.showFlag(turn, true);
  }

  /** @param {number} turn */
  async flag(turn) {
    const isFlagged = !this.flagged.has(turn);
    this.transcript.showFlag(turn, isFlagged);
    try {
      await this.server.request(isFlagged ? "PUT" : "DELETE", `${this.url}/flags/${turn}/`);
      if (isFlagged) this.flagged.add(turn);
      else this.flagged.delete(turn);
      this.onSaid(this.say(isFlagged ? "flagged" : "unflagged"));
    } catch (error) {
      this.transcript.showFlag(turn, !isFlagged);
      this.onSaid(this.reason(error), true);
    }
  }

  /**
   * @param {number | null} turn the turn that was last spoken of, if any
   * @param {string} words that name it
   */
  ask(turn, words) {
    if (this.dialog.open) return;
    this.turn = turn;
    element("problem-about").hidden = turn === null;
    element("problem-turn-words").textContent = words;
    this.complain("");
    this.dialog.showModal();
  }

  async send() {
    const turn = this.aboutTurn.checked ? this.turn : null;
    try {
      await this.server.request("POST", `${this.url}/problems/`, { text: this.text.value, turn });
      this.text.value = "";
      this.dialog.close();
      this.onSaid(this.say("reported"));
    } catch (error) {
      this.complain(this.reason(error));
    }
  }

  /** @param {unknown} error */
  reason(error) {
    if (error instanceof LoggedOut) return this.say("error.forbidden");
    return error instanceof Refused ? error.message : this.say("review.network");
  }

  /** @param {string} sentence */
  complain(sentence) {
    const place = element("problem-error");
    place.textContent = sentence;
    place.hidden = !sentence;
  }
}
