// @ts-check
// The tester's own scores of the dialogue they had: a draft on the server, said in words, handed in at the end.

import { Draft } from "../shared/draft.js";
import { element } from "../shared/page.js";
import { ScoreForm } from "../shared/score_form.js";
import { LoggedOut, Refused } from "../shared/server.js";

const AGAIN_AFTER_MS = 3000;

export class Scores {
  /**
   * @param {string} dialogue
   * @param {import("../shared/server.js").Server} server
   * @param {import("../shared/page.js").Say} say
   * @param {(stored: import("../shared/draft.js").Answer) => void} onHandedIn
   */
  constructor(dialogue, server, say, onHandedIn) {
    this.say = say;
    this.onHandedIn = onHandedIn;
    this.isSubmitted = false;
    this.isRevised = false;
    this.isFinal = false;
    /** @type {Map<number, import("./dialogue_state.js").Part>} */
    this.parts = new Map();
    this.form = new ScoreForm(say, { onChange: (changes) => this.change(changes), onHandIn: (chosen) => this.handIn(chosen) });
    this.draft = new Draft(dialogue, server, {
      onState: (state) => this.state(state === "saved" ? "" : `review.${state}`),
      onConflict: () => this.reload(),
      onRefused: (error, handedIn) => {
        const reason = this.reason(error);
        this.form.complain(handedIn ? this.say("review.failed", { reason }) : reason);
      },
    });
  }

  /**
   * Opens the form with what is stored; before that, nothing can be chosen that would contradict it.
   * @param {Map<number, import("./dialogue_state.js").Part>} parts
   */
  async open(parts) {
    this.parts = parts;
    try {
      this.take(await this.draft.load());
    } catch (error) {
      this.form.appear();
      this.form.lock(true);
      this.state("review.notLoaded");
      if (!(error instanceof Refused)) setTimeout(() => this.open(parts), AGAIN_AFTER_MS);
      return;
    }
    this.form.open();
    this.draft.save();
  }

  /** @param {import("../shared/draft.js").Stored} stored */
  take(stored) {
    this.isSubmitted = stored.is_submitted;
    this.isRevised = stored.is_draft;
    element("rubric").toggleAttribute("data-submitted", this.isSubmitted);
    this.form.show(stored.chosen, this.parts);
    this.form.lock(!stored.may_be_changed);
    element("submit-words").textContent = this.say(this.isSubmitted ? "review.handInChange" : "review.handIn");
    this.isFinal = !stored.may_be_changed;
    this.state("");
  }

  /** @param {import("../shared/draft.js").Changes} changes */
  change(changes) {
    this.isRevised = true;
    this.draft.change(changes);
  }

  /** Somebody handed in meanwhile, in another tab: what is stored is shown, and said. */
  async reload() {
    this.draft.forgetUnsaved();
    this.take(await this.draft.load());
    this.form.complain(this.say("review.conflict"));
  }

  /** @param {import("../shared/draft.js").Chosen} chosen */
  async handIn(chosen) {
    const stored = await this.draft.handIn(chosen);
    if (stored) this.onHandedIn(stored);
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
