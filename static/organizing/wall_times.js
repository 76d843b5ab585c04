// @ts-check
// Times of a wall by the server's clock. What waits counts its seconds here: nobody is asked for them.

import * as moments from "../look/moments.js";
import { say } from "../shared/page.js";

// A bot that takes longer, a tester who does nothing for longer, is worth a look.
const LONG_MS = { bot: 10_000, tester: 300_000 };

let offsetMs = 0;

/** @param {string} at the server's time of a frame that has just come */
export function setClock(at) {
  offsetMs = Date.parse(at) - Date.now();
}

const now = () => Date.now() + offsetMs;

/** @param {number} ms */
export function duration(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return say("seconds", { n: seconds });
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return say("minutesSeconds", { m: minutes, s: String(seconds % 60).padStart(2, "0") });
  return say("hoursMinutes", { h: Math.floor(minutes / 60), m: minutes % 60 });
}

/** The time of day, with the day where it is another. @param {string | Date} at */
export const clock = (at) => moments.clock(at, new Date(now()));

/** @param {string} words @param {(string | null)[]} ats moments that may be written in them; empty ones are not */
export const withMoments = (words, ...ats) =>
  moments.withMoments(words, ats.flatMap((at) => at || []), clock);

/**
 * Has an element say how long something lasts, second by second.
 * @param {HTMLElement} place
 * @param {string} since
 * @param {"bot" | "tester" | ""} waitsFor
 */
export function count(place, since, waitsFor = "") {
  place.dataset.since = since;
  place.dataset.waitsFor = waitsFor;
  tick(place);
}

/** @param {HTMLElement} place */
function tick(place) {
  const ms = now() - Date.parse(place.dataset.since ?? "");
  const text = duration(ms);
  if (place.textContent !== text) place.textContent = text;
  const limit = LONG_MS[/** @type {"bot" | "tester"} */ (place.dataset.waitsFor)] ?? Infinity;
  place.classList.toggle("slow", ms >= limit);
}

setInterval(() => {
  for (const place of document.querySelectorAll("[data-since]")) tick(/** @type {HTMLElement} */ (place));
}, 1000);
