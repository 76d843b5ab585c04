// @ts-check
// What the organizers tell all testers: above everything else, until it is taken back or expires.

import { element } from "../shared/page.js";

/** @typedef {{ id: number, zh: string, en: string }} Announcement */

/** @param {Announcement[]} announcements */
export function showAnnouncements(announcements) {
  const place = element("announcements");
  const isEnglish = document.documentElement.lang.startsWith("en");
  const sentences = announcements.map(({ zh, en }) => (isEnglish ? en : zh));
  // Every connection tells what stands: a screen reader would say again what the page says already.
  const shown = [...place.children].map((sentence) => sentence.textContent);
  if (JSON.stringify(sentences) === JSON.stringify(shown)) return;
  place.replaceChildren(
    ...sentences.map((text) => {
      const sentence = document.createElement("p");
      sentence.textContent = text;
      return sentence;
    }),
  );
  place.hidden = !sentences.length;
}
