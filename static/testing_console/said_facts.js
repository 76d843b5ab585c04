// @ts-check
// Whether a message says a fact of the goal card. Pure.

/**
 * As far as it matters for what was said: 2 晚 and 2晚, ＡＢ and ab are the same.
 * @param {string} text
 */
function plain(text) {
  return text.normalize("NFKC").toLowerCase().replace(/\s+/g, "");
}

/**
 * @param {string} text
 * @param {string[]} spoken the ways to say the fact
 */
export function saysFact(text, spoken) {
  const said = plain(text);
  return spoken.map(plain).some((words) => words !== "" && places(said, words).some((at) => isWhole(said, at, words)));
}

/** @param {string} said @param {string} words */
function places(said, words) {
  const found = [];
  for (let at = said.indexOf(words); at >= 0; at = said.indexOf(words, at + 1)) found.push(at);
  return found;
}

/**
 * 500 is not said by 1500, nor by 500.5.
 * @param {string} said
 * @param {number} at
 * @param {string} words
 */
function isWhole(said, at, words) {
  const before = said.slice(0, at);
  const after = said.slice(at + words.length);
  const goesOn = /^\d/.test(words) && /\d[.,]?$/.test(before);
  return !goesOn && !(/\d$/.test(words) && /^[.,]?\d/.test(after));
}
