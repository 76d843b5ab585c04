// @ts-check
// Two tabs or machines that disagree: both values side by side, and the person chooses which ones hold.

import { answerOf, element } from "../shared/page.js";

/** @typedef {import("../shared/draft.js").Chosen} Chosen */

/**
 * What differs, as rows of name, stored value and own value.
 * @param {Partial<Chosen>} stored
 * @param {Partial<Chosen>} mine
 * @param {Record<string, string>} names
 * @param {import("../shared/page.js").Say} say
 * @returns {string[][]}
 */
export function differences(stored, mine, names, say) {
  const shown = (/** @type {number | string | boolean | null | undefined} */ value) => (value === undefined || value === null || value === "" ? "–" : String(value).replace("-", "−"));
  const verdict = (/** @type {number | string | boolean | null | undefined} */ value) => (value === undefined ? "–" : say(value ? "review.finished" : "review.notFinished"));
  const rows = [];
  for (const [kind, prefix, inWords] of /** @type {const} */ ([["verdicts", "verdict ", verdict], ["ratings", "", shown], ["evidence", "", shown]])) {
    const theirs = stored[kind] ?? {};
    const own = mine[kind] ?? {};
    for (const key of new Set([...Object.keys(theirs), ...Object.keys(own)])) {
      const name = names[prefix + key] ?? key;
      const label = kind === "evidence" ? say("review.evidenceOf", { name }) : name;
      if (theirs[key] !== own[key]) rows.push([label, inWords(theirs[key]), inWords(own[key])]);
    }
  }
  if ((stored.comment ?? "") !== (mine.comment ?? "")) rows.push([say("review.comment"), shown(stored.comment), shown(mine.comment)]);
  return rows;
}

/**
 * @param {string[][]} rows
 * @returns {Promise<boolean>} whether the person's own values are to hold
 */
export async function choosesOwn(rows) {
  element("conflict-rows").replaceChildren(...rows.map((cells) => {
    const row = document.createElement("tr");
    row.append(...cells.map((words) => {
      const cell = document.createElement("td");
      cell.className = "wrap";
      cell.textContent = words;
      return cell;
    }));
    return row;
  }));
  return (await answerOf("conflict")) === "mine";
}

/** The keys of the two buttons. */
export function bindConflictKeys() {
  element("conflict").addEventListener("keydown", (event) => {
    const button = element("conflict").querySelectorAll(".foot-row button")[Number(event.key) - 1];
    if (button instanceof HTMLButtonElement) button.click();
  });
}
