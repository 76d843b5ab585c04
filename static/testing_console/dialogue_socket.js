// @ts-check
// The live connection of one dialogue. It reconnects by itself and resumes after the last event it saw; what it was
// told twice it passes on once.

const PING_EVERY_MS = 15000;
const SILENCE_LIMIT_MS = 40000;
const LONGEST_WAIT_MS = 10000;
const OPENING_LIMIT_MS = 10000;
const CATCH_UP_LIMIT_MS = 2000;
// Log in, role, unknown: reconnecting would not help.
const FINAL_CODES = new Set([4401, 4403, 4404]);

/** @typedef {import("../shared/frames.js").DialogueClientFrames} Frames */
/** @typedef {Frames[keyof Frames]} ClientFrame */

export class DialogueSocket extends EventTarget {
  /** @param {string} dialogue */
  constructor(dialogue) {
    super();
    this.dialogue = dialogue;
    this.lastSeq = 0;
    /** @type {string | null} */
    this.epoch = null;
    // What was said before this connection is passed on in one go, so that nothing moves between its lines.
    this.catchUpTo = 0;
    /** @type {object[]} */
    this.held = [];
    this.nFailures = 0;
    this.isOpen = false;
    /** @type {WebSocket | null} */
    this.socket = null;
    this.heardAt = performance.now();
    setInterval(() => this.beat(), PING_EVERY_MS);
    addEventListener("online", () => this.connect());
    addEventListener("offline", () => this.drop());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden && !this.isOpen) this.connect();
    });
  }

  connect() {
    clearTimeout(this.timer);
    if (this.socket && this.socket.readyState <= WebSocket.OPEN) return;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    let socket;
    try {
      socket = new WebSocket(`${scheme}://${location.host}/ws/dialogues/${this.dialogue}/?after=${this.lastSeq}`);
    } catch {
      this.reconnectLater();
      return;
    }
    this.socket = socket;
    // A connection that opens but never says where the dialogue stands is as good as none.
    this.opening = setTimeout(() => {
      socket.close();
      this.closed(socket, 1006);
    }, OPENING_LIMIT_MS);
    socket.addEventListener("message", (message) => this.hear(socket, message.data));
    socket.addEventListener("close", (event) => this.closed(socket, event.code));
  }

  reconnectLater() {
    const wait = Math.min(LONGEST_WAIT_MS, 300 * 2 ** this.nFailures);
    this.nFailures += 1;
    this.timer = setTimeout(() => this.connect(), wait * (0.5 + Math.random()));
  }

  /**
   * @param {ClientFrame} frame
   * @returns {boolean} whether it went out; what did not is sent again after the reconnect
   */
  send(frame) {
    if (!this.isOpen || !this.socket || this.socket.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(frame));
    return true;
  }

  /**
   * @param {WebSocket} socket
   * @param {string} data
   */
  hear(socket, data) {
    if (socket !== this.socket) return;
    this.heardAt = performance.now();
    const frame = JSON.parse(data);
    if (frame.type === "pong") return;
    if (frame.seq) {
      if (frame.seq <= this.lastSeq) return;
      this.lastSeq = frame.seq;
    }
    if (frame.type === "dialogue.state") {
      clearTimeout(this.opening);
      // The database was restored from a backup: the numbers of the lines on this page now mean other lines.
      if (frame.epoch !== (this.epoch ??= frame.epoch)) {
        location.reload();
        return;
      }
      this.isOpen = true;
      this.nFailures = 0;
      this.pass(frame);
      this.catchUpTo = frame.last_seq;
      this.catchingUp = setTimeout(() => this.caughtUp(), CATCH_UP_LIMIT_MS);
      return;
    }
    this.held.push(frame);
    if (this.lastSeq >= this.catchUpTo) this.caughtUp();
  }

  /** All that was missed is there, or what is there has waited long enough. */
  caughtUp() {
    clearTimeout(this.catchingUp);
    this.catchUpTo = 0;
    for (const frame of this.held.splice(0)) this.pass(frame);
  }

  /** @param {object} frame */
  pass(frame) {
    this.dispatchEvent(new CustomEvent("frame", { detail: frame }));
  }

  /** The browser lost its network: what a dead connection would show after its silence is shown at once. */
  drop() {
    const socket = this.socket;
    if (!socket) return;
    socket.close();
    this.closed(socket, 1006);
  }

  /**
   * @param {WebSocket} socket
   * @param {number} code
   */
  closed(socket, code) {
    if (socket !== this.socket) return;
    this.socket = null;
    this.isOpen = false;
    clearTimeout(this.opening);
    this.caughtUp();
    const isFinal = FINAL_CODES.has(code);
    if (!isFinal) this.reconnectLater();
    this.dispatchEvent(new CustomEvent("down", { detail: { code, isFinal } }));
  }

  beat() {
    if (!this.isOpen) return;
    if (performance.now() - this.heardAt > SILENCE_LIMIT_MS) {
      this.socket?.close();
      return;
    }
    this.send({ type: "ping" });
  }
}
