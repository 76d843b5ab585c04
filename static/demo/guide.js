// @ts-check
// Follows the first dialogue by what is on the page, and shows the step that comes next.

import { drawRuler } from "../look/ruler.js";

const TURNS_BEFORE_THE_END = 3;
const guide = document.getElementById("guide");
const watcher = new MutationObserver(show);

function step() {
  const rubric = document.getElementById("rubric");
  if (rubric && rubric.checkVisibility()) {
    return 4;
  }
  const nSaid = document.querySelectorAll("#transcript .from-tester").length;
  if (nSaid === 0) {
    return 1;
  }
  return nSaid > TURNS_BEFORE_THE_END ? 3 : 2;
}

function show() {
  if (document.querySelector("#rubric[data-submitted]")) {
    watcher.disconnect();
    guide?.remove();
    return;
  }
  const current = step();
  for (const line of guide?.querySelectorAll("[data-step]") ?? []) {
    line.toggleAttribute("hidden", line.getAttribute("data-step") !== String(current));
  }
  const ruler = guide?.querySelector("svg.ruler");
  if (ruler instanceof SVGElement) {
    drawRuler(ruler, { total: 4, used: current - 1, inFlight: true, pitch: 16, height: 12 });
  }
}

document.getElementById("guide-close")?.addEventListener("click", () => guide?.remove());
const dialogue = document.getElementById("console");
if (guide && dialogue) {
  document.addEventListener("handed-in", (event) => {
    if (!guide.isConnected) return;
    event.preventDefault();
    location.assign(`${/** @type {CustomEvent} */ (event).detail.list}?guide`);
  });
  watcher.observe(dialogue, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ["hidden", "data-submitted"],
  });
  show();
}
