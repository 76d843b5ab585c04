// @ts-check
// Asks for a page's modules once the page is painted: before that, they share wire and processor with what is painted.

// A page that nobody sees is not painted, and not every browser says when it is.
const LONGEST_WAIT_MS = 1000;

/** @type {Promise<void>} */
const painted = new Promise((resolve) => {
  if (document.hidden) resolve();
  new PerformanceObserver((list) => {
    if (list.getEntriesByName("first-contentful-paint").length) resolve();
  }).observe({ type: "paint", buffered: true });
  setTimeout(resolve, LONGEST_WAIT_MS);
});

await painted;
// A script in a template runs when it leaves it.
for (const waiting of document.querySelectorAll("template[data-after-paint]")) {
  waiting.replaceWith(/** @type {HTMLTemplateElement} */ (waiting).content);
}
