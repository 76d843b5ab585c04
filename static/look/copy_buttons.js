// @ts-check
// Buttons with data-copy copy the text of the element that they name, and say so.
import { copy } from "./copying.js";

for (const button of document.querySelectorAll("button[data-copy]")) {
  button.addEventListener("click", async () => {
    const source = document.getElementById(button.getAttribute("data-copy") ?? "");
    if (source instanceof HTMLInputElement || source instanceof HTMLTextAreaElement) {
      await copy(source.value);
    } else {
      await copy((source?.textContent ?? "").trim());
    }
    const label = button.querySelector("span");
    if (label) {
      label.textContent = button.getAttribute("data-copied");
    }
  });
}
