// @ts-check
// Where the dialogue stands, from the server's frames alone; nothing here touches the page.

/**
 * @typedef {{ index: number, kind: string, turns_used: number, turn_cap: number | null, status: string }} Part
 * @typedef {{ used: number, cap: number, left: number, perExchange: number, opening: number }} Budget in the turns that the campaign counts
 */

/** The turn in which the bot speaks first: it spends nothing, and nobody sent it. */
export const OPENING = 0;
// Of these dialogues scores are asked for; the others count nowhere, and their assignments are open again.
const SCORED = new Set(["completed", "unfinished"]);

/** @typedef {import("../shared/frames.js").DialogueServerFrames} Frames */

export class DialogueState {
  constructor() {
    this.status = "open";
    this.reason = "";
    /** @type {number | null} the turn in flight */
    this.waiting = null;
    /** @type {{ turn: number, retryable: boolean, kind: string } | null} the last turn, where it failed */
    this.failed = null;
    /** @type {Map<number, Part>} */
    this.parts = new Map();
    // Frames count exchanges; a campaign may count utterances, of which an exchange has two and the bot's opening is one.
    this.perExchange = 1;
    this.opening = 0;
    this.total = { used: 0, cap: 0 };
    /** @type {Map<number, { part: number, place: number, text: string }>} */
    this.turns = new Map();
    /** @type {Set<number>} turns that failed and were left behind, or stand so */
    this.lost = new Set();
  }

  get isOpen() {
    return this.status === "open";
  }

  /** Whether it is over and somebody scores it. */
  get isToScore() {
    return SCORED.has(this.status);
  }

  /** Whether the server has said where the dialogue stands. */
  get isKnown() {
    return this.parts.size > 0;
  }

  /** Whether a turn that the tester spent is being answered. */
  get isTurnInFlight() {
    return this.waiting !== null && this.waiting !== OPENING;
  }

  /** Whether the tester waits for the bot to speak first, although it failed: it may be asked again. */
  get isOpeningDue() {
    return this.failed?.turn === OPENING && this.failed.retryable;
  }

  /** @param {Frames["dialogue.state"]} frame the state that comes with a connection */
  begin(frame) {
    this.status = frame.status;
    this.reason = frame.reason ?? "";
    this.waiting = frame.waiting ?? null;
    this.perExchange = frame.turns_are === "utterances" ? 2 : 1;
    this.opening = frame.turns_are === "utterances" && frame.opened_by === "bot" ? 1 : 0;
    this.total = { used: frame.turns_used, cap: frame.turn_cap };
    for (const part of frame.subtasks) this.parts.set(part.index, part);
  }

  /** @param {Frames["turn.accepted"]} frame */
  accept(frame) {
    this.waiting = frame.turn;
    this.failed = null;
    if (frame.turn === OPENING) return;
    if (!this.turns.has(frame.turn)) {
      const before = [...this.turns.values()].filter((turn) => turn.part === frame.subtask).length;
      this.turns.set(frame.turn, { part: frame.subtask, place: before + 1, text: frame.text });
    }
    // The state that came with the connection already counts the turns that are replayed after it.
    if (frame.turns_used <= this.total.used) return;
    this.total.used = frame.turns_used;
    const part = this.parts.get(frame.subtask);
    if (part) part.turns_used += 1;
  }

  /** @param {number} turn */
  retried(turn) {
    this.waiting = turn;
    this.failed = null;
    this.lost.delete(turn);
  }

  answered() {
    this.waiting = null;
  }

  /** @param {Frames["turn.failed"]} frame */
  fail(frame) {
    this.waiting = null;
    this.failed = { turn: frame.turn, retryable: frame.retryable, kind: frame.kind };
    if (frame.turn !== OPENING) this.lost.add(frame.turn);
  }

  /**
   * @param {Frames["subtask.closed"]} frame
   * @returns {{ closed: Part | undefined, next: Part | undefined }}
   */
  closePart(frame) {
    const closed = this.parts.get(frame.subtask);
    if (closed) closed.status = frame.status;
    // A part that is closed takes no retry.
    this.failed = null;
    const parts = [...this.parts.values()];
    const next = parts.find((part) => part.status === "open") ?? parts.find((part) => part.status === "pending");
    if (next) next.status = "open";
    return { closed, next };
  }

  /** @param {Frames["dialogue.closed"]} frame */
  close(frame) {
    this.status = frame.status;
    this.reason = frame.reason ?? "";
    this.waiting = null;
  }

  /** @returns {Part | undefined} */
  current() {
    return [...this.parts.values()].find((part) => part.status === "open");
  }

  /** Whether the dialogue ends with the current part. */
  get isLastPart() {
    return ![...this.parts.values()].some((part) => part.status === "pending");
  }

  /** @param {number} index of a part @returns {Budget} of the part, or of the dialogue where one cap spans it */
  budgetOf(index) {
    const part = this.parts.get(index);
    const isShared = !part || part.turn_cap === null;
    const used = isShared ? this.total.used : part.turns_used;
    const cap = isShared ? this.total.cap : /** @type {number} */ (part.turn_cap);
    const opening = isShared || index === 1 ? this.opening : 0;
    const inTurns = (/** @type {number} */ n) => this.perExchange * n + opening;
    return { used: inTurns(used), cap: inTurns(cap), left: this.perExchange * Math.max(0, cap - used), perExchange: this.perExchange, opening };
  }

  /** The parts with their turns as the campaign counts them. */
  partsInTurns() {
    return new Map([...this.parts].map(([index, part]) => [index, { ...part, turns_used: this.turnsIn(part) }]));
  }

  /** @param {Part} part */
  turnsIn(part) {
    return this.perExchange * part.turns_used + (part.index === 1 ? this.opening : 0);
  }

  /** @param {number} index @returns {number[]} the places on the ruler of the turns of a part that failed and were left behind */
  lostIn(index) {
    const isShared = this.parts.get(index)?.turn_cap === null;
    const { perExchange, opening } = this.budgetOf(index);
    return [...this.lost].flatMap((turn) => {
      const known = this.turns.get(turn);
      const place = isShared ? turn : known?.part === index ? known.place : 0;
      return Array.from({ length: place ? perExchange : 0 }, (_, n) => opening + perExchange * (place - 1) + n + 1);
    });
  }
}
