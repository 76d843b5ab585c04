// @ts-check
// Names the chosen file in the form, and says at once that it is too large, instead of sending it first.

/** @param {HTMLInputElement} field */
function show(field) {
  const file = field.files?.[0];
  const name = field.closest(".file")?.querySelector(".name");
  if (name instanceof HTMLElement) {
    name.textContent = file ? file.name : (name.dataset.empty ?? "");
  }
  field.setCustomValidity(file && file.size > Number(field.dataset.limit) ? (field.dataset.tooLarge ?? "") : "");
  field.reportValidity();
}

for (const field of document.querySelectorAll("input[type=file][data-limit]")) {
  if (field instanceof HTMLInputElement) {
    field.addEventListener("change", () => show(field));
    for (const [event, isOver] of /** @type {const} */ ([["dragenter", true], ["dragleave", false], ["drop", false]])) {
      field.addEventListener(event, () => field.closest(".file")?.classList.toggle("is-over", isOver));
    }
  }
}
