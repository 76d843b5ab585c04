// @ts-check
// The review page of one dialogue: joins the transcript, the rubric, the draft on the server and the keys.

import { clock, withMoments } from "../look/moments.js";
import { drawRuler } from "../look/ruler.js";
import { Draft } from "../shared/draft.js";
import { HandedIn, nextOfTester, rememberHandIn } from "../shared/handed_in.js";
import { bindKeys, forReading, isField } from "../shared/keys.js";
import { element, find, letDialogsClose, say, settings, showDialog } from "../shared/page.js";
import { ScoreForm } from "../shared/score_form.js";
import { LoggedOut, Refused, Server } from "../shared/server.js";
import { SignIn } from "../shared/sign_in.js";
import { bindConflictKeys, choosesOwn, differences } from "./conflict.js";
import { Evidence } from "./evidence.js";
import { Remarks } from "./remarks.js";
import { RubricSheet } from "./rubric_sheet.js";
import { Transcript } from "./transcript.js";

/** @typedef {import("../shared/draft.js").Chosen} Chosen */

const AGAIN_AFTER_MS = 3000;

const server = new Server(settings.person, new SignIn(settings.person, say));
const rubric = element("rubric");
const transcript = new Transcript(element("transcript"), say, { onLabel, onPin: (turn) => evidence.pin(turn), onVerdict: goToVerdict });
const form = new ScoreForm(say, { onChange, onHandIn, onRow: (row) => evidence?.follow(row) }, document.body);
const evidence = new Evidence(form.rows, transcript, say, onEvidence);
const draft = new Draft(settings.dialogue, server, { onState: showDraft, onConflict, onRefused });
const remarks = new Remarks(settings.dialogue, server, say, onRemark);
const handedIn = new HandedIn(server, say);
const sheet = new RubricSheet();

let isSubmitted = false;
let isLocked = true;
let isUndoable = false;

// -- what is stored ---------------------------------------------------------------------------------------------

async function open() {
  let stored;
  try {
    stored = await draft.load();
  } catch (error) {
    showState("notLoaded");
    form.appear();
    lock(true);
    if (!(error instanceof Refused)) setTimeout(open, AGAIN_AFTER_MS);
    else form.complain(reasonOf(error));
    return;
  }
  take(stored);
  form.appear();
  transcript.goOn();
  form.current = whereToGoOn();
  form.mark();
  if (transcript.counted().all) transcript.go(transcript.current);
  else form.go(form.current);
  draft.save();
}

/** @returns {number} the first row without a score, else the first that lacks its evidence, else the last that has some */
function whereToGoOn() {
  const lacking = form.rows.findIndex((row) => form.lacksScore(row));
  if (lacking >= 0) return lacking;
  const row = evidence.missing()[0] ?? evidence.last();
  return row ? form.rows.indexOf(row) : 0;
}

/** @param {import("../shared/draft.js").Stored} stored */
function take(stored) {
  isSubmitted = stored.is_submitted;
  isUndoable = stored.undo_s > 0;
  form.show(stored.chosen, new Map());
  transcript.showLabels(stored.chosen.ratings);
  lock(!stored.may_be_changed);
  evidence.take(stored.chosen.evidence ?? {});
  element("submit-words").textContent = say(isSubmitted ? "review.handInChange" : settings.handIn);
  showState(stored.is_draft ? "saved" : isLocked ? "final" : isSubmitted ? "mayRevise" : "");
  showGiven();
}

/** @param {boolean} isFinal */
function lock(isFinal) {
  isLocked = isFinal;
  form.lock(isFinal);
  transcript.lock(isFinal);
  evidence.isLocked = isFinal;
  settleImpossible();
}

/** What can only be "not finished" is that, without a key. */
function settleImpossible() {
  for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (rubric.querySelectorAll("[data-impossible]"))) {
    const other = /** @type {HTMLInputElement | null} */ (input.closest(".points")?.querySelector("input:not([data-impossible])"));
    if (other) other.checked = true;
  }
}

// -- what the reviewer does -------------------------------------------------------------------------------------

/** @param {import("../shared/draft.js").Changes} changes */
function onChange(changes) {
  draft.change(changes);
  evidence.note(changes.ratings ?? {});
  showGiven();
}

