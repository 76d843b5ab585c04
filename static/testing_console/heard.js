// @ts-check
// What a screen reader hears, each once: finished replies, and the last turns. The transcript itself is no live region:
// it changes with every piece of a streamed reply.

const KEPT = 3;
const SAID_AT = new Set([5, 3, 1]);

export class Heard {
  /**
   * @param {HTMLElement} log
   * @param {import("../shared/page.js").Say} say
   * @param {string} alias
   */
  constructor(log, say, alias) {
    this.log = log;
    this.say = say;
    this.alias = alias;
  }

  /** @param {string[]} texts */
  reply(texts) {
    this.add(`${this.alias}: ${texts.join("\n") || this.say("emptyReply")}`);
  }

  /**
   * @param {number} left
   * @param {number} perExchange how many turns an answer and its question are
   */
  turnsLeft(left, perExchange) {
    if (SAID_AT.has(left / perExchange)) this.add(this.say("turnsLeft", { n: left }));
  }

  /** @param {string} words */
  add(words) {
    const line = document.createElement("p");
    line.textContent = words;
    this.log.append(line);
    while (this.log.children.length > KEPT) this.log.firstElementChild?.remove();
  }
}
