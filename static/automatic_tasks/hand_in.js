// @ts-check
// Says at once, in the form, that a chosen file is too large, instead of sending it first.

for (const field of document.querySelectorAll("input[type=file][data-limit]")) {
  if (field instanceof HTMLInputElement) {
    field.addEventListener("change", () => {
      const size = field.files?.[0]?.size ?? 0;
      field.setCustomValidity(size > Number(field.dataset.limit) ? (field.dataset.tooLarge ?? "") : "");
      field.reportValidity();
    });
  }
}
