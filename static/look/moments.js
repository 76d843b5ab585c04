// @ts-check
// Moments as look/moments.py writes them: on the clocks of the page's zone, which its offset names ("08:30 (UTC+08:00)").
// The tooltip of each is the same moment on the reader's own clocks.

const { timeZone, ownTime } = document.documentElement.dataset;

/** @param {Date} at @param {string} [zone] without one, the reader's own */
function partsOf(at, zone) {
  const form = new Intl.DateTimeFormat("en", {
    timeZone: zone, hourCycle: "h23", timeZoneName: "longOffset",
    year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit",
  });
  const parts = Object.fromEntries(form.formatToParts(at).map(({ type, value }) => [type, value]));
  const offset = parts.timeZoneName === "GMT" ? "UTC+00:00" : parts.timeZoneName.replace("GMT", "UTC");
  return { day: `${parts.year}-${parts.month}-${parts.day}`, time: `${parts.hour}:${parts.minute}`, offset };
}

/**
 * The time of day, with the day where it is another than that of `today`.
 * @param {string | Date} at
 * @param {Date} [today]
 */
export function clock(at, today = new Date()) {
  const { day, time, offset } = partsOf(new Date(at), timeZone);
  const isToday = day === partsOf(today, timeZone).day;
  return `${isToday ? time : `${day.slice(5)} ${time}`} (${offset})`;
}

/** @param {HTMLTimeElement} place */
function nameOwnTime(place) {
  const { day, time, offset } = partsOf(new Date(place.dateTime), undefined);
  place.title = `${ownTime} ${day} ${time} (${offset})`;
}

/**
 * The words, with an element for each of the moments that is written in them.
 * @param {string} words
 * @param {(string | Date)[]} moments
 * @param {(at: string | Date) => string} [write]
 */
export function withMoments(words, moments, write = clock) {
  /** @type {(string | HTMLElement)[]} */
  let parts = [words];
  for (const at of moments) {
    const [written, place] = [write(at), document.createElement("time")];
    place.className = "moment";
    place.dateTime = new Date(at).toISOString();
    place.textContent = written;
    nameOwnTime(place);
    const found = parts.findIndex((part) => typeof part === "string" && part.includes(written));
    if (found < 0) continue;
    const text = String(parts[found]);
    const begin = text.indexOf(written);
    parts = [
      ...parts.slice(0, found), text.slice(0, begin), place, text.slice(begin + written.length), ...parts.slice(found + 1),
    ];
  }
  return parts;
}

/** @param {Event} event */
function nameWhenLookedAt(event) {
  const place = event.target instanceof Element ? event.target.closest("time.moment:not([title])") : null;
  if (place instanceof HTMLTimeElement) nameOwnTime(place);
}

for (const place of document.querySelectorAll("time.moment")) {
  if (place instanceof HTMLTimeElement) nameOwnTime(place);
}
// Those that come into the page later.
document.addEventListener("pointerover", nameWhenLookedAt);
