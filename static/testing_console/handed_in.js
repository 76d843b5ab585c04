// @ts-check
// "Handed in · undo 10 s": said on the page that follows the hand-in. The server keeps the time; this only counts down.

import { element } from "./page.js";
import { Refused } from "./server.js";

const KEY = "huace-handed-in";
const SHOWN_AFTERWARDS_MS = 2000;

/**
 * @param {string} dialogue
 * @param {{ version: number, undo_s: number }} stored
 * @param {string} [page] where it is scored again after an undo
 */
export function rememberHandIn(dialogue, stored, page = `/dialogues/${dialogue}/`) {
  const until = Date.now() + stored.undo_s * 1000;
  sessionStorage.setItem(KEY, JSON.stringify({ dialogue, version: stored.version, until, page }));
}

export class HandedIn {
  /**
   * @param {import("./server.js").Server} server
   * @param {import("./page.js").Say} say
   */
  constructor(server, say) {
    this.server = server;
    this.say = say;
    this.place = element("handed-in");
    this.last = JSON.parse(sessionStorage.getItem(KEY) || "null");
    sessionStorage.removeItem(KEY);
    if (!this.last || this.last.until <= Date.now()) return;
    this.place.hidden = false;
    element("undo").addEventListener("click", () => this.undo());
    this.timer = setInterval(() => this.tick(), 250);
    this.tick();
  }

  get canUndo() {
    return !this.place.hidden && !element("undo").hidden;
  }

  tick() {
    const left = Math.ceil((this.last.until - Date.now()) / 1000);
    element("undo-seconds").textContent = this.say("seconds", { n: Math.max(0, left) });
    if (left <= 0) this.end();
  }

  end() {
    clearInterval(this.timer);
    element("undo").hidden = true;
    setTimeout(() => (this.place.hidden = true), SHOWN_AFTERWARDS_MS);
  }

  async undo() {
    if (!this.canUndo) return;
    clearInterval(this.timer);
    const { dialogue, version, page } = this.last;
    try {
      await this.server.request("POST", `/api/v1/dialogues/${dialogue}/review/undo/`, { version });
      location.assign(page);
    } catch (error) {
      element("handed-in-words").textContent = error instanceof Refused ? error.message : this.say("review.network");
      this.end();
    }
  }
}
