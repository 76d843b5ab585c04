// @ts-check
// The time since the dialogue was opened, by the server's clock, until it is closed.

/**
 * @param {HTMLElement} place
 * @param {{ openedAt: number, closedAt: number | null, now: number }} times in seconds
 * @param {() => boolean} isOpen
 */
export function showElapsed(place, times, isOpen) {
  const offsetS = times.now - Date.now() / 1000;
  let closedAt = times.closedAt;
  const show = () => {
    const until = closedAt ?? Date.now() / 1000 + offsetS;
    if (!isOpen()) closedAt ??= until;
    place.textContent = clockOf(Math.max(0, Math.floor(until - times.openedAt)));
  };
  show();
  setInterval(show, 1000);
}

/** @param {number} seconds */
export function clockOf(seconds) {
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, "0"));
  const hours = Math.floor(seconds / 3600);
  return (hours ? `${hours}:` : "") + parts.join(":");
}
