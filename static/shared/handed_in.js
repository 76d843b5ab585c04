// @ts-check
// "Handed in · undo 10 s": said on the page that follows the hand-in; the key works as long as the server allows. It keeps the time.

import { element } from "./page.js";
import { LoggedOut, Refused } from "./server.js";

const KEY = "huace-handed-in";
// Longer than on a list, the next dialogue would be covered.
const SHOWN_S = 10;
const SHOWN_AFTERWARDS_MS = 2000;
const TOLD_MS = 10_000;
const TICK_MS = 250;

/**
 * @param {string} dialogue
 * @param {{ version: number, undo_s: number }} stored
 * @param {string} [page] where it is scored again after an undo
 */
export function rememberHandIn(dialogue, stored, page = `/dialogues/${dialogue}/`) {
  const now = Date.now();
  const shownUntil = now + Math.min(stored.undo_s, SHOWN_S) * 1000;
  const until = now + stored.undo_s * 1000;
  sessionStorage.setItem(KEY, JSON.stringify({ dialogue, version: stored.version, until, shownUntil, page }));
}

/**
 * The page of a tester's next assignment; their list where there is none, or it cannot be opened now.
 * @param {import("./server.js").Server} server
 * @param {import("./draft.js").Answer} stored
 * @returns {Promise<string>}
 */
export async function nextOfTester(server, { next, list }) {
  if (!next) return list;
  const opened = await server.request("POST", "/api/v1/dialogues/", { assignment: next }).catch(() => null);
  return opened ? `/dialogues/${opened.id}/` : list;
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
    this.kept = sessionStorage.getItem(KEY);
    this.last = JSON.parse(this.kept || "null");
    this.isUndoing = false;
    this.isUnanswered = false;
    if (!this.last) return;
    if (this.last.until <= Date.now()) {
      this.forget();
      return;
    }
    element("undo").addEventListener("click", () => this.undo());
    if (this.last.shownUntil <= Date.now()) return;
    this.place.hidden = false;
    this.timer = setInterval(() => this.tick(), TICK_MS);
    this.tick();
  }

  get isShown() {
    return !this.place.hidden && !element("undo").hidden;
  }

  get canUndo() {
    return Boolean(this.last) && Date.now() < this.last.until && !this.isUndoing;
  }

  tick() {
    const left = Math.ceil((this.last.shownUntil - Date.now()) / 1000);
    element("undo-seconds").textContent = this.say("seconds", { n: Math.max(0, left) });
    if (left <= 0 && !this.isUndoing) this.end();
  }

  end() {
    clearInterval(this.timer);
    element("undo").hidden = true;
    this.hiding = setTimeout(() => (this.place.hidden = true), SHOWN_AFTERWARDS_MS);
  }

  /** @param {string} words in the place of the button: where else it is undone, or why not */
  tell(words) {
    clearInterval(this.timer);
    clearTimeout(this.hiding);
    element("undo").hidden = true;
    element("handed-in-words").textContent = words;
    this.place.hidden = false;
    this.hiding = setTimeout(() => (this.place.hidden = true), TOLD_MS);
  }

  /** Only its own: meanwhile another hand-in of this page may wait for the next. */
  forget() {
    if (sessionStorage.getItem(KEY) === this.kept) sessionStorage.removeItem(KEY);
  }

  async undo() {
    if (!this.canUndo) return;
    this.isUndoing = true;
    const { dialogue, version, page } = this.last;
    try {
      await this.server.request("POST", `/api/v1/dialogues/${dialogue}/review/undo/`, { version });
      this.leaveFor(page);
    } catch (error) {
      // Perhaps only the answer was lost the time before: the page of the scores says how they stand.
      if (error instanceof Refused && this.isUnanswered) return this.leaveFor(page);
      this.isUnanswered = !(error instanceof Refused || error instanceof LoggedOut);
      this.isUndoing = false;
      if (error instanceof Refused || !this.isShown) this.tell(this.reason(error));
      else element("handed-in-words").textContent = this.reason(error);
      if (!(error instanceof Refused)) return;
      this.forget();
      this.last = null;
    }
  }

  /** @param {string} page */
  leaveFor(page) {
    this.forget();
    location.assign(page);
  }

  /** @param {unknown} error */
  reason(error) {
    if (error instanceof LoggedOut) return this.say("error.forbidden");
    return error instanceof Refused ? error.message : this.say("review.network");
  }
}
