// @ts-check
// Shows what somebody wrote as text and nothing else. Characters that cannot be seen, or that turn the direction of
// others, become small chips with their code point, so that a reviewer sees what was really sent.

// Default_Ignorable_Code_Point is Unicode's own list of what has no glyph (UAX #44, DerivedCoreProperties.txt): fillers,
// joiners, direction marks, variation selectors, tags. To it come control characters (not \n and \t), line and paragraph
// separators, annotation marks and format controls, and letters that are drawn blank: Braille blank, null notehead,
// Khitan filler, object replacement.
const UNSEEN =
  "[\\p{Default_Ignorable_Code_Point}\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u2028\\u2029\\u2800\\ufff9-\\ufffc" +
  "\\u{13430}-\\u{1343f}\\u{16fe4}\\u{1d159}]";

// What an emoji is made of is no secret (UTS #51): a presentation selector or skin tone after it, joiners between two of
// them, keycaps, and the tags of the three flags in use. Any other tag could carry words that nobody sees.
const PICTURE = "\\p{Extended_Pictographic}(?:\\p{Emoji_Modifier}|[\\ufe0e\\ufe0f])?";
const FLAG_TAGS = ["gbeng", "gbsct", "gbwls"].map((place) =>
  [...place, "\x7f"].map((letter) => `\\u{${(0xe0000 + letter.charCodeAt(0)).toString(16)}}`).join(""),
);
const EMOJI = `\\u{1f3f4}(?:${FLAG_TAGS.join("|")})|[0-9#*]\\ufe0f\\u20e3|${PICTURE}(?:\\u200d${PICTURE})*`;

const EMOJI_OR_UNSEEN = new RegExp(`(?:${EMOJI})|(${UNSEEN})`, "gu");

/**
 * @param {HTMLElement} element
 * @param {string} text
 */
export function showText(element, text) {
  element.replaceChildren();
  let from = 0;
  for (const match of text.matchAll(EMOJI_OR_UNSEEN)) {
    if (!match[1]) continue;
    element.append(text.slice(from, match.index));
    element.append(chip(match[1]));
    from = match.index + match[0].length;
  }
  element.append(text.slice(from));
}

/** @param {string} character */
function chip(character) {
  const shown = document.createElement("span");
  shown.className = "chip";
  const code = /** @type {number} */ (character.codePointAt(0));
  shown.textContent = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
  return shown;
}
