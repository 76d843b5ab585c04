// @ts-check
// What was typed comes back where a page is loaded anew: in the other language, and after a form that was not stored, because
// the log-in had ended or the server refused it. It stays in this tab, comes back once, and only for the person who typed it.
// Passwords, codes and what else may be a secret (`data-stays-out`) are never kept.

const STASH = "huace-stash";
// Pages that hold a form which was not stored: what was typed waits until the next page after them.
const NOT_STORED = "[data-log-in], [data-not-stored]";

const STAYS_OUT =
  "[type=hidden], [type=password], [type=file], [autocomplete=one-time-code], [readonly], [data-stored], [data-stays-out]";

/** @typedef {{key: string, value: string | boolean | string[], isTyped: boolean}} Value */
/** @typedef {{page: string, sentTo: string, person: string, values: Value[], files: string[], isLost: boolean, isUnsure: boolean}} Stash */
/** @typedef {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} Field */

/** @param {string} address */
const pathOf = (address) => new URL(address, location.href).pathname;

const account = document.querySelector(".account");

const person = () => account?.getAttribute("data-person") ?? "";

/** Where this page can be loaded again; the address of a form that was answered cannot. */
const here = () => account?.getAttribute("data-here") || location.href;

/** Whether the server answered a form with this page: what stands in its fields then was typed before. */
const isAnswer = () => account?.hasAttribute("data-is-answer") ?? false;

/** The form as other pages know it: rows of a table have the same fields, and differ by what they send unseen.
 * @param {HTMLFormElement | null} form */
function nameOf(form) {
  const unseen = [...(form?.elements ?? [])].filter((field) =>
    field.matches("[type=hidden]:not([name=csrfmiddlewaretoken], [name^=previewed], [name^=content])"),
  );
  const sent = unseen.map((field) => `${field.getAttribute("name")}=${/** @type {HTMLInputElement} */ (field).value.slice(0, 100)}`);
  return [pathOf(form?.getAttribute("action") ?? ""), ...sent].join("&");
}

/** The fields whose contents a reader would miss: what was typed or chosen, but no password, file or token. */
function fields() {
  const found = document.querySelectorAll("main :is(input, textarea, select)[name]");
  const typed = [...found].filter((field) => !field.matches(STAYS_OUT));
  /** @type {Map<string, number>} */
  const seen = new Map();
  return typed.map((one) => {
    const field = /** @type {Field} */ (one);
    const name = `${nameOf(field.form)} ${field.name} ${isBox(field) ? field.value : ""}`;
    const nth = seen.get(name) ?? 0;
    seen.set(name, nth + 1);
    return { key: `${name} ${nth}`, field };
  });
}

/** @param {Element} field @returns {field is HTMLInputElement} */
const isBox = (field) => field.matches("[type=checkbox], [type=radio]");

/** Whether it differs from what the page came with: the rest may change meanwhile, by others.
 * @param {Field} field */
function isChanged(field) {
  if (isBox(field)) return field.checked !== field.defaultChecked;
  if (!(field instanceof HTMLSelectElement)) return field.value !== field.defaultValue;
  const options = [...field.options];
  const isPreset = options.some((option) => option.defaultSelected);
  return isPreset || field.multiple ? options.some((option) => option.selected !== option.defaultSelected) : field.selectedIndex > 0;
}

/** @param {Field} field */
function valueOf(field) {
  if (isBox(field)) return field.checked;
  return field instanceof HTMLSelectElement && field.multiple ? [...field.selectedOptions].map((one) => one.value) : field.value;
}

/** @param {Field} field @param {string | boolean | string[]} value */
function fill(field, value) {
  if (isBox(field)) {
    // Of radios the chosen one says all: where it is gone, what the page came with stays.
    if (value === true || field.type === "checkbox") field.checked = value === true;
  } else if (field instanceof HTMLSelectElement && Array.isArray(value)) {
    for (const option of field.options) option.selected = value.includes(option.value);
  } else if (!(field instanceof HTMLSelectElement) || [...field.options].some((option) => option.value === value)) {
    field.value = String(value);
  }
}

/** A tab without room, or without any storage, still does all the rest.
 * @template T @param {() => T} act @returns {T | null} */
function ifStored(act) {
  try {
    return act();
  } catch {
    return null;
  }
}

const forget = () => ifStored(() => sessionStorage.removeItem(STASH));

/** @param {Stash} stash */
function keep(stash) {
  forget();
  ifStored(() => sessionStorage.setItem(STASH, JSON.stringify(stash)));
}

