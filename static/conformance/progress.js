// @ts-check
// A check that runs: the report of the page that the server gives now is shown in place of this one's, but for rows that are there.

import { follow } from "../shared/follow.js";

const FRESH = "[data-fresh]";
const ROWS = ".check-rows";

/** @param {Response} answer */
async function read(answer) {
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const report = page.querySelector("#report");
  return { report, is_over: !report?.hasAttribute("data-follows") };
}

/** @param {{report: Element | null}} page */
function show({ report }) {
  const fresh = report?.querySelectorAll(FRESH) ?? [];
  document.querySelectorAll(`#report ${FRESH}`).forEach((place, n) => place.replaceChildren(...(fresh[n]?.childNodes ?? [])));
  const shown = document.querySelector(`#report ${ROWS}`);
  const rows = [...(report?.querySelector(ROWS)?.children ?? [])];
  if (shown && shown.children.length > rows.length) {
    // Another worker took it up and began anew.
    shown.replaceChildren();
  }
  shown?.append(...rows.slice(shown.children.length));
}

if (document.querySelector("#report[data-follows]")) {
  follow(location.href, show, read);
}
