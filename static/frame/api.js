// @ts-check
// The page of the API: operations that hold all words of the search stay; a link opens what it leads to.

const operations = /** @type {HTMLDetailsElement[]} */ ([...document.querySelectorAll("details.operation")]);
const texts = operations.map((one) => (one.textContent ?? "").toLowerCase());
const search = /** @type {HTMLInputElement} */ (document.getElementById("search"));
const found = document.getElementById("found");

function filter() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  operations.forEach((one, place) => {
    one.hidden = !words.every((word) => texts[place].includes(word));
    count += one.hidden ? 0 : 1;
  });
  for (const room of document.querySelectorAll(".api-room")) {
    room.toggleAttribute("hidden", !room.querySelector("details:not([hidden])"));
  }
  if (found) {
    found.textContent = words.length ? String(count) : "";
  }
}

function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target instanceof HTMLDetailsElement) {
    search.value = "";
    filter();
    target.open = true;
    target.scrollIntoView({ block: "start" });
  }
}

search.addEventListener("input", filter);
window.addEventListener("hashchange", openTarget);
openTarget();
