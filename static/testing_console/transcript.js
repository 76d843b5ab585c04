// @ts-check
// The list of what was said: one item per turn with its number in the gutter, replies as they come, failures in words.

import { showText } from "../shared/inert_text.js";
import { find, fromTemplate } from "../shared/page.js";
import { StreamedText } from "./streamed_text.js";

const WAITING_SHOWN_AFTER_S = 1;
// What stands in the texts of a reply for a picture, to the letter (`participants/picture_lines.py`): a bot may say nearly the same.
const WHYS =
  "dns|connect|tls|timeout_first_byte|timeout_total|http_4xx|http_5xx|bad_json|bad_shape|empty|too_long|other_dialogue|" +
  "blocked_address|cancelled|interrupted|not_a_picture|too_large|too_many|not_stored";
const FILE = "([0-9a-f]{64}\\.(?:png|jpeg|webp|gif)) ([1-9]\\d{0,3})x([1-9]\\d{0,3})";
const PICTURE = new RegExp(`^\\[image (?:${FILE}|- (${WHYS}))\\]$`);

/**
 * @typedef {{ label: string, key: string, act: () => void, isPrimary?: boolean, isDanger?: boolean }} Choice
 * @typedef {{ onCopy: (text: string) => void, onFlag: (turn: number) => void, onChoose: (text: string) => void }} Acts
 */

export class Transcript {
  /**
   * @param {HTMLElement} list
   * @param {import("../shared/page.js").Say} say
   * @param {Acts} acts
   * @param {{ dialogue: string, replyLimit: number, slowAfterMs: number }} limits
   */
  constructor(list, say, acts, limits) {
    this.list = list;
    this.say = say;
    this.acts = acts;
    this.limits = limits;
    this.onGrown = () => {};
    /** @type {Map<string, HTMLElement>} items by the key of the message */
    this.byKey = new Map();
    /** @type {Map<number, HTMLElement>} items by the number of the turn */
    this.byTurn = new Map();
    /** @type {Map<HTMLElement, StreamedText>} replies that are coming in */
    this.streams = new Map();
    /** @type {Map<HTMLElement, number>} since when replies are waited for */
    this.since = new Map();
    setInterval(() => this.tick(), 500);
  }

  /**
   * @param {string} key
   * @param {string} text
   * @param {"sending" | "saved" | "unsent"} state
   */
  ownLine(key, text, state) {
    const item = this.byKey.get(key) ?? this.addTurn(key, text);
    const line = find(item, ".from-tester");
    line.dataset.state = state;
    const aside = find(line, ".aside");
    aside.classList.remove("is-bad");
    find(aside, ".aside-words").replaceChildren(state === "unsent" ? this.say("unsent") : "");
    aside.title = this.say(state === "saved" ? "saved" : "saving");
    this.onGrown();
    return item;
  }

  /**
   * @param {string} key
   * @param {string} text
   */
  addTurn(key, text) {
    const item = fromTemplate("turn-template");
    showText(find(item, ".said"), text);
    find(item, "[data-act=copy]").addEventListener("click", () => this.acts.onCopy(text));
    this.byKey.set(key, item);
    this.add(item);
    return item;
  }

  /** An item for what the bot says before anybody else. @param {number} turn */
  opening(turn) {
    if (this.byTurn.has(turn)) return;
    const item = fromTemplate("opening-template");
    this.byTurn.set(turn, item);
    this.add(item);
  }

  /** @param {HTMLElement} item */
  add(item) {
    this.list.querySelector("#ready")?.remove();
    this.list.append(item);
    this.onGrown();
  }

  /**
   * @param {string} key
   * @param {number} turn
   * @param {number} place its number within its part
   */
  place(key, turn, place) {
    const item = /** @type {HTMLElement} */ (this.byKey.get(key));
    for (const earlier of this.list.querySelectorAll(".turn.is-last")) earlier.classList.remove("is-last");
    item.classList.add("is-last");
    item.dataset.turn = String(turn);
    find(item, ".turn-number").textContent = String(place);
    this.byTurn.set(turn, item);
  }

  /**
   * @param {string} key
   * @param {string} reason
   * @param {() => void} onAgain
   */
  notSaved(key, reason, onAgain) {
    const item = this.byKey.get(key);
    if (!item) return;
    const aside = find(item, ".from-tester .aside");
    aside.classList.add("is-bad");
    find(item, ".from-tester").dataset.state = "unsent";
    const again = this.button({ label: this.say("sendAgain"), key: "", act: onAgain });
    find(aside, ".aside-words").replaceChildren(`${this.say("notSaved")}: ${reason} `, again);
    this.onGrown();
  }

