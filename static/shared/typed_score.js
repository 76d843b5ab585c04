// @ts-check
// A score that is typed key by key: a minus or Shift makes it negative, and scores may have several digits.

const MINUS_SIGNS = ["-", "\u2212", "\uff0d"];

/**
 * What stands there after this key, or null where the key is no part of a number.
 * @param {string} typed what was typed before: "", "-" or digits with or without it
 * @param {{ key: string, code: string, shiftKey: boolean }} event
 */
export function typedAfter(typed, { key, code, shiftKey }) {
  if (MINUS_SIGNS.includes(key) || code === "NumpadSubtract") return "-";
  const digit = /^(?:Digit|Numpad)(\d)$/.exec(code)?.[1];
  if (digit === undefined) return null;
  const before = shiftKey && !typed ? "-" : typed;
  return before === "-" && digit === "0" ? "0" : before + digit;
}

/**
 * Whether that is a score of the row, and whether a longer one begins with it.
 * @param {string} typed
 * @param {string[]} scores
 */
export function readTyped(typed, scores) {
  return { isScore: scores.includes(typed), mayGoOn: scores.some((score) => score !== typed && score.startsWith(typed)) };
}

/**
 * What stands there after this key, and how it reads; null where the key is no part of a number. Where no score begins with a
 * whole score and this digit, the digit begins anew: whoever types 5 after 1 on a scale of 0 to 10 corrects it.
 * @param {string} before
 * @param {{ key: string, code: string, shiftKey: boolean }} event
 * @param {string[]} scores
 */
export function readKey(before, event, scores) {
  const read = (/** @type {string | null} */ typed) => typed === null ? null : { typed, ...readTyped(typed, scores) };
  const leads = (/** @type {ReturnType<typeof read>} */ one) => one !== null && (one.isScore || one.mayGoOn);
  const joined = read(typedAfter(before, event));
  if (joined === null || leads(joined) || !scores.includes(before)) return joined;
  const anew = read(typedAfter("", event));
  return leads(anew) ? anew : joined;
}
