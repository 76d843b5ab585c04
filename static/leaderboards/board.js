// @ts-check
/** A board that is behind its scores loads itself again. */

const behind = document.querySelector("[data-reload-after-ms]");
if (behind instanceof HTMLElement) {
  setTimeout(() => location.reload(), Number(behind.dataset.reloadAfterMs));
}