  /** @param {string} key */
  forget(key) {
    this.byKey.get(key)?.remove();
    this.byKey.delete(key);
  }

  /** @param {number} turn */
  waitFor(turn) {
    const item = this.byTurn.get(turn);
    if (!item) return;
    this.clearReply(item);
    this.showUnanswered(item, false);
    const line = fromTemplate("reply-template");
    // What is still coming in is not read out; the finished reply is (see `heard` of the console).
    line.setAttribute("aria-hidden", "true");
    line.classList.add("is-waiting");
    item.append(line);
    this.since.set(line, performance.now());
    this.onGrown();
  }

  /** @param {HTMLElement} item */
  clearReply(item) {
    for (const line of item.querySelectorAll(".from-bot, .failure, .offered")) {
      this.streams.delete(/** @type {HTMLElement} */ (line));
      this.since.delete(/** @type {HTMLElement} */ (line));
      line.remove();
    }
  }

  /**
   * The bot answers as many turns as it can.
   * @param {number} turn
   * @param {number} place of the turn in the row, 0 when it has come
   */
  inRow(turn, place) {
    const line = this.byTurn.get(turn)?.querySelector(".from-bot");
    if (!(line instanceof HTMLElement) || !this.since.has(line)) return;
    if (place) line.dataset.place = String(place);
    else {
      delete line.dataset.place;
      find(line, ".aside").textContent = "";
      this.since.set(line, performance.now());
    }
    this.tick();
  }

  /**
   * @param {number} turn
   * @param {string} text
   */
  delta(turn, text) {
    const line = this.byTurn.get(turn)?.querySelector(".from-bot");
    if (!(line instanceof HTMLElement) || !this.since.has(line)) return;
    const stream = this.streams.get(line) ?? new StreamedText(find(line, ".said"));
    this.streams.set(line, stream);
    stream.append(text);
    // A bubble without a word in it is none.
    line.classList.toggle("is-waiting", stream.isBlank);
    line.classList.toggle("is-streaming", !stream.isBlank);
    this.onGrown();
  }

  /**
   * @param {number} turn
   * @param {string[]} texts
   * @param {number} latencyMs
   * @param {string[]} flags
   * @param {string[]} choices lines of the texts that are shown as buttons
   */
  reply(turn, texts, latencyMs, flags, choices) {
    const item = this.byTurn.get(turn);
    if (!item) return;
    this.clearReply(item);
    const said = texts.map((text) => withoutChoices(text, choices)).filter((text) => text.trim() || !choices.length);
    const lines = (said.length ? said : [""]).map((text) => this.bubble(text));
    const last = /** @type {HTMLElement} */ (lines.at(-1));
    const aside = find(last, ".aside");
    const notes = flags.filter((flag) => flag !== "empty" && flag !== "slow");
    const words = notes.map((flag) => this.say(`flag.${flag}`, { n: this.limits.replyLimit }));
    aside.textContent = [...words, this.say("seconds", { n: latencyMs < 100 ? "<0.1" : (latencyMs / 1000).toFixed(1) })].join(" · ");
    aside.classList.toggle("is-slow", latencyMs > this.limits.slowAfterMs);
    if (latencyMs > this.limits.slowAfterMs) aside.title = this.say("flag.slow");
    for (const line of lines.slice(0, -1)) line.querySelector(".turn-acts")?.remove();
    find(last, "[data-act=copy]").addEventListener("click", () => this.acts.onCopy(texts.join("\n")));
    find(last, "[data-act=flag]").addEventListener("click", () => this.acts.onFlag(turn));
    item.append(...lines);
    if (choices.length) item.append(this.choices(choices));
    this.onGrown();
  }

