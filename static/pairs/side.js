// @ts-check
// One side of a live pair: an ordinary dialogue with its own socket, state, lines and key for each message.

import { DialogueSocket } from "../testing_console/dialogue_socket.js";
import { DialogueState, OPENING } from "../testing_console/dialogue_state.js";
import { EndOfView } from "../testing_console/end_of_view.js";
import { failureHint, failureSentence } from "../testing_console/failures.js";
import { Heard } from "../testing_console/heard.js";
import { HeldClosing } from "../testing_console/held_closing.js";
import { Outbox } from "../testing_console/outbox.js";
import { Transcript, heardTexts } from "../testing_console/transcript.js";
import { copy } from "../look/copying.js";
import { element, find, say, settings, turns } from "../shared/page.js";

/** @typedef {import("../shared/frames.js").DialogueServerFrames} Frames */

const NOT_FOR_GOOD = ["draining", "unavailable", "rate_limited", "too_many_sockets", "forbidden", "turn_in_flight"];

export class Side {
  /**
   * @param {string} side left or right
   * @param {{ onChange: () => void, onChoose: (text: string) => void, onBack: (text: string, reason: string) => void, onDown: (code: number) => void, onPressed: () => void }} acts
   */
  constructor(side, acts) {
    this.side = side;
    this.acts = acts;
    this.place = element(`side-${side}`);
    const { dialogue } = settings.sides[side];
    this.socket = new DialogueSocket(dialogue);
    this.state = new DialogueState();
    const doNothing = () => undefined;
    this.transcript = new Transcript(element(`lines-${side}`), say, { onCopy: (text) => void copy(text).catch(doNothing), onFlag: doNothing, onChoose: acts.onChoose }, { ...settings, dialogue });
    this.end = new EndOfView(find(this.place, ".view"), find(this.place, ".side-to-end"));
    this.transcript.onGrown = () => this.end.grown();
    this.outbox = new Outbox(dialogue, this.socket, this.transcript, say);
    this.heard = new Heard(find(this.place, "[data-heard]"), say, say(`side.${side}`));
    this.held = new HeldClosing(element(`closing-${side}`), dialogue, this.state, say, {
      send: ({ subtask, finished }) => this.socket.send({ type: "subtask.close", subtask, finished }),
      nameOf: (index) => this.nameOf(index),
      onChange: () => this.show(),
      onPressed: acts.onPressed,
    });
    this.lastReplayed = 0;
    this.because = "";
    this.socket.addEventListener("frame", (event) => this.hear(/** @type {CustomEvent} */ (event).detail));
    this.socket.addEventListener("down", (event) => {
      this.outbox.showUnsent();
      const { code, isFinal } = /** @type {CustomEvent} */ (event).detail;
      acts.onDown(isFinal ? code : 0);
    });
    for (const [act, isFinished] of /** @type {[string, boolean][]} */ ([["finish", true], ["give-up", false]])) {
      find(this.place, `[data-act="${act}"]`).addEventListener("click", () => this.closePart(isFinished));
    }
    this.socket.connect();
  }

  get isOpen() {
    return this.state.isOpen;
  }

  /** Whether a message can still go here: it cannot once its last part is about to close. */
  get takesText() {
    return this.isOpen && !(this.held.held && this.state.isLastPart);
  }

  /** Whether a message would be refused now: one is on its way, or its system has to speak first. */
  get isBusy() {
    return this.isOpen && (this.outbox.waiting !== null || this.state.waiting !== null || this.state.isOpeningDue);
  }

  /** Whether something was said here. */
  get hasTalked() {
    return this.state.total.used > 0;
  }

  /** Whether the dialogue counts, as far as it went. */
  get isCounted() {
    return this.isOpen || this.state.isToScore;
  }

  /** @param {string} text */
  put(text) {
    this.held.commit();
    if (!this.takesText) return;
    this.end.go();
    this.outbox.put(text);
  }

  /** Ends it for the vote: a part that was not marked as done stays unfinished. */
  endDialogue() {
    this.held.commit();
    if (this.takesText) this.socket.send({ type: "dialogue.end", reason: "gave_up" });
  }

  /** Holds the part for some seconds; pressed again, it closes at once. @param {boolean} isFinished */
  closePart(isFinished) {
    const part = this.state.current();
    if (this.held.isHeld && this.held.held?.finished === isFinished) this.held.commit();
    else if (part && !this.isBusy) this.held.hold(part.index, isFinished);
    this.acts.onPressed();
  }

  /** @param {number} index */
  nameOf(index) {
    return settings.kinds[index] ?? String(index);
  }

  /** @param {any} frame */
  hear(frame) {
    const handle = /** @type {Record<string, ((frame: object) => void) | undefined>} */ (this.handlers)[frame.type];
    handle?.(frame);
    this.show();
    this.acts.onChange();
  }

