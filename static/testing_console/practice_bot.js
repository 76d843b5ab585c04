// @ts-check
// The system of a practice dialogue, played in the browser: it asks for what is missing, once too often, and offers what it has.

import { saysFact } from "./said_facts.js";

/**
 * @typedef {{ score: number, why: string } | null} Reference
 * @typedef {{
 *   kind: string, cap: number, spoken: Record<string, string[]>, says: Record<string, string>,
 *   references: Record<string, Reference>, booked: string, notBooked: string, cut: string, same: string, other: string, none: string,
 * }} Practice
 */

const ASKED = ["city", "place", "nights"];
const NO = /不|别|\bno\b|\bnot\b|don't/i;

export class PracticeBot {
  /** @param {Practice} practice */
  constructor({ spoken, says }) {
    this.spoken = spoken;
    this.says = says;
    this.known = new Set();
    this.hasRepeated = false;
    this.hasOffered = false;
    this.isBooked = false;
  }

  /** @param {string} text @returns {string} */
  answer(text) {
    if (this.isBooked) return this.says.booked;
    const isNewPlace = !this.known.has("place");
    for (const fact of ASKED) if (saysFact(text, this.spoken[fact])) this.known.add(fact);
    // The fault that its scores are to notice.
    if (isNewPlace && this.known.has("place") && !this.hasRepeated) {
      this.hasRepeated = true;
      return this.says.place;
    }
    const missing = ASKED.find((fact) => !this.known.has(fact));
    if (missing) return this.says[missing];
    if (this.hasOffered && NO.test(text)) return this.says.refused;
    if (!this.hasOffered) {
      this.hasOffered = true;
      return this.says.offer;
    }
    this.isBooked = true;
    return this.says.booked;
  }
}
