// @ts-check
// The live connection of a wall: it reconnects by itself, and begins with the whole state each time.

const PING_EVERY_MS = 15000;
const SILENCE_LIMIT_MS = 40000;
const LONGEST_WAIT_MS = 10000;
// Log in, role, unknown: reconnecting would not help.
const FINAL_CODES = new Set([4401, 4403, 4404]);

export class WallSocket extends EventTarget {
  /** @param {string} path */
  constructor(path) {
    super();
    this.path = path;
    this.nFailures = 0;
    /** @type {WebSocket | null} */
    this.socket = null;
    this.heardAt = performance.now();
    setInterval(() => this.beat(), PING_EVERY_MS);
    addEventListener("online", () => this.connect());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.connect();
    });
  }

  connect() {
    clearTimeout(this.timer);
    if (this.socket) return;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}${this.path}`);
    this.socket = socket;
    this.heardAt = performance.now();
    socket.addEventListener("message", (message) => this.hear(socket, message.data));
    socket.addEventListener("close", (event) => this.closed(socket, event.code));
  }

  /**
   * @param {WebSocket} socket
   * @param {string} data
   */
  hear(socket, data) {
    if (socket !== this.socket) return;
    this.heardAt = performance.now();
    this.nFailures = 0;
    const frame = JSON.parse(data);
    if (frame.type !== "pong") this.dispatchEvent(new CustomEvent("frame", { detail: frame }));
  }

  /**
   * @param {WebSocket} socket
   * @param {number} code
   */
  closed(socket, code) {
    if (socket !== this.socket) return;
    this.socket = null;
    const isFinal = FINAL_CODES.has(code);
    if (!isFinal) this.reconnectLater();
    this.dispatchEvent(new CustomEvent("down", { detail: { isFinal } }));
  }

  reconnectLater() {
    const wait = Math.min(LONGEST_WAIT_MS, 300 * 2 ** this.nFailures);
    this.nFailures += 1;
    this.timer = setTimeout(() => this.connect(), wait * (0.5 + Math.random()));
  }

  beat() {
    const socket = this.socket;
    if (!socket) return;
    if (performance.now() - this.heardAt > SILENCE_LIMIT_MS) {
      // A connection that says nothing may never say that it is closed either.
      socket.close();
      this.closed(socket, 1006);
    } else if (socket.readyState === WebSocket.OPEN) {
      socket.send('{"type":"ping"}');
    }
  }
}
