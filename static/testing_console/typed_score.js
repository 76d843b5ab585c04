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
