// @ts-check
// Text that grows: what came is drawn once. Only the end, where the next piece may change how it is drawn (an emoji or an
// unseen character in two pieces), is drawn again.

import { showText } from "../shared/inert_text.js";

// After one of these, whatever follows is drawn on its own.
const PLAIN = /[\p{L}\p{P}\s]/u;
const NOT_PLAIN = /[#*]/;
const LONGEST_END = 64;

export class StreamedText {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.place = place;
    this.end = "";
    this.endPlace = document.createElement("span");
    place.replaceChildren(this.endPlace);
    this.isBlank = true;
  }

  /** @param {string} text */
  append(text) {
    this.end += text;
    this.isBlank &&= !text.trim();
    const cut = settledLength(this.end);
    if (cut) {
      const settled = document.createElement("span");
      showText(settled, this.end.slice(0, cut));
      this.endPlace.before(...settled.childNodes);
      this.end = this.end.slice(cut);
    }
    showText(this.endPlace, this.end);
  }
}

/**
 * How much of the text will be drawn the same whatever follows.
 * @param {string} text
 */
export function settledLength(text) {
  for (let at = text.length; at > 0; at -= 1) {
    const last = text[at - 1];
    if (PLAIN.test(last) && !NOT_PLAIN.test(last)) return at;
  }
  return text.length > LONGEST_END ? text.length : 0;
}
