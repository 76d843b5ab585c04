// @ts-check
// The list of what was said: own lines with their saving state, replies as they come, failures in words.

import { showText } from "./inert_text.js";

const WAITING_SHOWN_AFTER_S = 3;

export class Transcript {
  /**
   * @param {HTMLElement} list
   * @param {HTMLElement} toEnd
   * @param {(key: string, values?: Record<string, string | number>) => string} say
   * @param {string} alias
   */
  constructor(list, toEnd, say, alias) {
    this.list = list;
    this.toEnd = toEnd;
    this.say = say;
    this.alias = alias;
    /** @type {Map<string, HTMLElement>} */
    this.ownLines = new Map();
    /** @type {Map<number, HTMLElement>} */
    this.answers = new Map();
    /** @type {Map<number, HTMLElement>} */
    this.failures = new Map();
    this.isAtEnd = true;
    list.addEventListener("scroll", () => {
      this.isAtEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 40;
      if (this.isAtEnd) toEnd.hidden = true;
    });
    new ResizeObserver(() => this.isAtEnd && this.scrollToEnd()).observe(list);
    toEnd.addEventListener("click", () => this.scrollToEnd());
    setInterval(() => this.tick(), 1000);
  }

  /**
   * @param {string} key
   * @param {string} text
   * @param {"sending" | "saved" | "unsent"} state
   */
  ownLine(key, text, state) {
    let line = this.ownLines.get(key);
    if (!line) {
      line = this.addLine("from-tester", this.say("you"));
      showText(this.part(line, "said"), text);
      this.ownLines.set(key, line);
    }
    const aside = this.part(line, "aside");
    aside.replaceChildren();
    aside.textContent = state === "saved" ? "✓" : state === "sending" ? "◷" : this.say("unsent");
    aside.title = state === "saved" ? this.say("saved") : this.say("saving");
    this.grown();
    return line;
  }

  /**
   * @param {string} key
   * @param {string} reason
   * @param {() => void} onAgain
   */
  notSaved(key, reason, onAgain) {
    const line = this.ownLines.get(key);
    if (!line) return;
    const aside = this.part(line, "aside");
    const again = document.createElement("button");
    again.type = "button";
    again.className = "button small";
    again.textContent = this.say("sendAgain");
    again.addEventListener("click", onAgain);
    aside.replaceChildren(`${this.say("notSaved")}: ${reason} `, again);
    this.grown();
  }

  /** @param {string} key */
  forget(key) {
    this.ownLines.get(key)?.remove();
    this.ownLines.delete(key);
  }

  /** @param {number} turn */
  waitFor(turn) {
    this.failures.get(turn)?.remove();
    this.failures.delete(turn);
    let line = this.answers.get(turn);
    if (!line) {
      line = this.addLine("from-bot", this.alias);
      this.answers.set(turn, line);
    }
    const said = this.part(line, "said");
    said.textContent = "";
    said.classList.add("dots");
    line.dataset.waitingSince = String(performance.now());
    this.part(line, "aside").textContent = "";
    this.grown();
  }

  /**
   * @param {number} turn
   * @param {string} text
   */
  delta(turn, text) {
    const line = this.answers.get(turn);
    if (!line) return;
    const said = this.part(line, "said");
    said.classList.remove("dots");
    line.dataset.heard = (line.dataset.heard || "") + text;
    showText(said, line.dataset.heard);
    this.grown();
  }

  /**
   * @param {number} turn
   * @param {string[]} texts
   * @param {number} latencyMs
   * @param {string[]} flags
   * @param {number} replyLimit
   */
  reply(turn, texts, latencyMs, flags, replyLimit) {
    if (!this.answers.has(turn)) this.waitFor(turn);
    const line = /** @type {HTMLElement} */ (this.answers.get(turn));
    delete line.dataset.waitingSince;
    delete line.dataset.heard;
    const body = this.part(line, "body");
    body.replaceChildren(...texts.map((text) => this.bubble(text)));
    const notes = flags.filter((flag) => flag !== "empty").map((flag) => this.say(`flag.${flag}`, { n: replyLimit }));
    this.part(line, "aside").textContent = [...notes, this.say("seconds", { n: latencyMs < 100 ? "<0.1" : (latencyMs / 1000).toFixed(1) })].join(" · ");
    this.grown();
  }

  /**
   * @param {number} turn
   * @param {string} sentence
   * @param {string} hint
   * @param {{ label: string, key: string, act: () => void }[]} choices
   */
  failure(turn, sentence, hint, choices) {
    this.answers.get(turn)?.remove();
    this.answers.delete(turn);
    this.failures.get(turn)?.remove();
    const notice = document.createElement("li");
    notice.className = "failure";
    const words = document.createElement("span");
    words.textContent = `${sentence} ${hint}`;
    const push = document.createElement("span");
    push.className = "push";
    notice.append(words, push, ...choices.map((choice) => this.choice(choice)));
    this.failures.set(turn, notice);
    this.list.append(notice);
    this.grown();
  }

  /** Takes the buttons off the failures that were left behind. */
  settleFailures() {
    for (const notice of this.failures.values()) notice.querySelectorAll("button").forEach((button) => button.remove());
  }

  /** @param {string} text */
  rule(text) {
    const rule = document.createElement("li");
    rule.className = "rule";
    rule.textContent = text;
    this.list.append(rule);
    this.grown();
  }

  /** @param {{ label: string, key: string, act: () => void }} choice */
  choice({ label, key, act }) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button";
    const shownKey = document.createElement("kbd");
    shownKey.textContent = key;
    button.append(shownKey, label);
    button.addEventListener("click", act);
    return button;
  }

  /** @param {string} text */
  bubble(text) {
    const said = document.createElement("div");
    said.className = "said";
    said.dir = "auto";
    if (text.trim()) showText(said, text);
    else {
      said.classList.add("is-empty");
      said.textContent = this.say("emptyReply");
    }
    return said;
  }

  /**
   * @param {string} kind
   * @param {string} who
   */
  addLine(kind, who) {
    const line = document.createElement("li");
    line.className = kind;
    const name = document.createElement("span");
    name.className = "who";
    name.textContent = who;
    const body = document.createElement("div");
    body.className = "body";
    const said = document.createElement("div");
    said.className = "said";
    said.dir = "auto";
    body.append(said);
    const aside = document.createElement("span");
    aside.className = "aside number";
    line.append(name, body, aside);
    this.list.append(line);
    return line;
  }

  /**
   * @param {HTMLElement} line
   * @param {string} name
   * @returns {HTMLElement}
   */
  part(line, name) {
    const found = line.querySelector(`.${name}`);
    if (found) return /** @type {HTMLElement} */ (found);
    const body = /** @type {HTMLElement} */ (line.querySelector(".body"));
    const said = this.bubble(" ");
    body.append(said);
    return said;
  }

  tick() {
    for (const line of this.answers.values()) {
      if (!line.dataset.waitingSince) continue;
      const seconds = Math.floor((performance.now() - Number(line.dataset.waitingSince)) / 1000);
      if (seconds >= WAITING_SHOWN_AFTER_S) this.part(line, "aside").textContent = this.say("waiting", { n: seconds });
    }
  }

  grown() {
    if (this.isAtEnd) this.scrollToEnd();
    else this.toEnd.hidden = false;
  }

  scrollToEnd() {
    this.list.scrollTop = this.list.scrollHeight;
    this.isAtEnd = true;
    this.toEnd.hidden = true;
  }
}