/** @param {import("../shared/draft.js").Changes} changes */
function onEvidence(changes) {
  form.complain("");
  draft.change(changes);
  showGiven();
}

/**
 * @param {string} rating
 * @param {string | number | null} value
 */
function onLabel(rating, value) {
  form.complain("");
  draft.change({ ratings: { [rating]: value } });
  showGiven();
}

/** @param {string} part */
function goToVerdict(part) {
  const place = form.rows.findIndex((row) => row.dataset.verdict === part);
  sheet.open();
  form.go(place);
}

function pinHere() {
  if (transcript.turn !== null) evidence.pin(transcript.turn);
}

/** @returns {Chosen} everything on the page */
function everything() {
  const chosen = form.chosen();
  const ratings = { ...chosen.ratings, ...transcript.chosen() };
  return { ...chosen, ratings, evidence: evidence.chosen(ratings) };
}

async function onHandIn() {
  if (isLocked || isIncomplete()) return;
  const stored = await draft.handIn(everything());
  if (!stored) return;
  rememberHandIn(settings.dialogue, stored, location.pathname);
  if (settings.isOwn) location.assign(isSubmitted ? stored.list : await nextOfTester(server, stored));
  else await goOn();
}

/** What was handed in last: what the page still offers, the scores of this page, those that were handed in on another page. */
async function undo() {
  if (!handedIn.isShown && isUndoable) await undoHere();
  else if (handedIn.canUndo) await handedIn.undo();
  else if (!handedIn.isUndoing) handedIn.tell(say("review.undoInList"));
}

async function undoHere() {
  try {
    await server.request("POST", `${draft.url}undo/`, { version: draft.version });
    take(await draft.load());
  } catch (error) {
    handedIn.tell(reasonOf(error));
  }
}

/** @returns {boolean} whether something is missing; it is shown then */
function isIncomplete() {
  const { given, all } = transcript.counted();
  if (given < all) {
    transcript.goToUnlabelled();
    form.complain(say("review.labelsMissing", { n: all - given }));
    return true;
  }
  const [row] = evidence.missing();
  if (!row) return false;
  form.go(form.rows.indexOf(row));
  form.complain(say("review.evidenceMissing", { letter: form.nameOf(row) }));
  return true;
}

/** The next dialogue of this reviewer, or dispute of this adjudicator, at once; the list where none is left. */
async function goOn() {
  if (!settings.next) return location.assign(settings.nextToDecide || settings.list);
  try {
    const next = await server.request("POST", settings.next, { campaign: settings.campaign });
    location.assign(next.page ?? settings.list);
  } catch {
    location.assign(settings.list);
  }
}

/** @param {import("./remarks.js").Kind} kind */
function onRemark(kind) {
  if (kind === "leaked") {
    showWords(say("remark.leaked.said"));
    return;
  }
  draft.forgetUnsaved();
  goOn();
}

// -- what the server refuses ------------------------------------------------------------------------------------

/**
 * @param {Refused} error
 * @param {Chosen} [tried] what was to be handed in
 */
async function onConflict(error, tried) {
  const mine = tried ?? everything();
  const stored = error.answer.current ?? {};
  const isOwn = await choosesOwn(differences(stored, mine, settings.names, say));
  draft.forgetUnsaved();
  draft.isBusy = false;
  const now = await draft.load();
  // What was handed in stands until it is undone; then the choices made here are a draft of its own again.
  if (isOwn && !now.may_be_changed && now.undo_s) await server.request("POST", `${draft.url}undo/`, { version: now.version });
  take(await draft.load());
  if (!isOwn) return;
  if (isLocked) {
    form.complain(say("review.askToRevise"));
    return;
  }
  form.show(mine, new Map());
  transcript.showLabels(mine.ratings);
  evidence.take(mine.evidence ?? {});
  draft.change(mine);
  showGiven();
}

/**
 * @param {unknown} error
 * @param {Chosen} [handedInNow]
 */
function onRefused(error, handedInNow) {
  const reason = reasonOf(error);
  form.complain(handedInNow ? say("review.failed", { reason }) : reason);
}

