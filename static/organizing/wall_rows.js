// @ts-check
// The rows of a wall's tables. What people wrote goes in as text.

import { drawRuler } from "../look/ruler.js";
import { say, settings, strings } from "../shared/page.js";
import { clock, count, withMoments } from "./wall_times.js";

const SVG = "http://www.w3.org/2000/svg";
const BAR_PX = 3;
const STRIP_PX = 20;
// Bars end at the top at this latency. As in the console, over four seconds is slow.
const TALLEST_MS = 6000;
const SLOW_MS = 4000;
export const RULER_TICKS = 20;

/**
 * @typedef {import("../shared/frames.js").TalkRow} TalkRow
 * @typedef {import("../shared/frames.js").BotRow} BotRow
 * @typedef {import("../shared/frames.js").TesterRow} TesterRow
 * @typedef {import("../shared/frames.js").FailureShown} FailureShown
 */

/**
 * @param {string} tag
 * @param {string} [text]
 * @param {string} [className]
 */
export function made(tag, text = "", className = "") {
  const element = document.createElement(tag);
  if (text) element.textContent = text;
  if (className) element.className = className;
  return element;
}

/** @param {string} text @param {string} [className] */
const cell = (text, className) => made("td", text, className);

/** @param {string} href @param {string} text @param {string} [className] */
function link(href, text, className) {
  const anchor = made("a", text, className);
  anchor.setAttribute("href", href);
  return anchor;
}

/** @param {Reading} reading @typedef {{total: number, used: number, state?: string, pitch?: number}} Reading */
function ruler(reading) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "ruler");
  svg.setAttribute("aria-hidden", "true");
  drawRuler(svg, { pitch: 4, height: 10, ticks: RULER_TICKS, ...reading });
  return svg;
}

/**
 * @param {string} id
 * @param {TalkRow} row
 * @param {Record<string, string>} titles
 */
export function dialogueCells(id, row, titles) {
  const scenario = cell("", "scenario");
  const title = titles[row.scenario] ?? row.scenario;
  scenario.append(link(`${settings.dialogues}${id}/`, title));
  // The column is narrow: what it cuts is read there.
  scenario.title = title;
  if (row.parts > 1) scenario.append(made("small", ` ${say("part", { n: row.part, of: row.parts })}`, "muted"));
  const turns = cell("", "turns");
  const gauge = made("span", "", "gauge");
  const left = row.cap - row.turns;
  gauge.append(ruler({ total: row.cap, used: row.turns, state: left <= 0 ? "mute" : left < 5 ? "low" : "" }));
  gauge.append(made("span", say("turnsOf", { n: row.turns, cap: row.cap }), "muted"));
  turns.append(gauge);
  const waits = cell(say(`for.${row.waits_for}`), "waits");
  if (row.attempt > 1) waits.append(made("small", ` ${say("again")}`, "muted"));
  const since = cell("", "number since");
  const seconds = made("span");
  count(seconds, row.since, row.waits_for);
  since.append(seconds);
  return [cell(row.tester, "who"), cell(row.bot, "alias"), scenario, turns, waits, since];
}

/**
 * Sixty bars: how high is the median latency, red where a call failed.
 * @param {BotRow["strip"]} bars
 */
function strip(bars) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "strip");
  svg.setAttribute("width", String(bars.length * BAR_PX));
  svg.setAttribute("height", String(STRIP_PX));
  svg.setAttribute("role", "img");
  const paths = { fine: "", slow: "", failed: "" };
  bars.forEach(([ms = 0, nFailed = 0], place) => {
    if (!ms && !nFailed) return;
    const height = nFailed ? STRIP_PX : Math.max(2, Math.round((Math.min(ms, TALLEST_MS) / TALLEST_MS) * STRIP_PX));
    const name = nFailed ? "failed" : ms >= SLOW_MS ? "slow" : "fine";
    paths[name] += `M${place * BAR_PX} ${STRIP_PX}v${-height}h2v${height}z`;
  });
  for (const [name, drawn] of Object.entries({ base: `M0 ${STRIP_PX - 0.5}h${bars.length * BAR_PX}`, ...paths })) {
    if (!drawn) continue;
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("class", name);
    path.setAttribute("d", drawn);
    svg.append(path);
  }
  const failed = bars.reduce((sum, [, nFailed = 0]) => sum + nFailed, 0);
  svg.setAttribute("aria-label", say("strip", { failed }));
  return svg;
}

/** @param {number | null} ms */
const seconds = (ms) => (ms === null ? "–" : say("ms", { n: (ms / 1000).toFixed(1) }));

/** @type {Record<string, string>} */
const PILL_OF = { failing: "fail", paused: "care", withdrawn: "" };

/** @param {BotRow} row */
function stateCell(row) {
  const state = cell("", "standing");
  if (!(row.state in PILL_OF)) {
    state.append(made("span", say(`state.${row.state}`), "muted"));
  } else {
    const pill = made("span", "", `pill ${PILL_OF[row.state]}`);
    pill.append(made("span", say(`state.${row.state}`)));
    if (row.since) {
      const lasts = made("span");
      count(lasts, row.since);
      pill.append(lasts);
    }
    state.append(pill);
  }
  if (row.because) {
    state.append(made("small", strings[row.because] ?? row.because, "second because"));
  } else if (row.last_failure) {
    const evidence = `${settings.dialogues}${row.last_failure.dialogue}/#turn-${row.last_failure.turn}`;
    const because = link(evidence, "", "because");
    because.append(...withMoments(failureWords(row.last_failure), row.last_failure.at));
    state.append(made("span", say("between"), "muted"), because);
  }
  return state;
}

