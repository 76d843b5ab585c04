// @ts-check
// The organizer's live wall: the state of the page, then what changes, as it happens.

import { drawRuler } from "../look/ruler.js";
import { element, find, letDialogsClose, say, settings } from "../shared/page.js";
import { RULER_TICKS, Rows, botCells, dialogueCells, made, testerCells } from "./wall_rows.js";
import { WallSocket } from "./wall_socket.js";
import { clock, count, setClock, withMoments } from "./wall_times.js";

/**
 * @typedef {import("../shared/frames.js").WallServerFrames} Frames
 * @typedef {import("../shared/frames.js").Figures} Figures
 * @typedef {import("../shared/frames.js").NeedShown} Need
 * @typedef {import("../shared/frames.js").TalkRow} TalkRow
 */

/** @type {Record<string, string>} */
let titles = {};
let heardAt = "";

/** @param {[string, object]} one @param {[string, object]} other */
const byName = ([one], [other]) => one.localeCompare(other);
/** @param {[string, TalkRow]} one @param {[string, TalkRow]} other */
const byTester = ([one, row], [other, its]) => row.tester.localeCompare(its.tester) || one.localeCompare(other);

const tables = {
  dialogues: new Rows(element("dialogues"), (key, row) => dialogueCells(key, row, titles), byTester, say("nobody")),
  bots: new Rows(element("bots"), botCells, byName, say("noBots")),
  testers: new Rows(element("testers"), testerCells, byName, say("noTesters")),
};

/** @param {Frames["wall.state"]} state */
function showState({ sections, ...state }) {
  titles = state.titles;
  tables.dialogues.replace(sections.dialogues);
  tables.bots.replace(sections.bots);
  tables.testers.replace(sections.testers);
  if (sections.figures.all) showFigures(sections.figures.all);
  if (state.needs) showNeeds(state.needs);
  sayCounts();
}

/** @param {Frames["wall.changed"]} change */
function showChange({ rows, gone }) {
  tables.dialogues.change(rows.dialogues ?? {}, gone.dialogues ?? []);
  tables.bots.change(rows.bots ?? {}, gone.bots ?? []);
  tables.testers.change(rows.testers ?? {}, gone.testers ?? []);
  if (rows.figures?.all) showFigures(rows.figures.all);
  sayCounts();
}

/** Writes only what is different: a screen reader and a selection stay where they are. @param {string} id @param {string} text */
function write(id, text) {
  const place = element(id);
  if (place.textContent !== text) place.textContent = text;
}

function sayCounts() {
  write("dialogues-n", String(tables.dialogues.shown.size));
  write("testers-n", String(tables.testers.shown.size));
}

/** @param {Figures} figures */
function showFigures(figures) {
  const { done, needed } = figures;
  write("done", String(done));
  write("done-of", needed === null ? "" : say("ofNeeded", { n: needed }));
  const today = say("today", { n: figures.today });
  const unscored = figures.unscored ? say("between") + say("unscored", { n: figures.unscored }) : "";
  write("done-text", (needed === null ? say("freely") + say("between") : "") + today + unscored);
  const svg = /** @type {SVGElement} */ (/** @type {unknown} */ (element("done-ruler")));
  drawRuler(svg, { total: needed ?? 0, used: done, ticks: RULER_TICKS, pitch: 8, height: 10, state: needed && done >= needed ? "done" : "" });
  write("live", String(figures.live));
  const bots = figures.waiting_for_bots;
  write("live-text", figures.live ? say("waitFor", { bots, testers: figures.live - bots }) : say("nobody"));
  write("failing", String(figures.failing.length));
  element("failing").classList.toggle("bad", figures.failing.length > 0);
  const calls = figures.called ? say("failedOf", { k: figures.failed, n: figures.called }) : say("noCalls");
  write("failing-text", (figures.failing.length ? figures.failing.join(" ") : say("noneFailing")) + say("between") + calls);
  showPace(figures);
}

