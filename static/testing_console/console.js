// @ts-check
// The tester's console of one dialogue: joins what the server says, what the tester does, and what is shown.

import { copy } from "../look/copying.js";
import { showAnnouncements } from "./announcements.js";
import { offerOfAnother, openAnother, pressAnother } from "./another.js";
import { showElapsed } from "./clock.js";
import { Composer } from "./composer.js";
import { Connection } from "./connection.js";
import { DialogueSocket } from "./dialogue_socket.js";
import { DialogueState, OPENING } from "./dialogue_state.js";
import { Drawer } from "./drawer.js";
import { EndOfView } from "./end_of_view.js";
import { Endings } from "./endings.js";
import { failureHint, failureSentence } from "./failures.js";
import { Goal } from "./goal.js";
import { HandedIn, nextOfTester, rememberHandIn } from "../shared/handed_in.js";
import { Heard } from "./heard.js";
import { Items } from "./items.js";
import { Notes } from "./notes.js";
import { Outbox } from "./outbox.js";
import { PracticeScores } from "./practice_scores.js";
import { PracticeSocket } from "./practice_socket.js";
import { answerOf, element, letDialogsClose, say, settings, turns } from "../shared/page.js";
import { Reports } from "./reports.js";
import { Scores } from "./scores.js";
import { Server } from "../shared/server.js";
import { bindShortcuts } from "./shortcuts.js";
import { SignIn } from "../shared/sign_in.js";
import { Transcript, heardTexts } from "./transcript.js";

const played = settings.practice ? new PracticeSocket(settings.practice) : null;
const socket = played ?? new DialogueSocket(settings.dialogue);
const state = new DialogueState();
const notes = new Notes();
const server = new Server(settings.person, new SignIn(settings.person, say));
const transcript = new Transcript(element("transcript"), say, { onCopy, onFlag: (turn) => reports.flag(turn), onChoose: choose }, settings);
const end = new EndOfView(element("view"), element("to-end"));
const goal = new Goal(state, say, settings.dialogue);
const composer = new Composer(settings.dialogue, settings.textLimit, send);
const outbox = new Outbox(settings.dialogue, socket, transcript, say);
const connection = new Connection(say, { socket, outbox, notes, server });
const drawer = new Drawer(say, (text) => composer.insert(text));
const heard = new Heard(element("heard"), say, settings.alias);
const reports = new Reports(settings.dialogue, server, transcript, say, { flagged: settings.flagged, onSaid: sayBriefly });
const items = new Items(settings.dialogue, server, say, { onSaid: sayBriefly, onChange: show });
const scores = played ? new PracticeScores(settings.practice, say, () => played.bot.isBooked) : new Scores(settings.dialogue, server, say, openNext);
const handedIn = new HandedIn(server, say);
const endings = new Endings(say, { state, socket, notes, composer, transcript, items, nameOf, onOver: over, onChange: show, asksForScores: settings.asksForScores });
transcript.onGrown = () => end.grown();

// -- what the server says ---------------------------------------------------------------------------------------

let lastReplayed = 0;
/** @param {{ seq: number }} frame whether it happens now, not before this page was opened */
const isNews = (frame) => frame.seq > lastReplayed;

