// @ts-check
// A part that the tester closes is held open for ten seconds, so that a slip of the hand is undone: the server closes for good.

import { find, inOneLine } from "../shared/page.js";

const UNDO_MS = 10_000;
const TICK_MS = 250;

/** @typedef {{ subtask: number, finished: boolean, until: number }} Held */

export class HeldClosing {
  /**
   * @param {HTMLElement} shownIn
   * @param {string} dialogue
   * @param {import("./dialogue_state.js").DialogueState} state
   * @param {import("../shared/page.js").Say} say
   * @param {{ send: (held: Held) => void, nameOf: (index: number) => string, onChange: () => void, onPressed: () => void }} acts
   */
  constructor(shownIn, dialogue, state, say, { send, nameOf, onChange, onPressed }) {
    this.shownIn = shownIn;
    this.state = state;
    this.say = say;
    this.send = send;
    this.nameOf = nameOf;
    this.onChange = onChange;
    this.place = `huace-closing-${dialogue}`;
    /** @type {Held | null} a reload keeps it */
    this.held = JSON.parse(sessionStorage.getItem(this.place) || "null");
    for (const [button, act] of /** @type {[string, () => void][]} */ ([["undo", () => this.undo()], ["now", () => this.commit()]])) {
      find(shownIn, `[data-closing="${button}"]`).addEventListener("click", () => {
        act();
        onPressed();
      });
    }
    setInterval(() => this.tick(), TICK_MS);
    // Whoever leaves has closed it.
    addEventListener("pagehide", () => this.commit());
  }

  /** Whether it can still be undone; afterwards the server has not said yet that the part is closed. */
  get isHeld() {
    return this.held !== null && this.held.until > 0;
  }

  /** @param {number} subtask @param {boolean} finished */
  hold(subtask, finished) {
    this.keep({ subtask, finished, until: Date.now() + UNDO_MS });
  }

  /** @returns {boolean} whether there was something to undo */
  undo() {
    if (!this.isHeld) return false;
    this.keep(null);
    return true;
  }

  /** Closes it now; without a connection, as soon as there is one. */
  commit() {
    if (!this.held || !this.isHeld) return;
    this.keep({ ...this.held, until: 0 });
    this.send(this.held);
  }

  /** With a new connection. @param {number | undefined} current the part that is open now */
  resume(current) {
    if (this.held && this.held.subtask !== current) this.keep(null);
    else if (this.held && !this.isHeld) this.send(this.held);
  }

  /** @param {number} subtask that is closed, by whatever */
  settle(subtask) {
    if (this.held?.subtask === subtask) this.keep(null);
  }

  /** What was sent may be what the server refused; it is not sent again. */
  refused() {
    if (this.held && !this.isHeld) this.keep(null);
  }

  /** @param {Held | null} held */
  keep(held) {
    this.held = held;
    if (held) sessionStorage.setItem(this.place, JSON.stringify(held));
    else sessionStorage.removeItem(this.place);
    this.onChange();
  }

  show() {
    this.shownIn.hidden = !this.isHeld;
    if (!this.held || !this.isHeld) return;
    const place = find(this.shownIn, '[role="status"]');
    const words = this.wordsOf(this.held);
    // Written anew, it would be read out anew.
    if (place.textContent !== words) place.textContent = words;
    this.count();
  }

  /** @param {Held} held */
  wordsOf({ subtask, finished }) {
    const next = [...this.state.parts.values()].find((part) => part.status === "pending");
    const words = this.say(finished ? "closing.finish" : "closing.giveUp", { kind: this.nameOf(subtask) });
    const then = next ? this.say("closing.next", { next: this.nameOf(next.index) }) : this.say("closing.last");
    return inOneLine([words, then]);
  }

  count() {
    const left = Math.max(0, (this.held?.until ?? 0) - Date.now());
    find(this.shownIn, '[data-closing="undo"] span').textContent = this.say("seconds", { n: Math.ceil(left / 1000) });
    return left;
  }

  tick() {
    if (this.isHeld && this.count() === 0) this.commit();
  }
}
