// @ts-check
// Ctrl+K on every page: what a word leads to, chosen by the arrows. The list is the one of the page "Find", drawn by the server.

const WAIT_MS = 150;
const dialog = document.querySelector("dialog#find");

document.addEventListener("keydown", (event) => {
  const isAsked = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k";
  if (isAsked && dialog instanceof HTMLDialogElement) {
    event.preventDefault();
    open(dialog);
  }
});

document.addEventListener("click", (event) => {
  const isLink = event.target instanceof Element && event.target.closest("a[data-find]");
  if (isLink && dialog instanceof HTMLDialogElement && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    open(dialog);
  }
});

/** @param {HTMLDialogElement} shown */
function open(shown) {
  if (!shown.open) shown.showModal();
  const form = shown.querySelector("form");
  form?.querySelector("input")?.select();
  if (form) look(form);
}

for (const form of document.querySelectorAll("form.find")) {
  if (form instanceof HTMLFormElement) {
    let waiting = 0;
    // Hits that the page came with are those of its own address.
    form.dataset.listed = location.href;
    form.addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => look(form), WAIT_MS);
    });
    form.addEventListener("keydown", (event) => choose(form, event));
  }
}

/** The word last asked for: answers come in any order. */
let asked = "";

/** @param {HTMLFormElement} form */
function addressOf(form) {
  return `${form.action}?${new URLSearchParams(/** @type {Record<string, string>} */ (Object.fromEntries(new FormData(form))))}`;
}

/** @param {HTMLFormElement} form */
async function look(form) {
  const address = addressOf(form);
  asked = address;
  try {
    const answer = await fetch(address);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const found = page.querySelector("main [data-found]");
    if (answer.ok && found && asked === address) {
      form.querySelector("[data-found]")?.replaceChildren(...found.childNodes);
      form.dataset.listed = address;
    }
  } catch {
    // Offline: what is listed stays, and Enter asks for the page.
  }
}

/** @param {HTMLFormElement} form @param {KeyboardEvent} event */
function choose(form, event) {
  if (event.isComposing) return;
  const field = form.querySelector("input");
  const links = [...form.querySelectorAll("a")];
  const steps = new Map([["ArrowDown", 1], ["ArrowUp", -1]]);
  const step = steps.get(event.key);
  if (step) {
    event.preventDefault();
    const stops = [field, ...links];
    const now = stops.findIndex((stop) => stop === document.activeElement);
    stops[Math.max(0, Math.min(stops.length - 1, now + step))]?.focus();
  } else if (event.key === "Enter" && document.activeElement === field && links.length && form.dataset.listed === addressOf(form)) {
    // Hits of an earlier word are nobody's choice: then Enter sends the form.
    event.preventDefault();
    links[0]?.click();
  }
}
