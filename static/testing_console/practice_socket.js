// @ts-check
// In place of the connection: what the server would say of a practice dialogue of one part. Nothing leaves the browser.

import { PracticeBot } from "./practice_bot.js";

const ANSWERS_AFTER_MS = 600;

/** @typedef {import("./dialogue_socket.js").ClientFrame} ClientFrame */

export class PracticeSocket extends EventTarget {
  /** @param {import("./practice_bot.js").Practice} practice */
  constructor(practice) {
    super();
    this.practice = practice;
    this.bot = new PracticeBot(practice);
    this.isOpen = false;
    this.nFailures = 0;
    this.seq = 0;
    this.turns = 0;
  }

  connect() {
    if (this.isOpen) return;
    this.isOpen = true;
    const part = { index: 1, kind: this.practice.kind, turns_used: 0, turn_cap: this.practice.cap, status: "open" };
    this.pass({ type: "dialogue.state", status: "open", turns_used: 0, turn_cap: this.practice.cap, subtasks: [part], last_seq: 0 });
  }

  /** @param {ClientFrame} frame @returns {boolean} */
  send(frame) {
    if (frame.type === "turn.send") this.take(frame.key, frame.text);
    else if (frame.type === "subtask.close") this.close(frame.finished ? "finished" : "given_up");
    else if (frame.type === "dialogue.end") this.close(frame.reason === "done" && this.turns ? "finished" : "given_up");
    return true;
  }

  /** @param {string} key @param {string} text */
  take(key, text) {
    const turn = ++this.turns;
    this.line({ type: "turn.accepted", turn, key, text, subtask: 1, turns_used: turn });
    setTimeout(() => {
      if (!this.isOpen) return;
      this.line({ type: "reply.done", turn, texts: [this.bot.answer(text)], latency_ms: ANSWERS_AFTER_MS });
      if (turn === this.practice.cap) this.close("cap_reached");
    }, ANSWERS_AFTER_MS);
  }

  /** @param {string} status of the part, and with it of the dialogue */
  close(status) {
    this.line({ type: "subtask.closed", subtask: 1, status });
    this.line({ type: "dialogue.closed", status: status === "finished" ? "completed" : "unfinished", reason: "done" });
  }

  /** Not before whoever sent something has gone on, as over a network. @param {object} frame */
  line(frame) {
    const seq = ++this.seq;
    setTimeout(() => this.pass({ seq, ...frame }));
  }

  /** @param {object} frame */
  pass(frame) {
    this.dispatchEvent(new CustomEvent("frame", { detail: frame }));
  }
}
