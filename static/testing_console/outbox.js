// @ts-check
// The one message that is not known to be stored yet. It survives a reload, and its key makes sure that it becomes one turn
// however often it is sent.

export class Outbox {
  /**
   * @param {string} dialogue
   * @param {import("./dialogue_socket.js").DialogueSocket | import("./practice_socket.js").PracticeSocket} socket
   * @param {import("./transcript.js").Transcript} transcript
   * @param {import("../shared/page.js").Say} say
   */
  constructor(dialogue, socket, transcript, say) {
    this.place = `huace-pending-${dialogue}`;
    this.socket = socket;
    this.transcript = transcript;
    this.say = say;
    /** @type {{ key: string, text: string } | null} */
    this.waiting = JSON.parse(localStorage.getItem(this.place) || "null");
  }

  /** @param {string} text */
  put(text) {
    this.waiting = { key: newKey(), text };
    localStorage.setItem(this.place, JSON.stringify(this.waiting));
    this.send();
  }

  send() {
    if (!this.waiting) return;
    const wentOut = this.socket.send({ type: "turn.send", ...this.waiting });
    this.transcript.ownLine(this.waiting.key, this.waiting.text, wentOut ? "sending" : "unsent");
  }

  showUnsent() {
    if (this.waiting) this.transcript.ownLine(this.waiting.key, this.waiting.text, "unsent");
  }

  /** @param {{ key?: string, code: string }} error */
  isAbout(error) {
    return this.waiting !== null && (error.key === this.waiting.key || error.code === "rate_limited");
  }

  /** @param {string} key of a message that is stored */
  settle(key) {
    if (this.waiting?.key !== key) return;
    this.waiting = null;
    localStorage.removeItem(this.place);
  }

  /** Keeps what was refused for now, with a button to send it again. @param {string} reason */
  keep(reason) {
    if (this.waiting) this.transcript.notSaved(this.waiting.key, reason, () => this.send());
  }

  /** @returns {string} the text of what was refused for good */
  takeBack() {
    const { key = "", text = "" } = this.waiting ?? {};
    this.settle(key);
    this.transcript.forget(key);
    return text;
  }
}

function newKey() {
  const random = crypto.getRandomValues(new Uint8Array(12));
  return [...random].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