/** @param {FailureShown} failure */
function failureWords(failure) {
  const kind = strings[`kind.${failure.kind}`] ?? failure.kind;
  return say("failure", { kind, fault: say(`fault.${failure.fault}`), time: clock(failure.at) });
}

/**
 * @param {string} alias
 * @param {BotRow} row
 */
export function botCells(alias, row) {
  const drawn = cell("", "latency");
  drawn.append(strip(row.strip));
  const n = row.failed + row.answered;
  const failed = cell("", row.failed ? "number failed" : "number muted");
  const counted = n ? say("failedK", { k: row.failed, n }) : "–";
  failed.append(row.failed ? link(`${settings.failures}?bot=${encodeURIComponent(alias)}`, counted) : counted);
  const acts = cell("", "acts");
  const act = row.state === "paused" ? "resume" : "pause";
  if (row.state !== "withdrawn") {
    const button = made("button", say(act), "button quiet small");
    button.setAttribute("type", "button");
    Object.assign(button.dataset, { act, bot: alias });
    acts.append(button);
  }
  const slow = (row.p95_ms ?? 0) >= SLOW_MS ? "number slow" : "number";
  const p50 = cell(seconds(row.p50_ms), "number median");
  return [cell(alias, "alias"), drawn, p50, cell(seconds(row.p95_ms), slow), failed, stateCell(row), acts];
}

/**
 * @param {string} name
 * @param {TesterRow} row
 */
export function testerCells(name, row) {
  const progress = cell("", "progress");
  const gauge = made("span", "", "gauge");
  gauge.append(ruler({ total: row.assigned, used: row.done, state: row.done >= row.assigned ? "done" : "" }));
  gauge.append(made("span", say("doneOf", { done: row.done, all: row.assigned }), "muted"));
  progress.append(gauge);
  const pace = row.per_hour === null ? "–" : say("perHour", { n: row.per_hour });
  return [cell(name, "who"), progress, cell(String(row.today), "number"), cell(pace, "number pace"), nowCell(row)];
}

/** @param {TesterRow} row */
function nowCell(row) {
  if (row.talking.length) return cell(say("talking", { bots: [...new Set(row.talking)].join(" ") }), "now");
  if (row.online) return cell(say("online"), "now");
  if (!row.seen_at) return cell(say("never"), "now muted");
  const seen = cell("", "now muted");
  seen.append(...withMoments(say("seen", { time: clock(row.seen_at) }), row.seen_at));
  return seen;
}

/**
 * A table's rows by key, in the order of `compare`.
 * @template Row
 */
export class Rows {
  /**
   * @param {HTMLElement} body
   * @param {(key: string, row: Row) => HTMLElement[]} cells
   * @param {(one: [string, Row], other: [string, Row]) => number} compare
   * @param {string} empty
   */
  constructor(body, cells, compare, empty) {
    this.body = body;
    this.cells = cells;
    this.compare = compare;
    this.empty = empty;
    /** @type {Map<string, {row: Row, element: HTMLElement}>} */
    this.shown = new Map();
  }

  /** @param {Record<string, Row>} rows */
  replace(rows) {
    this.shown.clear();
    const sorted = Object.entries(rows).sort(this.compare);
    this.body.replaceChildren(...sorted.map(([key, row]) => this.make(key, row)));
    this.sayEmpty();
  }

  /**
   * @param {Record<string, Row>} rows
   * @param {string[]} gone
   */
  change(rows, gone) {
    for (const key of gone) {
      this.shown.get(key)?.element.remove();
      this.shown.delete(key);
    }
    for (const [key, row] of Object.entries(rows)) {
      const known = this.shown.get(key);
      if (known) {
        known.row = row;
        this.renew(known.element, this.cells(key, row));
      } else {
        this.insert(key, row);
      }
    }
    this.sayEmpty();
  }

  /**
   * Replaces only the cells that differ: whoever is on a button of another one stays there.
   * @param {HTMLElement} element
   * @param {HTMLElement[]} cells
   */
  renew(element, cells) {
    cells.forEach((cell, place) => {
      const shown = element.children[place];
      if (!shown?.isEqualNode(cell)) shown?.replaceWith(cell);
    });
  }

  /** @param {string} key @param {Row} row */
  make(key, row) {
    const element = made("tr");
    element.dataset.key = key;
    element.append(...this.cells(key, row));
    this.shown.set(key, { row, element });
    return element;
  }

  /** @param {string} key @param {Row} row */
  insert(key, row) {
    const after = [...this.shown].filter(([other, known]) => this.compare([other, known.row], [key, row]) > 0);
    after.sort(([one, known], [other, its]) => this.compare([one, known.row], [other, its.row]));
    this.body.insertBefore(this.make(key, row), after[0]?.[1].element ?? null);
  }

  sayEmpty() {
    this.body.querySelector(".none")?.remove();
    if (this.shown.size) return;
    const row = made("tr", "", "none");
    const only = cell(this.empty, "muted");
    only.setAttribute("colspan", "7");
    row.append(only);
    this.body.append(row);
  }
}