/** @typedef {import("../shared/frames.js").DialogueServerFrames} Frames */
/** @type {{ [Kind in keyof Frames]?: (frame: Frames[Kind]) => void }} */
const handlers = {
  notices: (frame) => showAnnouncements(frame.notices),
  "dialogue.state"(frame) {
    if (!state.isKnown) lastReplayed = frame.last_seq;
    state.begin(frame);
    notes.drop("offline");
    show();
    // What the tester closed comes before what they said next.
    endings.held.resume(state.current()?.index);
    outbox.send();
    if (!state.isOpen && lastReplayed === 0) endings.showOutcome();
  },
  "turn.accepted"(frame) {
    if (frame.turn === OPENING) {
      state.accept(frame);
      transcript.opening(frame.turn);
      transcript.waitFor(frame.turn);
      show();
      return;
    }
    outbox.settle(frame.key);
    notes.drop("unsent", "in_flight", "failed", "cap", "refused");
    transcript.settleFailures();
    transcript.settleChoices();
    transcript.ownLine(frame.key, frame.text, "saved");
    state.accept(frame);
    transcript.place(frame.key, frame.turn, state.turns.get(frame.turn)?.place ?? 0);
    transcript.waitFor(frame.turn);
    goal.hear(frame.turn);
    goal.foldInstructions();
    element("chips")?.setAttribute("hidden", "");
    show();
    if (isNews(frame)) heard.turnsLeft(leftNow(), state.perExchange);
  },
  "turn.retried"(frame) {
    state.retried(frame.turn);
    notes.drop("failed", "cap", "opening");
    transcript.waitFor(frame.turn);
    show();
  },
  "reply.delta"(frame) {
    transcript.delta(frame.turn, frame.text);
  },
  "turn.waiting"(frame) {
    transcript.inRow(frame.turn, frame.place);
    if (frame.place) notes.keep("in_row", say("waitsInRow"), offerOfAnother(say));
    else notes.drop("in_row");
  },
  "reply.done"(frame) {
    transcript.reply(frame.turn, frame.texts, frame.latency_ms, frame.flags || [], frame.choices || []);
    reports.shown(frame.turn);
    state.answered();
    notes.drop("in_flight", "in_row");
    show();
    if (!isNews(frame)) return;
    // An answer from before says nothing about the system now.
    notes.drop("paused");
    heard.reply(heardTexts(frame.texts, say));
  },
  "turn.failed"(frame) {
    state.fail(frame);
    notes.drop("in_flight", "in_row");
    transcript.failure(frame.turn, failureSentence(frame, say), failureHint(frame, say), failureChoices(frame), isNews(frame));
    show();
  },
  "subtask.closed"(frame) {
    const { closed, next } = state.closePart(frame);
    endings.held.settle(frame.subtask);
    notes.drop("cap", "failed");
    transcript.settleFailures();
    const n = closed?.turns_used ? state.turnsIn(closed) : 0;
    transcript.cut(`${frame.subtask} ${nameOf(frame.subtask)}`, say(n || frame.status !== "given_up" ? `closedBecause.${frame.status}` : "closedBecause.notBegun", { n, turns: turns(n) }));
    goal.fold(true);
    if (isNews(frame) && next && frame.status !== "finished") {
      notes.say("next", say(`next.${frame.status}`, { kind: nameOf(frame.subtask), next: nameOf(next.index) }));
    }
    show();
  },
  "dialogue.closed"(frame) {
    // A line that is replayed may be older than the state: the dialogue may have been declared void since.
    if (state.isOpen) state.close(frame);
    transcript.settleFailures();
    transcript.settleChoices();
    show();
    endings.showOutcome(frame.because ?? undefined);
  },
  "dialogue.voided": showDecision,
  "dialogue.restored": showDecision,
  error(frame) {
    endings.held.refused();
    const reason = say(`error.${frame.code}`);
    // A frame that is refused for its rate is not read, so its error has no key.
    if (outbox.isAbout(frame)) refuse(frame.code, reason);
    else notes.say("refused", reason, { isWarning: true });
  },
};

/**
 * An organizer decided about a dialogue that was over: whether there is anything left to score, the server knows.
 * @param {Frames["dialogue.voided"] | Frames["dialogue.restored"]} frame
 */
function showDecision(frame) {
  if (isNews(frame)) location.reload();
  else if (frame.because) transcript.cut(say("organizerDecided"), frame.because);
  else transcript.cut(say("dialogueOver"), say("closed.void"));
}

