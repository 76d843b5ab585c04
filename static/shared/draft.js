// @ts-check
// Keeps every choice of a review on the server the moment it is made, and hands the whole in.

import { Refused, Unreachable } from "./server.js";

/**
 * @typedef {number | string | null | undefined} Rating a score, the name of a label, or nothing where it is taken back
 * @typedef {{ ratings?: Record<string, Rating>, evidence?: Record<string, number | null>, verdicts?: Record<string, boolean>, comment?: string }} Changes
 * @typedef {{ ratings: Record<string, Rating>, evidence?: Record<string, number>, verdicts: Record<string, boolean>, comment: string }} Chosen
 * @typedef {{ version: number, undo_s: number, is_submitted: boolean, is_draft: boolean, may_be_changed: boolean, chosen: Chosen }} Stored
 * @typedef {{ version: number, undo_s: number, next: number | string | null, list: string }} Answer to what was handed in
 * @typedef {"saving" | "saved" | "notSaved"} State
 */

const AGAIN_AFTER_MS = 3000;
const TYPING_PAUSE_MS = 400;
const MAPPINGS = /** @type {const} */ (["ratings", "evidence", "verdicts"]);

export class Draft {
  /**
   * @param {string} dialogue
   * @param {import("./server.js").Server} server
   * @param {{ onState: (state: State) => void, onConflict: (error: Refused, handedIn?: Chosen) => Promise<void>, onRefused: (error: unknown, handedIn?: Chosen) => void }} told
   */
  constructor(dialogue, server, told) {
    this.url = `/api/v1/dialogues/${dialogue}/review/`;
    // Several reviewers score one dialogue, and may do so at one machine.
    this.waitingKey = `huace-scores-${server.person}-${dialogue}`;
    this.server = server;
    this.told = told;
    this.version = 0;
    this.isBusy = false;
    this.isDisagreeing = false;
    /** @type {Promise<void> | undefined} */
    this.saving = undefined;
    /** @type {Changes} what the server does not have yet */
    this.unsaved = JSON.parse(localStorage.getItem(this.waitingKey) || "{}");
    addEventListener("online", () => this.save());
  }

  /** @returns {Promise<Stored>} what is stored, with the choices on top that the server does not have yet */
  async load() {
    /** @type {Stored} */
    const stored = await this.server.request("GET", this.url);
    this.version = stored.version;
    const chosen = stored.may_be_changed ? merged(stored.chosen, this.unsaved) : stored.chosen;
    return { ...stored, chosen };
  }

  /** @param {Changes} changes */
  change(changes) {
    this.unsaved = merged(this.unsaved, changes);
    localStorage.setItem(this.waitingKey, JSON.stringify(this.unsaved));
    this.told.onState("saving");
    clearTimeout(this.timer);
    // A point goes at once; a comment when the typing pauses.
    this.timer = setTimeout(() => this.save(), changes.comment === undefined ? 0 : TYPING_PAUSE_MS);
  }

  /** @returns {Promise<void>} one request at a time, so that an older choice never overtakes a newer one */
  save() {
    this.saving ??= this.sendUnsaved().finally(() => (this.saving = undefined));
    return this.saving;
  }

  async sendUnsaved() {
    if (!Object.keys(this.unsaved).length) return;
    while (Object.keys(this.unsaved).length) {
      const sent = this.unsaved;
      try {
        await this.server.request("PATCH", this.url, { ...sent, version: this.version });
      } catch (error) {
        this.notSaved(error);
        return;
      }
      this.unsaved = without(this.unsaved, sent);
      if (Object.keys(this.unsaved).length) localStorage.setItem(this.waitingKey, JSON.stringify(this.unsaved));
      else localStorage.removeItem(this.waitingKey);
    }
    this.told.onState("saved");
  }

  /** @param {unknown} error */
  notSaved(error) {
    this.told.onState("notSaved");
    if (error instanceof Refused && error.code === "conflict") this.disagree(error);
    else if (error instanceof Unreachable) this.timer = setTimeout(() => this.save(), AGAIN_AFTER_MS);
    else this.told.onRefused(error);
  }

  /**
   * Two requests that meet one newer version are one disagreement: the person is asked once.
   * @param {Refused} error
   * @param {Chosen} [handedIn]
   */
  disagree(error, handedIn) {
    if (this.isDisagreeing) return;
    this.isDisagreeing = true;
    this.told.onConflict(error, handedIn).finally(() => (this.isDisagreeing = false));
  }

  forgetUnsaved() {
    clearTimeout(this.timer);
    this.unsaved = {};
    localStorage.removeItem(this.waitingKey);
  }

  /**
   * @param {Chosen} chosen
   * @returns {Promise<Answer | undefined>} what the server answers; nothing where it refused, which is told then
   */
  async handIn(chosen) {
    if (this.isBusy) return undefined;
    this.isBusy = true;
    clearTimeout(this.timer);
    try {
      await this.saving;
      if (this.isDisagreeing) {
        this.isBusy = false;
        return undefined;
      }
      const stored = await this.server.request("POST", this.url, { ...chosen, version: this.version });
      this.forgetUnsaved();
      return stored;
    } catch (error) {
      this.isBusy = false;
      if (error instanceof Refused && error.code === "conflict") this.disagree(error, chosen);
      else this.told.onRefused(error, chosen);
      return undefined;
    }
  }
}

/**
 * @template {Changes} T
 * @param {T} before
 * @param {Changes} changes
 * @returns {T}
 */
export function merged(before, changes) {
  const all = { ...before, ...changes };
  for (const name of MAPPINGS) {
    if (changes[name]) Object.assign(all, { [name]: { ...before[name], ...changes[name] } });
  }
  return all;
}

/**
 * What was changed since `sent` went out.
 * @param {Changes} now
 * @param {Changes} sent
 * @returns {Changes}
 */
export function without(now, sent) {
  /** @type {Record<string, Changes[keyof Changes]>} */
  const left = {};
  for (const name of MAPPINGS) {
    const changed = Object.entries(now[name] ?? {}).filter(([key, value]) => sent[name]?.[key] !== value);
    if (changed.length) left[name] = Object.fromEntries(changed);
  }
  if (now.comment !== undefined && now.comment !== sent.comment) left.comment = now.comment;
  return left;
}
