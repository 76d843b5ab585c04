// @ts-check
// Two rows are compared as soon as two others are chosen; without this script the form's button does it.

const form = /** @type {HTMLFormElement | null} */ (document.querySelector("form[data-pair]"));
const boxes = /** @type {HTMLInputElement[]} */ ([...document.querySelectorAll("input[name=compare]")]);
const shown = boxes.filter((box) => box.checked);
let chosen = [...shown];

/** @param {HTMLInputElement} box */
function choose(box) {
  chosen = chosen.filter((one) => one !== box);
  if (box.checked) chosen.push(box);
  for (const one of chosen.splice(0, chosen.length - 2)) one.checked = false;
  if (chosen.length === 2 && chosen.some((one) => !shown.includes(one))) form?.requestSubmit();
}

for (const box of boxes) box.addEventListener("change", () => choose(box));