  /** @param {{ seq: number }} frame whether it happens now, not before this page was opened */
  isNews(frame) {
    return frame.seq > this.lastReplayed;
  }

  /** @type {{ [Kind in keyof Frames]?: (frame: Frames[Kind]) => void }} */
  handlers = {
    "dialogue.state": (frame) => {
      if (!this.state.isKnown) this.lastReplayed = frame.last_seq;
      this.state.begin(frame);
      this.held.resume(this.state.current()?.index);
      this.outbox.send();
    },
    "turn.accepted": (frame) => {
      if (frame.turn === OPENING) this.transcript.opening(frame.turn);
      else {
        this.outbox.settle(frame.key);
        this.transcript.settleFailures();
        this.transcript.settleChoices();
        this.transcript.ownLine(frame.key, frame.text, "saved");
      }
      this.state.accept(frame);
      if (frame.turn !== OPENING) this.transcript.place(frame.key, frame.turn, this.state.turns.get(frame.turn)?.place ?? 0);
      this.transcript.waitFor(frame.turn);
      this.because = "";
    },
    "turn.retried": (frame) => {
      this.state.retried(frame.turn);
      this.transcript.waitFor(frame.turn);
      this.because = "";
    },
    "reply.delta": (frame) => this.transcript.delta(frame.turn, frame.text),
    "turn.waiting": (frame) => this.transcript.inRow(frame.turn, frame.place ?? 0),
    "reply.done": (frame) => {
      this.transcript.reply(frame.turn, frame.texts, frame.latency_ms, frame.flags || [], frame.choices || []);
      this.state.answered();
      if (this.isNews(frame)) this.heard.reply(heardTexts(frame.texts, say));
    },
    "turn.failed": (frame) => {
      this.state.fail(frame);
      const again = { label: say("retry"), key: "", act: () => this.retry(), isPrimary: true };
      this.transcript.failure(frame.turn, failureSentence(frame, say), failureHint(frame, say), frame.retryable && this.isOpen ? [again] : [], this.isNews(frame));
      if (frame.kind !== "cancelled") this.because = say("pair.sideFailed", { side: this.name, because: failureSentence(frame, say) });
    },
    "subtask.closed": (frame) => {
      const { closed } = this.state.closePart(frame);
      this.held.settle(frame.subtask);
      this.transcript.settleFailures();
      const n = closed ? this.state.turnsIn(closed) : 0;
      this.transcript.cut(`${frame.subtask} ${this.nameOf(frame.subtask)}`, say(`closedBecause.${frame.status}`, { n, turns: turns(n) }));
    },
    "dialogue.closed": (frame) => {
      if (this.state.isOpen) this.state.close(frame);
      this.held.undo();
      this.transcript.settleFailures();
      this.transcript.settleChoices();
      this.because = this.whyOver();
    },
    "dialogue.voided": () => location.reload(),
    "dialogue.restored": () => location.reload(),
    error: (frame) => {
      this.held.refused();
      const reason = say(`error.${frame.code}`);
      // A dialogue that its system has just ended needs no end of ours.
      if (!this.outbox.isAbout(frame)) this.because = frame.code === "closed" ? this.because : `${this.name}: ${reason}`;
      else if (NOT_FOR_GOOD.includes(frame.code)) this.outbox.keep(reason);
      else this.acts.onBack(this.outbox.takeBack(), `${this.name}: ${reason}`);
    },
  };

  get name() {
    return say(`side.${this.side}`);
  }

  retry() {
    if (this.state.failed?.retryable) this.socket.send({ type: "turn.retry", turn: this.state.failed.turn });
  }

  whyOver() {
    if (!this.isCounted) return say("pair.uncounted", { side: this.name });
    const isBots = this.state.reason === "bot_ended";
    return say("pair.sideOver", { side: this.name, because: say(isBots ? "closed.bot_ended" : `closed.${this.state.status}`) });
  }

  show() {
    const part = this.state.current();
    const words = find(this.place, ".side-turns");
    if (part) {
      const { used, cap } = this.state.budgetOf(part.index);
      words.textContent = say("pair.turns", { used, cap });
    } else words.textContent = this.isOpen ? "" : say("dialogueOver");
    const kind = part ? this.nameOf(part.index) : "";
    for (const [act, key] of [["finish", "pair.partDone"], ["give-up", "pair.partGivenUp"]]) {
      const button = /** @type {HTMLButtonElement} */ (find(this.place, `[data-act="${act}"]`));
      button.hidden = !part || !this.hasTalked;
      button.disabled = this.isBusy;
      button.textContent = say(key, { kind });
    }
    this.held.show();
    const note = find(this.place, ".side-note");
    note.hidden = !this.because;
    note.classList.toggle("is-warning", Boolean(this.because) && !this.isCounted);
    if (note.textContent !== this.because) note.textContent = this.because;
  }
}
