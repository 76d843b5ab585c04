// @ts-check
// "Comparison stored · undo 10 s": said on the page that follows a vote, as long as the server takes it back.

import { element, say } from "../shared/page.js";
import { LoggedOut, Refused } from "../shared/server.js";

const KEY = "huace-pair-voted";
const SHOWN_AFTERWARDS_MS = 2000;
const TOLD_MS = 10_000;
const TICK_MS = 250;

/**
 * @param {string} pair
 * @param {{ version: number, undo_s: number }} stored
 */
export function rememberVote(pair, stored) {
  sessionStorage.setItem(KEY, JSON.stringify({ pair, version: stored.version, until: Date.now() + stored.undo_s * 1000 }));
}

export class Voted {
  /** @param {import("../shared/server.js").Server} server */
  constructor(server) {
    this.server = server;
    this.place = element("voted");
    /** @type {{ pair: string, version: number, until: number } | null} */
    this.last = JSON.parse(sessionStorage.getItem(KEY) || "null");
    this.isUndoing = false;
    element("undo").addEventListener("click", () => void this.undo());
    if (!this.last || this.last.until <= Date.now()) {
      this.last = null;
      return;
    }
    this.place.hidden = false;
    this.timer = setInterval(() => this.tick(), TICK_MS);
    this.tick();
  }

  tick() {
    const left = Math.ceil(((this.last?.until ?? 0) - Date.now()) / 1000);
    element("undo-seconds").textContent = say("seconds", { n: Math.max(0, left) });
    if (left <= 0 && !this.isUndoing) this.over(SHOWN_AFTERWARDS_MS);
  }

  /** @param {number} forMs */
  over(forMs) {
    clearInterval(this.timer);
    element("undo").hidden = true;
    setTimeout(() => (this.place.hidden = true), forMs);
  }

  async undo() {
    if (!this.last || this.isUndoing || this.last.until <= Date.now()) return;
    this.isUndoing = true;
    const { pair, version } = this.last;
    try {
      await this.server.request("POST", `/api/v1/pairs/${pair}/vote/undo/`, { version });
      sessionStorage.removeItem(KEY);
      location.assign(`/pairs/${pair}/`);
    } catch (error) {
      this.isUndoing = false;
      const isForGood = error instanceof Refused;
      element("voted-words").textContent = error instanceof LoggedOut ? say("error.forbidden") : isForGood ? error.message : say("review.network");
      if (isForGood) this.over(TOLD_MS);
    }
  }
}