/** @param {unknown} error */
function reasonOf(error) {
  if (error instanceof LoggedOut) return say("error.forbidden");
  return error instanceof Refused ? error.message : say("review.network");
}

// -- what is shown ----------------------------------------------------------------------------------------------

/** @param {string} state */
function showState(state) {
  element("draft-state").dataset.state = state;
  showWords(state ? say(`review.${state}`) : "");
}

/** @param {import("../shared/draft.js").State} state of the draft, which was changed just now */
function showDraft(state) {
  showState(state);
  if (state !== "saved") return;
  const at = new Date();
  element("draft-words").replaceChildren(...withMoments(`${say("review.saved")} ${clock(at)}`, [at]));
}

/** @param {string} words */
function showWords(words) {
  element("draft-words").textContent = words;
}

function showGiven() {
  const missing = form.missing();
  const all = form.rows.length;
  const given = say("review.given", { n: all - missing.length, all });
  const left = missing.length && missing.length < all ? say("review.left", { letters: missing.join(say("between")) }) : "";
  const unproven = evidence.missing().map((row) => form.nameOf(row));
  const lacking = unproven.length ? say("review.lacking", { letters: unproven.join(say("between")) }) : "";
  const labels = transcript.counted();
  const isDone = !missing.length && !unproven.length && labels.given === labels.all;
  const labelled = labels.all ? say("review.labelled", { n: labels.given, all: labels.all }) : "";
  element("given").textContent = [given, left, lacking].filter(Boolean).join(" · ");
  element("sheet-words").textContent = [given, labelled, left, lacking].filter(Boolean).join(" · ");
  const line = document.getElementById("labels-given");
  if (line) line.textContent = labelled;
  const ruler = rubric.querySelector("#rubric-ruler .ruler");
  if (ruler instanceof SVGElement) drawRuler(ruler, { total: all, used: all - missing.length, state: isDone ? "done" : "" });
  showVerdicts();
}

/** The reviewer's own verdict of a part, at its rule in the transcript. */
function showVerdicts() {
  for (const chip of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-verdict-of]"))) {
    const row = form.rows.find((one) => one.dataset.verdict === chip.dataset.verdictOf);
    const score = row && form.scoreIn(row);
    chip.dataset.score = score ?? "";
    chip.textContent = score === undefined ? say("review.noVerdict") : say(score === "1" ? "review.finished" : "review.notFinished");
  }
}

// -- keys -------------------------------------------------------------------------------------------------------

const goal = /** @type {HTMLDetailsElement} */ (element("goal"));

function close() {
  sheet.close();
  if (isField(document.activeElement)) transcript.go(Math.max(0, transcript.current));
}

bindKeys(
  [
    ...transcript.keys(),
    { keys: ["n", "N"], act: () => transcript.goToUnlabelled(), ...forReading },
    { keys: ["e", "E"], act: pinHere, ...forReading },
    { keys: ["c", "C"], act: () => form.comment.focus(), ...forReading },
    { keys: ["Alt+KeyH"], act: () => showDialog("help") },
    { keys: ["Alt+KeyD"], act: () => goal.toggleAttribute("open") },
    { keys: ["Alt+KeyL"], act: () => remarks.open("leaked") },
    { keys: ["Alt+KeyP"], act: () => remarks.open("cannot_judge") },
    { keys: ["Alt+KeyZ"], act: undo },
    { keys: ["Escape"], act: close },
  ],
  () => document.querySelector("dialog[open]") !== null,
);
document.addEventListener("keydown", (event) => {
  const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.isComposing && event.keyCode !== 229;
  if (!isPlain || event.defaultPrevented || event.key.length !== 1 || isField(event.target) || document.querySelector("dialog[open]")) return;
  if (transcript.press(event.key)) event.preventDefault();
});

if (settings.panelLabels) transcript.showPanel(settings.panelLabels);
letDialogsClose();
bindConflictKeys();
element("help-button").addEventListener("click", () => showDialog("help"));
document.getElementById("next-unlabelled")?.addEventListener("click", () => transcript.goToUnlabelled());
find(document, "#transcript").addEventListener("focus", () => transcript.current < 0 && transcript.mark(0));
open();
