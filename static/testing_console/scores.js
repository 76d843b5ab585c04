// @ts-check
// Keeps every point and comment on the server the moment it is set, and hands the whole in.

import { element } from "./page.js";
import { ScoreForm } from "./score_form.js";
import { LoggedOut, Refused, Unreachable } from "./server.js";

const AGAIN_AFTER_MS = 3000;
const TYPING_PAUSE_MS = 400;

export class Scores {
  /**
   * @param {string} dialogue
   * @param {import("./server.js").Server} server
   * @param {import("./page.js").Say} say
   * @param {(stored: any) => void} onHandedIn
   */
  constructor(dialogue, server, say, onHandedIn) {
    this.url = `/api/v1/dialogues/${dialogue}/review/`;
    this.waitingKey = `huace-scores-${dialogue}`;
    this.server = server;
    this.say = say;
    this.onHandedIn = onHandedIn;
    this.version = 0;
    this.isSubmitted = false;
    this.isRevised = false;
    this.isFinal = false;
    this.isBusy = false;
    /** @type {Promise<void> | undefined} */
    this.saving = undefined;
    /** @type {import("./score_form.js").Changes} what the server does not have yet */
    this.unsaved = JSON.parse(localStorage.getItem(this.waitingKey) || "{}");
    this.form = new ScoreForm(say, { onChange: (changes) => this.change(changes), onHandIn: (chosen) => this.handIn(chosen) });
    addEventListener("online", () => this.save());
  }

  /**
   * Opens the form with what is stored; before that, nothing can be chosen that would contradict it.
   * @param {Map<number, import("./dialogue_state.js").Part>} parts
   */
  async open(parts) {
    try {
      this.take(await this.server.request("GET", this.url), parts);
    } catch (error) {
      this.form.form.hidden = false;
      this.form.lock(true);
      this.state("review.notLoaded");
      if (!(error instanceof Refused)) setTimeout(() => this.open(parts), AGAIN_AFTER_MS);
      return;
    }
    this.form.open();
    this.save();
  }

  /**
   * @param {any} stored
   * @param {Map<number, import("./dialogue_state.js").Part>} parts
   */
  take(stored, parts) {
    this.version = stored.version;
    this.isSubmitted = stored.is_submitted;
    this.isRevised = stored.is_draft;
    element("rubric").toggleAttribute("data-submitted", this.isSubmitted);
    const { ratings, verdicts, comment } = stored.chosen;
    const unsaved = stored.may_be_changed ? this.unsaved : {};
    this.form.show(
      {
        ratings: { ...ratings, ...unsaved.ratings },
        verdicts: { ...verdicts, ...unsaved.verdicts },
        comment: unsaved.comment ?? comment,
      },
      parts,
    );
    this.form.lock(!stored.may_be_changed);
    this.parts = parts;
    element("submit-words").textContent = this.say(this.isSubmitted ? "review.handInChange" : "review.handIn");
    this.isFinal = !stored.may_be_changed;
    this.state("");
  }

  /** @param {import("./score_form.js").Changes} changes */
  change(changes) {
    this.isRevised = true;
    this.unsaved = merged(this.unsaved, changes);
    localStorage.setItem(this.waitingKey, JSON.stringify(this.unsaved));
    this.state("review.saving");
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
    this.state("");
  }

  /** @param {unknown} error */
  notSaved(error) {
    this.state("review.notSaved");
    if (error instanceof Refused && error.code === "conflict") this.reload();
    else if (error instanceof Unreachable) this.timer = setTimeout(() => this.save(), AGAIN_AFTER_MS);
    else this.form.complain(this.reason(error));
  }

  /** Somebody handed in meanwhile, in another tab: what is stored is shown, and said. */
  async reload() {
    this.forgetUnsaved();
    this.take(await this.server.request("GET", this.url), this.parts ?? new Map());
    this.form.complain(this.say("review.conflict"));
  }

  forgetUnsaved() {
    clearTimeout(this.timer);
    this.unsaved = {};
    localStorage.removeItem(this.waitingKey);
  }

  /** @param {import("./score_form.js").Chosen} chosen */
  async handIn(chosen) {
    if (this.isBusy) return;
    this.isBusy = true;
    clearTimeout(this.timer);
    try {
      await this.saving;
      const stored = await this.server.request("POST", this.url, { ...chosen, version: this.version });
      this.forgetUnsaved();
      this.onHandedIn(stored);
    } catch (error) {
      this.isBusy = false;
      if (error instanceof Refused && error.code === "conflict") this.reload();
      else this.form.complain(this.say("review.failed", { reason: this.reason(error) }));
    }
  }

  /** @param {unknown} error */
  reason(error) {
    if (error instanceof LoggedOut) return this.say("error.forbidden");
    return error instanceof Refused ? error.message : this.say("review.network");
  }

  /** @param {string} key of what is to be said beside how many rows have a score */
  state(key) {
    const missing = this.form.missing();
    const all = this.form.rows.length;
    const given = this.say("review.given", { n: all - missing.length, all });
    const left = missing.length && missing.length < all ? this.say("review.left", { letters: missing.join(this.say("between")) }) : "";
    const saved = this.say(key || this.standing());
    element("scores-state").textContent = [given, left, saved].filter(Boolean).join(" · ");
  }

  /** @returns {string} the key of what is to be said when nothing is under way */
  standing() {
    if (this.isFinal) return "review.final";
    if (this.isRevised) return "review.saved";
    return this.isSubmitted ? "review.mayRevise" : "";
  }
}

/**
 * @param {import("./score_form.js").Changes} before
 * @param {import("./score_form.js").Changes} changes
 * @returns {import("./score_form.js").Changes}
 */
export function merged(before, changes) {
  const all = { ...before, ...changes };
  if (changes.ratings) all.ratings = { ...before.ratings, ...changes.ratings };
  if (changes.verdicts) all.verdicts = { ...before.verdicts, ...changes.verdicts };
  return all;
}

/**
 * What was changed since `sent` went out.
 * @param {import("./score_form.js").Changes} now
 * @param {import("./score_form.js").Changes} sent
 * @returns {import("./score_form.js").Changes}
 */
export function without(now, sent) {
  /** @type {any} */
  const left = {};
  for (const name of /** @type {const} */ (["ratings", "verdicts"])) {
    const changed = Object.entries(now[name] ?? {}).filter(([key, value]) => sent[name]?.[key] !== value);
    if (changed.length) left[name] = Object.fromEntries(changed);
  }
  if (now.comment !== undefined && now.comment !== sent.comment) left.comment = now.comment;
  return left;
}
