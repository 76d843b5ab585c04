// @ts-check
// What every script of these pages needs: elements by id, what the server wrote into the page, words in the reader's language.

/** @typedef {(key: string, values?: Record<string, string | number>) => string} Say */

/** @param {string} id */
export const element = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** @param {string} id */
const read = (id) => JSON.parse(document.getElementById(id)?.textContent || "{}");

export const settings = read("page-settings");
export const strings = read("page-strings");

const isTouched = matchMedia("(pointer: coarse)").matches;

/**
 * Words that name keys have others for screens without any.
 * @type {Say}
 */
export function say(key, values = {}) {
  const words = (isTouched && strings[`${key}.touch`]) || strings[key];
  return String(words ?? key).replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}

/** A number of turns in words. @param {number} n */
export const turns = (n) => say(n === 1 ? "oneTurn" : "turns", { n });

/** Sentences one after the other; Chinese ones without a space between. @param {string[]} sentences */
export const inOneLine = (sentences) => sentences.join(sentences[0]?.endsWith("。") ? "" : " ");

/**
 * A copy of the first element of a <template>.
 * @param {string} id
 */
export function fromTemplate(id) {
  const template = /** @type {HTMLTemplateElement} */ (element(id));
  return /** @type {HTMLElement} */ (template.content.firstElementChild?.cloneNode(true));
}

/**
 * @param {ParentNode} parent
 * @param {string} selector
 */
export const find = (parent, selector) => /** @type {HTMLElement} */ (parent.querySelector(selector));

/**
 * Asks a dialog; gives the value of the button that closed it, "no" for Esc.
 * @param {string} id
 * @returns {Promise<string>}
 */
export function answerOf(id) {
  const dialog = /** @type {HTMLDialogElement} */ (element(id));
  if (dialog.open) return Promise.resolve("no");
  dialog.returnValue = "no";
  dialog.showModal();
  return new Promise((resolve) => dialog.addEventListener("close", () => resolve(dialog.returnValue), { once: true }));
}

/** Opens a dialog that only tells something. @param {string} id */
export function showDialog(id) {
  const dialog = /** @type {HTMLDialogElement} */ (element(id));
  if (!dialog.open) dialog.showModal();
}

/** Buttons that only close the dialog they are in. */
export function letDialogsClose() {
  for (const button of document.querySelectorAll("dialog [data-closes]")) {
    button.addEventListener("click", () => button.closest("dialog")?.close("no"));
  }
}
