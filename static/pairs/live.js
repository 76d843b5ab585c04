// @ts-check
// A live pair: what the judge writes goes to both systems, each under a key of its own; what one does never holds up the other.

import { bindKeys } from "../shared/keys.js";
import { element, letDialogsClose, say, settings } from "../shared/page.js";
import { Server } from "../shared/server.js";
import { SignIn } from "../shared/sign_in.js";
import { Composer } from "../testing_console/composer.js";
import { Notes } from "../testing_console/notes.js";
import { Side } from "./side.js";
import { Vote } from "./vote.js";
import { Voted } from "./voted.js";

const ENDING_LIMIT_MS = 15_000;
const LOOK_EVERY_MS = 100;

const server = new Server(settings.person, new SignIn(settings.person, say));
const notes = new Notes();
const composer = new Composer(settings.pair, settings.textLimit, send);
const sides = Object.keys(settings.sides).map((side) => new Side(side, { onChange: show, onChoose: choose, onBack: giveBack, onDown: down, onPressed: () => composer.focus() }));
new Vote(server, new Voted(server), { whyNot, prepare: endBoth, undo: undoClosing });

/** @param {string} text */
function send(text) {
  const held = sides.filter((side) => side.held.isHeld);
  if (held.length && !text.trim()) {
    for (const side of held) side.held.commit();
    return;
  }
  const refusal = whyNotSent(text);
  if (refusal !== null) {
    if (refusal) notes.say("refused", refusal, { isWarning: true });
    composer.refuse();
    return;
  }
  composer.write("");
  notes.drop("refused", "in_flight");
  for (const side of sides) side.put(text);
  show();
}

/**
 * Why nothing can be sent now; empty where there is nothing to say, null where it can.
 * @param {string} text
 */
function whyNotSent(text) {
  if (!sides.some((side) => side.isOpen)) return say("pair.bothOver");
  if (!sides.some((side) => side.takesText)) return say("closing.overNext");
  if (sides.some((side) => side.isBusy)) return say("pair.inFlight");
  if (!text.trim()) return "";
  return composer.isTooLong ? say("error.too_long") : null;
}

/** @param {string} text one of the lines that a system offers */
function choose(text) {
  const draft = composer.box.value;
  send(text);
  if (draft) composer.write(draft);
  composer.focus();
}

/** @param {string} text @param {string} reason */
function giveBack(text, reason) {
  composer.putBefore(text);
  notes.say("refused", reason, { isWarning: true });
}

/** @param {number} code with which the server closed a socket for good, else 0 */
function down(code) {
  if (code === 4401) void logInAgain();
  else if (code) notes.say("role", say("error.role"), { isWarning: true, act: { label: say("toList"), act: () => location.assign(settings.list) } });
  show();
}

async function logInAgain() {
  notes.say("login", say("error.forbidden"), { isWarning: true, act: { label: say("logIn"), act: () => void logInAgain() } });
  try {
    await server.comeBack();
    notes.drop("login");
    for (const side of sides) side.socket.connect();
  } catch {
    // Put off, or no connection: the note with its button stays.
  }
}

/** Takes back what was closed last, on either side; gives whether there was anything. */
function undoClosing() {
  const held = sides.filter((side) => side.held.isHeld).sort((one, other) => (other.held.held?.until ?? 0) - (one.held.held?.until ?? 0));
  return Boolean(held[0]?.held.undo());
}

function whyNot() {
  if (settings.endsWhenUsed && sides.some((side) => side.isOpen)) return say("error.not_all_used");
  return sides.some((side) => side.hasTalked) ? "" : say("vote.nothingSaid");
}

/** Ends what is open, and gives whether both are over in time. */
async function endBoth() {
  notes.say("ending", say("vote.ending"));
  for (const side of sides) side.endDialogue();
  const until = performance.now() + ENDING_LIMIT_MS;
  while (sides.some((side) => side.isOpen) && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  notes.drop("ending");
  return sides.every((side) => !side.isOpen);
}

function show() {
  const connected = sides.every((side) => side.socket.isOpen);
  const state = connected ? "connected" : sides.some((side) => side.socket.nFailures) ? "offline" : "connecting";
  element("connection").dataset.state = state;
  element("connection-words").textContent = say(state);
  element("saved-words").textContent = connected ? say(sides.some((side) => side.outbox.waiting) ? "saving" : "saved") : "";
  const chips = document.getElementById("chips");
  if (chips) chips.hidden = !sides.every((side) => side.state.isKnown && !side.hasTalked && side.isOpen);
  const isOver = sides.every((side) => side.state.isKnown && !side.isOpen);
  if (isOver && !composer.box.disabled) {
    composer.close();
    // What cannot be compared is said by the page of the pair, with the way on.
    if (sides.some((side) => !side.isCounted)) location.reload();
    else element("vote").scrollIntoView({ block: "nearest" });
  }
}

function insertOpening() {
  if (!document.getElementById("opening") || element("chips").hidden) return;
  composer.putBefore(element("opening").textContent ?? "");
  composer.focus();
}

document.getElementById("insert-opening")?.addEventListener("click", insertOpening);
bindKeys([{ keys: ["Alt+KeyS"], act: insertOpening }], () => document.querySelector("dialog[open]") !== null);
letDialogsClose();
