// @ts-check
// Choosing rows of a list for one act: all of the page at once, and how many are chosen.

for (const all of document.querySelectorAll("[data-choose-all]")) {
  if (all instanceof HTMLInputElement) {
    choosingAll(all, all.dataset.chooseAll ?? "");
  }
}
for (const count of document.querySelectorAll("[data-chosen-count]")) {
  if (count instanceof HTMLElement) {
    counting(count, count.dataset.chosenCount ?? "");
  }
}

/** @param {string} form @returns {HTMLInputElement[]} */
function boxesOf(form) {
  return [...document.querySelectorAll(`input[name="chosen"][form="${form}"]`)].filter(
    (one) => one instanceof HTMLInputElement,
  );
}

/** @param {HTMLInputElement} all @param {string} form */
function choosingAll(all, form) {
  all.hidden = false;
  all.addEventListener("change", () => {
    for (const box of boxesOf(form)) {
      box.checked = all.checked;
    }
    all.dispatchEvent(new Event("chosen", { bubbles: true }));
  });
}

/** @param {HTMLElement} count @param {string} form */
function counting(count, form) {
  const button = document.querySelector(`[data-chosen-of="${form}"]`);
  const tell = () => {
    const boxes = boxesOf(form);
    const n = boxes.filter((box) => box.checked).length;
    count.textContent = n ? `${n} / ${boxes.length}` : "";
    if (button instanceof HTMLButtonElement) {
      button.disabled = n === 0;
    }
  };
  document.addEventListener("change", tell);
  document.addEventListener("chosen", tell);
  tell();
}
