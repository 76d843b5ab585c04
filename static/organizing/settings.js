// @ts-check
// Settings that others decide about are shown where they apply: `data-needs="plan=quota;free_choice=no"`.

import { element } from "../shared/page.js";

const form = /** @type {HTMLFormElement} */ (element("settings"));

function showWhatApplies() {
  for (const row of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("[data-needs*='=']"))) {
    const needs = (row.dataset.needs ?? "").split(";").map((need) => need.split("="));
    const fields = needs.map(([name]) => form.elements.namedItem(name));
    // What a field cannot say any more, because dialogues fixed it, the server has decided.
    if (fields.every((field) => field instanceof HTMLSelectElement)) {
      row.hidden = !needs.every(([, values], nth) => values.split(",").includes(/** @type {HTMLSelectElement} */ (fields[nth]).value));
    }
  }
}

form.addEventListener("change", showWhatApplies);
// Where what was typed came back after a reload, it says more than the server knew.
showWhatApplies();
