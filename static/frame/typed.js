// @ts-check
// What was typed comes back where a page is loaded anew: in the other language, and after a form that was not stored, because
// the log-in had ended or the server refused it. It stays in this tab, comes back once, and only for the person who typed it.

const STASH = "huace-stash";
// Pages that hold a form which was not stored: what was typed waits until the next page after them.
const NOT_STORED = "[data-log-in], [data-not-stored]";

/** @typedef {{key: string, value: string | boolean | string[], isTyped: boolean}} Value */
/** @typedef {{page: string, sentTo: string, person: string, values: Value[], files: string[], isLost: boolean}} Stash */

/** @param {string} address */
const pathOf = (address) => new URL(address, location.href).pathname;

const person = () => document.querySelector(".account")?.getAttribute("data-person") ?? "";

/** Where this page can be loaded again; the address of a form that was answered cannot. */
function here() {
  const known = document.querySelector("form[data-keeps-the-page] [name=next]");
  return known instanceof HTMLInputElement ? known.value : location.href;
}

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
  const typed = [...found].filter((field) => !field.matches("[type=hidden], [type=password], [type=file], [readonly], [data-stored]"));
  /** @type {Map<string, number>} */
  const seen = new Map();
  return typed.map((one) => {
    const field = /** @type {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} */ (one);
    const name = `${nameOf(field.form)} ${field.name} ${isBox(field) ? field.value : ""}`;
    const nth = seen.get(name) ?? 0;
    seen.set(name, nth + 1);
    return { key: `${name} ${nth}`, field };
  });
}

/** @param {Element} field @returns {field is HTMLInputElement} */
const isBox = (field) => field.matches("[type=checkbox], [type=radio]");

/** @param {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} field */
function valueOf(field) {
  if (isBox(field)) return field.checked;
  return field instanceof HTMLSelectElement && field.multiple ? [...field.selectedOptions].map((one) => one.value) : field.value;
}

/** @param {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} field @param {string | boolean | string[]} value */
function fill(field, value) {
  if (isBox(field)) {
    field.checked = value === true;
  } else if (field instanceof HTMLSelectElement && Array.isArray(value)) {
    for (const option of field.options) option.selected = value.includes(option.value);
  } else if (!(field instanceof HTMLSelectElement) || [...field.options].some((option) => option.value === value)) {
    field.value = String(value);
  }
}

/** @param {Stash} stash */
function keep(stash) {
  try {
    sessionStorage.setItem(STASH, JSON.stringify(stash));
  } catch {
    // A tab without room for it still sends its form.
    sessionStorage.removeItem(STASH);
  }
}

/** @returns {Stash | null} */
const kept = () => JSON.parse(sessionStorage.getItem(STASH) ?? "null");

// On the window, so that the page's own scripts have been asked: what they send themselves they keep themselves.
addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  const isForLanguage = form.matches("[data-keeps-the-page]");
  const isSent = form.method === "post" && form.closest("main") !== null && !form.matches("[data-log-in]");
  if (event.defaultPrevented || !(isForLanguage || isSent) || (document.querySelector(NOT_STORED) && kept()?.isLost)) return;
  const values = fields().map(({ key, field }) => ({
    key,
    value: valueOf(field),
    isTyped: !isBox(field) && !(field instanceof HTMLSelectElement) && field.value !== field.defaultValue,
  }));
  const chosen = [...document.querySelectorAll("main input[type=file]")].flatMap((one) => [.../** @type {HTMLInputElement} */ (one).files ?? []]);
  const sentTo = isForLanguage ? "" : pathOf(form.getAttribute("action") ?? "");
  keep({ page: here(), sentTo, person: person(), values, files: chosen.map((file) => file.name), isLost: false });
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
  const next = place.querySelector("[name=next]");
  if (next instanceof HTMLInputElement) next.value = new URL(stash.page, location.href).href.slice(location.origin.length);
}

/** @param {Value[]} values @returns {string[]} the texts that have no field here any more */
function restore(values) {
  const found = new Map(fields().map(({ key, field }) => [key, field]));
  const homeless = values.filter(({ key, value }) => {
    const field = found.get(key);
    if (field) fill(field, value);
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
  const place = document.querySelector(NOT_STORED);
  if (place && (stash.isLost || refused(place) === stash.sentTo)) {
    keep({ ...stash, isLost: true });
    showWayBack(stash, place);
    return;
  }
  // Given once: the next person at this tab, and the next visit of this page, find nothing of it.
  sessionStorage.removeItem(STASH);
  const wasAnswered = stash.sentTo && !stash.isLost;
  if (wasAnswered || stash.person !== person() || pathOf(stash.page) !== location.pathname) return;
  const homeless = restore(stash.values);
  if (!stash.isLost) return;
  list("files", stash.files);
  list("homeless", homeless);
  document.querySelector("[data-typed-again]")?.removeAttribute("hidden");
}

const stash = kept();
if (stash) comeBack(stash);
