// @ts-check
// The ruler where it moves. Python draws the same at first (look/ruler.py); a test compares the two.

/**
 * @typedef {{left: string, line: string, used: string, flight: string, lost: string, cap: string}} Paths
 * With `ticks` the ruler is as wide as so many, and a bar where they would be more.
 * @typedef {{total: number, used: number, pitch?: number, height?: number, inFlight?: boolean, lost?: number[], ticks?: number}} Reading
 */

const SVG = "http://www.w3.org/2000/svg";
const LOW = 5;
const FINE_PITCH = 6;
const PARTS = /** @type {const} */ (["left", "line", "used", "flight", "lost", "cap"]);

/** @param {number} start @param {number} end @param {string} y */
const line = (start, end, y) => (start < end ? `M${start} ${y}H${end}` : "");

/** @param {number} first @param {number} last */
const range = (first, last) => Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);

/** @param {Reading} reading */
const flightOf = ({ total, used, inFlight }) => (inFlight && used < total ? used + 1 : 0);

/** @param {Reading} reading @returns {Paths} */
export function paths(reading) {
  const { total, pitch = 4, height = 12, lost = [], ticks = 0 } = reading;
  const end = (ticks || total) * pitch;
  if (ticks && !(total > 0 && total <= ticks)) return bar(reading, end, height);
  const used = Math.max(0, Math.min(reading.used, total));
  const flight = flightOf({ ...reading, used });
  const short = Math.max(3, Math.round(height * 0.33));
  const place = (/** @type {number} */ tick) => (total ? Math.floor((tick * end) / total) : 0);
  const full = (/** @type {number} */ tick) => `M${place(tick)} 0v${height}`;
  const drawn = range(1, used).filter((tick) => !lost.includes(tick)).map(full).join("");
  const free = range(used + 1, total - 1).filter((tick) => tick !== flight && !lost.includes(tick));
  const isFine = end < FINE_PITCH * total;
  return {
    left: line(place(used), end, ".5") + free.map((tick) => `M${place(tick)} 1v${short + (tick % 5 ? 0 : 2)}`).join(""),
    line: isFine ? line(0, place(used), ".5") : "",
    used: isFine ? drawn : line(0, place(used), "1") + drawn,
    flight: flight ? full(flight) : "",
    lost: lost.filter((tick) => tick > 0 && tick <= total).sort((a, b) => a - b).map(full).join(""),
    cap: `M${end + 1} 0v${height}`,
  };
}

/** @param {Reading} reading @param {number} end @param {number} height @returns {Paths} */
function bar({ total, used }, end, height) {
  const part = used >= total ? end : Math.min(end - 1, Math.max(1, Math.floor((used * end) / total)));
  const filled = used > 0 && total > 0 ? part : 0;
  const middle = Math.floor(height / 2);
  return {
    left: line(filled, end, ".5"),
    line: line(0, filled, ".5"),
    used: filled ? [middle - 2, middle, middle + 2].map((y) => `M0 ${y}H${filled}`).join("") : "",
    flight: "",
    lost: "",
    cap: total ? `M${end + 1} 0v${height}` : "",
  };
}

/** "low" when fewer than five turns are left, "mute" when none is. @param {number} total @param {number} used */
export function stateOfBudget(total, used) {
  if (used >= total) {
    return "mute";
  }
  return total - used < LOW ? "low" : "";
}

/** @param {Element} drawn @param {string} state */
function setState(drawn, state) {
  for (const name of ["low", "done", "mute"]) {
    drawn.classList.toggle(name, state === name);
  }
}

/**
 * Draws a small ruler into an <svg class="ruler">, empty or drawn before.
 * @param {SVGElement} svg
 * @param {Reading & {state?: string, label?: string}} reading
 */
export function drawRuler(svg, reading) {
  const pitch = reading.pitch ?? Number(svg.dataset.pitch || 4);
  const height = reading.height ?? Number(svg.getAttribute("height") || 12);
  const drawn = paths({ ...reading, pitch, height });
  svg.setAttribute("width", String((reading.ticks || reading.total) * pitch + 2));
  svg.setAttribute("height", String(height));
  svg.replaceChildren(
    ...PARTS.filter((part) => drawn[part]).map((part) => {
      const path = document.createElementNS(SVG, "path");
      path.setAttribute("class", `r-${part}`);
      path.setAttribute("d", drawn[part]);
      return path;
    }),
  );
  setState(svg, reading.state ?? "");
  if (reading.label) {
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", reading.label);
    svg.removeAttribute("aria-hidden");
  }
}

/**
 * Draws the large ruler into an <ol class="scale">. The words beside it are the caller's.
 * @param {HTMLElement} list
 * @param {Reading & {state?: string}} reading
 */
export function drawScale(list, reading) {
  const { total, used, lost = [] } = reading;
  const flight = flightOf(reading);
  list.replaceChildren(
    ...range(1, total).map((number) => {
      const tick = document.createElement("li");
      const state = lost.includes(number) ? "lost" : number <= used ? "used" : number === flight ? "flight" : "";
      const names = [state, number % 5 ? "" : "five", number === total ? "cap" : ""].filter(Boolean);
      tick.className = names.join(" ");
      if (number === flight || number === total || (number % 5 === 0 && Math.abs(number - flight) !== 1)) {
        const written = document.createElement("span");
        written.textContent = String(number);
        tick.append(written);
      }
      return tick;
    }),
  );
  setState(list, reading.state ?? stateOfBudget(total, used));
}
