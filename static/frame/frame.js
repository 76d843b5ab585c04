// @ts-check
// What every page does: menus that close, a question before what cannot be undone, texts that survive a change of language.

const STASH = "huace-stash";

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

/** The fields whose contents a reader would miss: what was typed or chosen, but no password, file or token. */
function fields() {
  const found = document.querySelectorAll("main :is(input, textarea, select)[name]");
  return [...found].filter((field) => !field.matches("[type=hidden], [type=password], [type=file], [data-stored]"));
}

// The page is loaded anew in the other language: what stands in its forms goes with it.
document.addEventListener("submit", (event) => {
  if (near(event.target, "form[data-keeps-the-page]")) {
    const texts = fields().map((field) =>
      field instanceof HTMLInputElement && field.matches("[type=checkbox], [type=radio]")
        ? field.checked
        : /** @type {HTMLInputElement} */ (field).value,
    );
    // Where a form was answered, the page with that form is the one that comes back.
    const next = new FormData(/** @type {HTMLFormElement} */ (event.target)).get("next");
    const path = new URL(String(next), location.href).pathname;
    sessionStorage.setItem(STASH, JSON.stringify({ path, texts }));
  }
});

const stash = sessionStorage.getItem(STASH);
if (stash) {
  sessionStorage.removeItem(STASH);
  const { path, texts } = JSON.parse(stash);
  const found = fields();
  if (path === location.pathname && texts.length === found.length) {
    found.forEach((field, index) => {
      if (field instanceof HTMLInputElement && typeof texts[index] === "boolean") {
        field.checked = texts[index];
      } else if (typeof texts[index] === "string") {
        /** @type {HTMLInputElement} */ (field).value = texts[index];
      }
    });
  }
}