socket.addEventListener("frame", (event) => {
  const frame = /** @type {CustomEvent} */ (event).detail;
  const handle = /** @type {Record<string, (frame: object) => void>} */ (handlers)[frame.type];
  handle?.(frame);
});
socket.addEventListener("down", (event) => {
  const { code, isFinal } = /** @type {CustomEvent} */ (event).detail;
  connection.show();
  outbox.showUnsent();
  if (isFinal) code === 4401 ? connection.logInAgain() : notes.say("role", say("error.role"), { isWarning: true, act: { label: say("toList"), act: toList } });
});

// -- what the tester does ---------------------------------------------------------------------------------------

/** @param {string} text */
function send(text) {
  if (endings.held.isHeld && !text.trim()) {
    endings.held.commit();
    return;
  }
  const refusal = whyNotNow(text);
  if (refusal) {
    const [reason, words] = refusal;
    if (words) notes.say(reason, words, { isWarning: true });
    composer.refuse();
    return;
  }
  endings.held.commit();
  composer.write("");
  notes.drop("next", "said", "refused");
  end.go();
  outbox.put(text);
  connection.show();
}

/** Says what the bot offers; what is being written stays. @param {string} text */
function choose(text) {
  const draft = composer.box.value;
  send(text);
  if (draft) composer.write(draft);
  composer.focus();
}

/**
 * Why nothing can be sent now, with the reason that the note goes by.
 * @param {string} text
 * @returns {[string, string] | null}
 */
function whyNotNow(text) {
  if (!state.isOpen) return ["refused", say("error.closed")];
  if (outbox.waiting) return ["unsent", say("unsentYet")];
  if (state.waiting !== null) return ["in_flight", say("error.turn_in_flight")];
  if (state.isOpeningDue) return ["opening", say("error.opening_first")];
  // Before the first state nothing is known of turns: the outbox keeps the text until then.
  if (endings.held.held && state.isLastPart) return ["refused", say("closing.overNext")];
  if (state.isKnown && leftNow() === 0 && !endings.held.held) return ["cap", say("noTurnsLeft")];
  if (!text.trim()) return ["", ""];
  return composer.isTooLong ? ["refused", say("error.too_long")] : null;
}

/**
 * @param {string} code
 * @param {string} reason
 */
function refuse(code, reason) {
  if (["draining", "unavailable", "rate_limited", "too_many_sockets", "forbidden"].includes(code)) {
    outbox.keep(reason);
    return;
  }
  composer.putBefore(outbox.takeBack());
  const offer = code === "not_admitted" ? offerOfAnother(say) : {};
  notes.say(code === "turn_in_flight" ? "in_flight" : "refused", reason, { isWarning: true, ...offer });
  composer.refuse();
  connection.show();
}

function retry() {
  endings.held.undo();
  if (state.failed?.retryable) socket.send({ type: "turn.retry", turn: state.failed.turn });
}

/** Takes what was said in the failed turn back into the composer, to say it in other words. */
function rephrase() {
  if (!state.failed || state.failed.turn === OPENING || !state.isOpen) return;
  composer.putBefore(state.turns.get(state.failed.turn)?.text ?? "");
  composer.focus();
}

/** @param {Frames["turn.failed"]} frame */
function failureChoices(frame) {
  if (!state.isOpen || frame.kind === "cancelled") return [];
  /** @type {import("./transcript.js").Choice[]} */
  const choices = [{ label: say("end"), key: "F9 / Alt 9", act: () => void endings.askEnd(), isDanger: true }];
  if (settings.hasAnother) choices.unshift({ label: say("another"), key: "Alt N", act: openAnother });
  if (leftNow() > 0 && frame.turn !== OPENING) choices.unshift({ label: say("rephrase"), key: "Alt E", act: rephrase, isDanger: false });
  const again = { label: say("retry"), key: "Alt R", act: retry, isPrimary: true };
  return frame.retryable ? [again, ...choices] : choices;
}

function insertOpening() {
  if (!document.getElementById("opening") || element("chips").hidden || !state.isOpen) return;
  composer.putBefore(element("opening").textContent ?? "");
  composer.focus();
}