/** @param {Figures} figures */
function showPace(figures) {
  const { left, hours_left: hours } = figures;
  /** @param {string} words */
  const writeLeft = (words) =>
    element("left-text").replaceChildren(...withMoments(words, figures.pace_since, figures.closes_at));
  const closes = figures.closes_at ? say("between") + say("closes", { time: clock(figures.closes_at) }) : "";
  if (left === null || left === 0) {
    write("left", left === 0 ? say("hours", { n: 0 }) : "–");
    writeLeft(say(left === 0 ? "allDone" : "noEnd") + closes);
  } else if (hours === null) {
    write("left", say("unknown"));
    writeLeft(say("paceUnknown", { left }) + closes);
  } else {
    write("left", hours < 1 ? say("minutes", { n: Math.max(1, Math.round(hours * 60)) }) : say("hours", { n: hours }));
    const since = figures.pace_since ? clock(figures.pace_since) : "";
    const from = say("paceFrom", { left, n: figures.today, hours: figures.pace_hours, since });
    writeLeft(from + closes);
  }
}

/** @param {Need[]} needs */
function showNeeds(needs) {
  element("needs").dataset.state = needs.length ? "care" : "fine";
  const head = needs.length === 1 ? say("oneNeed") : say("needs", { n: needs.length });
  write("needs-line", needs.length ? head : `${say("fine")} ${say("fineText")}`);
  element("needs-list").replaceChildren(...needs.map(needItem));
}

/** @param {Need} need */
function needItem(need) {
  const item = made("li");
  const words = made("p");
  words.append(made("b", need.text));
  const lasts = made("span");
  if (need.since) count(lasts, need.since);
  const details = [need.who, need.until].filter(Boolean).join(say("between"));
  words.append(made("span", say("between")), ...(need.since ? [lasts, made("span", say("between"))] : []), made("span", details));
  const link = made("a", need.act, "button small");
  link.setAttribute("href", need.url);
  item.append(words, link);
  return item;
}

/** @param {"connecting" | "connected" | "offline" | "ended"} state */
function showConnection(state) {
  element("connection").dataset.state = state;
  element("connection").classList.toggle("off", state !== "connected");
  const words = say(state, { time: heardAt ? clock(heardAt) : "–" });
  element("connection-words").replaceChildren(...withMoments(words, heardAt));
}

/** @param {string} act @param {string} bot */
function askToChange(act, bot) {
  const dialog = /** @type {HTMLDialogElement} */ (element("pause"));
  for (const place of dialog.querySelectorAll("[data-for]")) {
    /** @type {HTMLElement} */ (place).hidden = place.getAttribute("data-for") !== act;
  }
  for (const [name, value] of Object.entries({ act, bot })) {
    /** @type {HTMLInputElement} */ (find(dialog, `[name=${name}]`)).value = value;
  }
  const because = /** @type {HTMLInputElement} */ (find(dialog, "[name=because]"));
  because.value = "";
  element("pause-title").textContent = say(`${act}Title`, { bot });
  dialog.showModal();
}

element("bots").addEventListener("click", (event) => {
  const button = event.target instanceof Element ? event.target.closest("button[data-act]") : null;
  if (button instanceof HTMLElement) askToChange(button.dataset.act ?? "", button.dataset.bot ?? "");
});
letDialogsClose();

/** @type {Frames["wall.state"]} */
const first = JSON.parse(element("page-state").textContent ?? "{}");
setClock(first.at);
heardAt = first.at;
showState(first);
document.body.dataset.drawn = "yes";

const socket = new WallSocket(settings.socket);
socket.addEventListener("frame", (event) => {
  const frame = /** @type {CustomEvent<Frames[keyof Frames]>} */ (event).detail;
  if (frame.at) {
    setClock(frame.at);
    heardAt = frame.at;
  }
  if (frame.type === "wall.state") showState(frame);
  else if (frame.type === "wall.changed") showChange(frame);
  else if (frame.type === "wall.needs") showNeeds(frame.needs);
  showConnection("connected");
});
socket.addEventListener("down", (event) => {
  showConnection(/** @type {CustomEvent} */ (event).detail.isFinal ? "ended" : "offline");
});
socket.connect();
