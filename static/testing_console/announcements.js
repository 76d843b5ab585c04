// @ts-check
// What the organizers tell all testers: above everything else, until it is taken back or expires.

import { element } from "./page.js";

/** @typedef {{ id: number, zh: string, en: string }} Announcement */

/** @param {Announcement[]} announcements */
export function showAnnouncements(announcements) {
  const place = element("announcements");
  const isEnglish = document.documentElement.lang.startsWith("en");
  place.replaceChildren(
    ...announcements.map(({ zh, en }) => {
      const sentence = document.createElement("p");
      sentence.textContent = isEnglish ? en : zh;
      return sentence;
    }),
  );
  place.hidden = !announcements.length;
}
