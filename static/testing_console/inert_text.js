// @ts-check
// Shows what somebody wrote as text and nothing else. Characters that cannot be seen, or that turn the direction of
// others, become small chips with their code point, so that a reviewer sees what was really sent.

// Soft hyphen, zero-width and direction marks, isolates and overrides, tags, variation-free controls (not \n and \t).
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\u{e0001}|[\u{e0020}-\u{e007f}]/gu;

/**
 * @param {HTMLElement} element
 * @param {string} text
 */
export function showText(element, text) {
  element.replaceChildren();
  let from = 0;
  for (const match of text.matchAll(UNSEEN)) {
    element.append(text.slice(from, match.index));
    element.append(chip(match[0]));
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
