// @ts-check
// What every page does: menus that close, a question before what cannot be undone, texts that come back.

import "../look/moments.js";
import "./find.js";
import "./typed.js";

// Dozens of modules would keep the styles of their page waiting. This script runs when those are there, and before the page
// counts as loaded, which waits for what is asked for now.
const afterStyles = document.querySelector("template[data-after-styles]");
if (afterStyles instanceof HTMLTemplateElement) {
  afterStyles.replaceWith(afterStyles.content);
}

/** @param {EventTarget | null} target @param {string} selector */
const near = (target, selector) => (target instanceof Element ? target.closest(selector) : null);

/** @param {Element | null} [except] */
function closeMenus(except) {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (menu !== except) {
      menu.removeAttribute("open");
    }
  }
}

document.addEventListener("click", (event) => closeMenus(near(event.target, "details.menu")));
document.addEventListener("keydown", (event) => {
  const menu = event.key === "Escape" ? document.querySelector("details.menu[open]") : null;
  if (menu) {
    closeMenus();
    menu.querySelector("summary")?.focus();
  }
});

for (const tab of document.querySelectorAll(".tabs [aria-current]")) {
  if (tab instanceof HTMLElement && tab.parentElement) {
    tab.parentElement.scrollLeft = tab.offsetLeft - 40;
  }
}

// A page that waits for something of the server is loaded again.
for (const waiting of document.querySelectorAll("[data-reload-s]")) {
  setTimeout(() => location.reload(), 1000 * Number(waiting.getAttribute("data-reload-s")));
}

// A button with data-ask is pressed twice: on the page, and in the dialog that says what follows.
document.addEventListener("click", (event) => {
  const button = near(event.target, "button[data-ask]");
  const dialog = document.getElementById("ask");
  if (!(button instanceof HTMLButtonElement && dialog instanceof HTMLDialogElement) || !button.form) {
    return;
  }
  event.preventDefault();
  for (const [id, text] of [["ask-title", button.dataset.ask], ["ask-text", button.dataset.askText], ["ask-yes", button.textContent]]) {
    const place = document.getElementById(id ?? "");
    if (place) {
      place.textContent = (text ?? "").trim();
    }
  }
  dialog.returnValue = "no";
  dialog.addEventListener("close", () => answer(button, dialog.returnValue), { once: true });
  dialog.showModal();
});

/** @param {HTMLButtonElement} button @param {string} said */
function answer(button, said) {
  if (said === "yes") {
    delete button.dataset.ask;
    button.form?.requestSubmit(button);
  } else {
    button.focus();
  }
}
