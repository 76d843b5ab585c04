// @ts-check
// The form of a bot's address shows the options of the chosen protocol alone, as the server draws it at first.

for (const choice of document.querySelectorAll("select[data-protocol]")) {
  choice.addEventListener("change", () => show(choice));
}

/** @param {Element} choice */
function show(choice) {
  const form = choice.closest("form");
  if (!(choice instanceof HTMLSelectElement) || !form) return;
  for (const part of form.querySelectorAll("[data-protocols]")) {
    part.toggleAttribute("hidden", !part.getAttribute("data-protocols")?.split(" ").includes(choice.value));
  }
  for (const options of form.querySelectorAll("[data-protocol-options]")) {
    options.toggleAttribute("hidden", !options.querySelector("[data-protocols]:not([hidden])"));
  }
}