function reportProblem() {
  if (!settings.takesReports) return;
  const turn = state.total.used || null;
  const known = state.turns.get(state.total.used);
  reports.ask(turn, known ? say("aboutTurn", { part: nameOf(known.part), n: known.place }) : "");
}

/** @param {string} text */
async function onCopy(text) {
  await copy(text).then(() => sayBriefly(say("copied")), () => sayBriefly(say("notCopied"), true));
}

/** What closes with Esc, the topmost first; dialogs close by themselves. */
function closeWhatIsOpen() {
  if (endings.held.undo() || goal.hasFocus) composer.focus();
  else if (goal.isOver) goal.fold(true);
  else notes.drop("said", "next", "refused");
}

/** @param {import("../shared/draft.js").Answer} stored */
async function openNext(stored) {
  rememberHandIn(settings.dialogue, stored);
  // Whoever guides through this dialogue may lead on instead.
  if (!document.dispatchEvent(new CustomEvent("handed-in", { cancelable: true, detail: stored }))) return;
  location.assign(settings.isScored ? stored.list : await nextOfTester(server, stored));
}

function toList() {
  location.assign(settings.list);
}

// -- what is shown ----------------------------------------------------------------------------------------------

/** @param {number} index */
function nameOf(index) {
  return document.querySelector(`.part[data-index="${index}"]`)?.getAttribute("data-kind") || String(index);
}

function leftNow() {
  const current = state.current();
  return current ? state.budgetOf(current.index).left : 0;
}

function show() {
  goal.show();
  items.show();
  endings.held.show();
  if (endings.isAllUsed && state.isOpen) notes.keep("all_used", say("items.allUsed"), { act: { label: `${say("end")} F9 / Alt 9`, act: () => void endings.askEnd() } });
  else notes.drop("all_used");
  connection.show();
  const isBusy = state.waiting !== null;
  for (const id of ["finish", "finish-here", "give-up", "end"]) element(id).hidden = !state.isOpen;
  for (const id of ["finish", "finish-here", "give-up"]) /** @type {HTMLButtonElement} */ (element(id)).disabled = isBusy;
  element("answering").hidden = !isBusy;
  element("hint").hidden = isBusy;
  if (state.isOpen && !isBusy && state.isKnown && leftNow() === 0 && !endings.held.held) notes.say("cap", say(state.failed?.retryable ? "noTurnsLeftRetry" : "noTurnsLeft"), { isWarning: true });
}

const SAID_FOR_MS = 4000;
/**
 * @param {string} words
 * @param {boolean} [isWarning]
 */
function sayBriefly(words, isWarning = false) {
  notes.say("said", words, { isWarning });
  setTimeout(() => notes.drop("said"), SAID_FOR_MS);
}

function over() {
  items.close();
  goal.fold(true);
  end.go();
  if (!endings.isScored) return;
  if (settings.reviewPage) location.replace(settings.reviewPage);
  else scores.open(state.partsInTurns());
}

bindShortcuts({
  finish: () => endings.closePart(true),
  giveUp: () => endings.closePart(false),
  retry,
  end: () => endings.askEnd(),
  rephrase,
  openAnother: pressAnother,
  insertOpening,
  toFacts: () => goal.focusFact(),
  openData: () => drawer.openFor(goal.tableOfPart()),
  flag: () => void (settings.takesReports && state.total.used && reports.flag(state.total.used)),
  report: reportProblem,
  undo: () => endings.held.undo() || handedIn.undo(),
  help: () => answerOf("help").then(() => composer.focus()),
  toNewest: () => end.go(),
  close: closeWhatIsOpen,
});
letDialogsClose();
showElapsed(element("elapsed"), settings, () => state.isOpen);
if (settings.isPaused) notes.keep("paused", say("systemPaused"), offerOfAnother(say));
socket.connect();
