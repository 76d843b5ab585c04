// @ts-check
// A part that the tester closes is held open for ten seconds, so that a slip of the hand is undone: the server closes for good.

import { element, find, settings } from "../shared/page.js";

const UNDO_MS = 10_000;
const TICK_MS = 250;

/** @typedef {{ subtask: number, finished: boolean, until: number }} Held */

export class HeldClosing {
  /**
   * @param {import("../shared/page.js").Say} say
   * @param {{ send: (held: Held) => void, wordsOf: (held: Held) => string, onChange: () => void, onPressed: () => void }} acts
   */
  constructor(say, { send, wordsOf, onChange, onPressed }) {
    this.say = say;
    this.send = send;
    this.wordsOf = wordsOf;
    this.onChange = onChange;
    this.place = `huace-closing-${settings.dialogue}`;
    /** @type {Held | null} a reload keeps it */
    this.held = JSON.parse(sessionStorage.getItem(this.place) || "null");
    element("closing-undo").addEventListener("click", () => {
      this.undo();
      onPressed();
    });
    element("closing-now").addEventListener("click", () => {
      this.commit();
      onPressed();
    });
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
    element("closing").hidden = !this.isHeld;
    if (!this.held || !this.isHeld) return;
    const words = this.wordsOf(this.held);
    // Written anew, it would be read out anew.
    if (element("closing-words").textContent !== words) element("closing-words").textContent = words;
    this.count();
  }

  count() {
    const left = Math.max(0, (this.held?.until ?? 0) - Date.now());
    find(element("closing-undo"), "span").textContent = this.say("seconds", { n: Math.ceil(left / 1000) });
    return left;
  }

  tick() {
    if (this.isHeld && this.count() === 0) this.commit();
  }
}