/** @returns {Stash | null} */
const kept = () => ifStored(() => JSON.parse(sessionStorage.getItem(STASH) ?? "null"));

// On the window, so that the page's own scripts have been asked: what they send themselves they keep themselves.
addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  const isForLanguage = form.matches("[data-keeps-the-page]");
  const isSent = form.method === "post" && form.closest("main") !== null && !form.matches("[data-log-in]");
  const isWaiting = kept()?.isLost && (isForLanguage || document.querySelector(NOT_STORED));
  if (event.defaultPrevented || !(isForLanguage || isSent) || isWaiting) return;
  const keptFields = fields().filter(({ field }) => isForLanguage || isAnswer() || isChanged(field));
  const values = keptFields.map(({ key, field }) => ({
    key,
    value: valueOf(field),
    isTyped: !isBox(field) && !(field instanceof HTMLSelectElement) && field.value !== field.defaultValue,
  }));
  const chosen = [...document.querySelectorAll("main input[type=file]")].flatMap((one) => [.../** @type {HTMLInputElement} */ (one).files ?? []]);
  const address = event.submitter?.getAttribute("formaction") ?? form.getAttribute("action") ?? "";
  const sentTo = isForLanguage ? "" : pathOf(address);
  const files = chosen.map((file) => file.name);
  keep({ page: here(), sentTo, person: person(), values, files, isLost: false, isUnsure: false });
});

/** The address that a page of the log-in, or of an error, stands in for.
 * @param {Element} place */
function refused(place) {
  return place.matches("[data-log-in]") ? pathOf(new URLSearchParams(location.search).get("next") ?? "") : location.pathname;
}

/** @param {Stash} stash @param {Element} place */
function showWayBack(stash, place) {
  for (const hidden of document.querySelectorAll("[data-form-waits]")) {
    hidden.removeAttribute("hidden");
    if (hidden instanceof HTMLAnchorElement) hidden.href = stash.page;
  }
  for (const start of place.querySelectorAll("a.primary:not([data-form-waits])")) start.classList.remove("primary");
  const next = place.querySelector("[name=next]");
  if (next instanceof HTMLInputElement) next.value = new URL(stash.page, location.href).href.slice(location.origin.length);
}

/** @param {Value[]} values @returns {string[]} the texts that have no field here any more */
function restore(values) {
  const found = new Map(fields().map(({ key, field }) => [key, field]));
  const homeless = values.filter(({ key, value, isTyped }) => {
    const field = found.get(key);
    if (field) fill(field, value);
    if (isTyped) field?.closest("details")?.setAttribute("open", "");
    return !field;
  });
  return homeless.flatMap(({ value, isTyped }) => (isTyped && typeof value === "string" && value.trim() ? [value] : []));
}

/** @param {string} name @param {string[]} texts */
function list(name, texts) {
  const place = document.querySelector(`[data-typed-again] [data-${name}]`);
  if (!place || !texts.length) return;
  place.removeAttribute("hidden");
  place.append(" ", texts.join(" · "));
}

/** @param {Stash} stash */
function comeBack(stash) {
  // The next person at this tab finds nothing of it.
  if (person() && person() !== stash.person) return forget();
  const place = document.querySelector(NOT_STORED);
  if (place && (stash.isLost || refused(place) === stash.sentTo)) {
    const isUnsure = stash.isUnsure || place.getAttribute("data-not-stored") === "unsure";
    keep({ ...stash, isLost: true, isUnsure });
    return showWayBack(stash, place);
  }
  const isItsPage = stash.person === person() && pathOf(stash.page) === location.pathname;
  // On other pages it waits, as was said.
  if (stash.isLost && !isItsPage) return;
  // Given once: the next visit of this page finds nothing of it.
  forget();
  const wasAnswered = stash.sentTo && !stash.isLost;
  if (wasAnswered || !isItsPage) return;
  const homeless = restore(stash.values);
  if (!stash.isLost) return;
  list("files", stash.files);
  list("homeless", homeless);
  document.querySelector(`[data-typed-again] [data-${stash.isUnsure ? "unsure" : "sure"}]`)?.removeAttribute("hidden");
  document.querySelector("[data-typed-again]")?.removeAttribute("hidden");
}

const stash = kept();
try {
  if (stash) comeBack(stash);
} catch {
  // Kept by another release: no reason to leave the page without its scripts.
  forget();
}