  /** @param {string[]} choices */
  choices(choices) {
    const row = document.createElement("div");
    row.className = "offered";
    for (const text of choices) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "chip";
      showText(button, text);
      button.addEventListener("click", () => this.acts.onChoose(text));
      row.append(button);
    }
    return row;
  }

  /** What was offered stays to be read; only the latest reply can be answered by a press. */
  settleChoices() {
    for (const button of this.list.querySelectorAll(".offered button")) /** @type {HTMLButtonElement} */ (button).disabled = true;
  }

  /** @param {string} text */
  bubble(text) {
    const line = fromTemplate("reply-template");
    const said = find(line, ".said");
    const picture = PICTURE.exec(text);
    if (picture?.[1]) said.append(this.picture(picture[1], Number(picture[2]), Number(picture[3])));
    else if (text.trim() && !picture) showText(said, text);
    else {
      said.classList.add("is-empty");
      said.textContent = this.say(picture ? "noPicture" : "emptyReply");
    }
    return line;
  }

  /**
   * @param {string} name
   * @param {number} width
   * @param {number} height
   */
  picture(name, width, height) {
    const link = document.createElement("a");
    link.className = "picture";
    link.href = `/dialogues/${this.limits.dialogue}/images/${name}/`;
    link.target = "_blank";
    const image = new Image(width, height);
    image.alt = this.say("picture");
    image.addEventListener("load", () => this.onGrown());
    image.src = link.href;
    link.append(image);
    return link;
  }

  /**
   * @param {number} turn
   * @param {boolean} isFlagged
   */
  showFlag(turn, isFlagged) {
    const button = this.byTurn.get(turn)?.querySelector("[data-act=flag]");
    button?.setAttribute("aria-pressed", String(isFlagged));
    button?.setAttribute("aria-label", this.say(isFlagged ? "flag.off" : "flag.on"));
  }

  /**
   * @param {number} turn
   * @param {string} sentence
   * @param {string} hint
   * @param {Choice[]} choices
   * @param {boolean} isNews whether it happens now, and is to be read out
   */
  failure(turn, sentence, hint, choices, isNews) {
    const item = this.byTurn.get(turn);
    if (!item) return;
    this.clearReply(item);
    this.showUnanswered(item, true);
    const notice = fromTemplate("failure-template");
    find(notice, ".failure-what").textContent = sentence;
    find(notice, ".failure-hint").textContent = hint;
    find(notice, ".failure-choices").append(...choices.map((choice) => this.button(choice)));
    if (isNews) notice.setAttribute("role", "alert");
    item.append(notice);
    this.onGrown();
  }

  /**
   * @param {HTMLElement} item
   * @param {boolean} isUnanswered
   */
  showUnanswered(item, isUnanswered) {
    item.classList.toggle("is-failed", isUnanswered);
    const aside = item.querySelector(".from-tester .aside");
    // What the bot says first answers nothing.
    if (!(aside instanceof HTMLElement)) return;
    aside.classList.toggle("is-bad", isUnanswered);
    find(aside, ".aside-words").textContent = isUnanswered ? this.say("unanswered") : "";
  }

  /** Takes hint and buttons off the failures that were left behind: they can no longer be acted on. */
  settleFailures() {
    for (const notice of this.list.querySelectorAll(".failure")) {
      find(notice, ".failure-choices").replaceChildren();
      find(notice, ".failure-hint").replaceChildren();
    }
  }

  /**
   * @param {string} name
   * @param {string} words
   */
  cut(name, words) {
    const line = fromTemplate("cut-template");
    find(line, ".cut-name").textContent = name;
    find(line, ".cut-words").textContent = words;
    this.add(line);
  }

  /** @param {Choice} choice */
  button({ label, key, act, isPrimary, isDanger }) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = `button small${isPrimary ? " primary" : ""}${isDanger ? " danger" : ""}`;
    button.append(label);
    if (key) {
      const shown = document.createElement("kbd");
      shown.textContent = key;
      button.append(shown);
    }
    button.addEventListener("click", act);
    return button;
  }

  tick() {
    for (const [line, since] of this.since) {
      const seconds = (performance.now() - since) / 1000;
      const isComing = line.classList.contains("is-streaming");
      const place = line.dataset.place;
      if (!isComing && !place && seconds < WAITING_SHOWN_AFTER_S) continue;
      const name = isComing ? "answering" : place ? "inRow" : "waiting";
      const words = this.say(name, { n: isComing ? seconds.toFixed(1) : Math.floor(seconds), place: place ?? "" });
      find(line, ".aside").textContent = words;
    }
  }
}

/**
 * The texts of a reply for who hears them: a picture's line in words.
 * @param {string[]} texts
 * @param {import("../shared/page.js").Say} say
 */
export function heardTexts(texts, say) {
  return texts.map((text) => {
    const picture = PICTURE.exec(text);
    return picture ? say(picture[1] ? "picture" : "noPicture") : text;
  });
}

/**
 * A reply without the lines that become buttons.
 * @param {string} text
 * @param {string[]} choices
 */
function withoutChoices(text, choices) {
  return choices.length ? text.split("\n").filter((line) => !choices.includes(line)).join("\n") : text;
}
