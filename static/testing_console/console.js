// @ts-check
// The tester's console: goal card, chat, budget and rubric of one dialogue.

import { DialogueSocket } from "./dialogue_socket.js";
import { RubricForm } from "./rubric.js";
import { Transcript } from "./transcript.js";

/** @param {string} id */
const element = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
/** @param {string} id */
const read = (id) => JSON.parse(element(id).textContent || "{}");

const settings = read("console-settings");
const strings = read("console-strings");

/**
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 */
function say(key, values = {}) {
  return String(strings[key] ?? key).replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}

const LOW_BUDGET = 5;
const textBox = /** @type {HTMLTextAreaElement} */ (element("text"));
const draftKey = `huace-draft-${settings.dialogue}`;
const pendingKey = `huace-pending-${settings.dialogue}`;
const socket = new DialogueSocket(settings.dialogue);
const transcript = new Transcript(element("transcript"), element("to-end"), say, settings.alias);

/** @type {{ key: string, text: string } | null} the message that is not known to be stored yet */
let pending = JSON.parse(localStorage.getItem(pendingKey) || "null");
/** @type {{ status: string, waiting: number | null, failed: { turn: number, retryable: boolean } | null }} */
const dialogue = { status: "open", waiting: null, failed: null };
/** @type {Map<number, { index: number, kind: string, turns_used: number, turn_cap: number | null, status: string }>} */
const subtasks = new Map();
let total = { used: 0, cap: 0 };
let isComposing = false;

// -- what the server says ---------------------------------------------------------------------------------------

/** @type {Record<string, (frame: any) => void>} */
const handlers = {
  "dialogue.state"(frame) {
    dialogue.status = frame.status;
    dialogue.waiting = frame.waiting;
    total = { used: frame.turns_used, cap: frame.turn_cap };
    for (const subtask of frame.subtasks) subtasks.set(subtask.index, subtask);
    showBudget();
    showConnection();
    resendPending();
  },
  "turn.accepted"(frame) {
    settleOwn(frame.key);
    transcript.settleFailures();
    transcript.ownLine(frame.key, frame.text, "saved");
    transcript.waitFor(frame.turn);
    dialogue.waiting = frame.turn;
    dialogue.failed = null;
    countTurn(frame);
  },
  "turn.retried"(frame) {
    dialogue.waiting = frame.turn;
    dialogue.failed = null;
    transcript.waitFor(frame.turn);
    showActs();
  },
  "reply.delta"(frame) {
    transcript.delta(frame.turn, frame.text);
  },
  "reply.done"(frame) {
    transcript.reply(frame.turn, frame.texts, frame.latency_ms, frame.flags || [], settings.replyLimit);
    dialogue.waiting = null;
    showActs();
  },
  "turn.failed"(frame) {
    dialogue.waiting = null;
    dialogue.failed = { turn: frame.turn, retryable: frame.retryable };
    transcript.failure(frame.turn, failureSentence(frame), failureHint(frame), failureChoices(frame));
    showActs();
  },
  "subtask.closed"(frame) {
    const closed = subtasks.get(frame.subtask);
    if (!closed) return;
    closed.status = frame.status;
    const next = [...subtasks.values()].find((subtask) => subtask.status === "pending");
    if (next && ![...subtasks.values()].some((subtask) => subtask.status === "open")) next.status = "open";
    transcript.rule(say("subtaskClosed", { kind: kindOf(frame.subtask), status: say(`status.${frame.status}`) }));
    if (frame.status === "cap_reached" && next) {
      note(say("locked.cap", { cap: closed.turn_cap ?? total.cap, kind: kindOf(frame.subtask), next: kindOf(next.index) }));
    }
    showBudget();
  },
  "dialogue.closed"(frame) {
    dialogue.status = frame.status;
    transcript.settleFailures();
    showOutcome(frame.status);
  },
  error(frame) {
    const reason = say(`error.${frame.code}`);
    // A frame that is refused for its rate is not read, so its error has no key.
    if (pending && (frame.key === pending.key || frame.code === "rate_limited")) refuseOwn(frame.code, reason);
    else note(reason, true);
  },
};

socket.addEventListener("frame", (event) => {
  const frame = /** @type {CustomEvent} */ (event).detail;
  handlers[frame.type]?.(frame);
});
socket.addEventListener("down", (event) => {
  showConnection();
  if (pending) transcript.ownLine(pending.key, pending.text, "unsent");
  if (/** @type {CustomEvent} */ (event).detail.isFinal) note(say("error.forbidden"), true);
});

/** @param {{ kind: string, fault: string }} frame */
function failureSentence(frame) {
  return strings[`failed.${frame.kind}`] ? say(`failed.${frame.kind}`) : say(`fault.${frame.fault}`);
}

/** @param {{ kind: string, retryable: boolean }} frame */
function failureHint(frame) {
  if (frame.kind === "cancelled") return "";
  return frame.retryable ? say("failed.retryHint") : say("failed.noRetry");
}

/** @param {{ retryable: boolean, kind: string }} frame */
function failureChoices(frame) {
  if (dialogue.status !== "open" || frame.kind === "cancelled") return [];
  const end = { label: say("end"), key: "F9", act: askEnd };
  return frame.retryable ? [{ label: say("retry"), key: "F4", act: retry }, end] : [end];
}

// -- what the tester does ---------------------------------------------------------------------------------------

function send() {
  const text = textBox.value;
  if (!text.trim() || pending || dialogue.status !== "open") return;
  if (dialogue.waiting !== null) {
    note(say("error.turn_in_flight"), true);
    return;
  }
  if (text.length > settings.textLimit) {
    note(say("error.too_long"), true);
    return;
  }
  pending = { key: newKey(), text };
  localStorage.setItem(pendingKey, JSON.stringify(pending));
  textBox.value = "";
  keepDraft();
  note("");
  transcript.scrollToEnd();
  resendPending();
}

function newKey() {
  const random = crypto.getRandomValues(new Uint8Array(12));
  return [...random].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Sends what is pending; the same key makes sure that it becomes one turn however often it is sent. */
function resendPending() {
  if (!pending) return;
  const wentOut = socket.send({ type: "turn.send", ...pending });
  transcript.ownLine(pending.key, pending.text, wentOut ? "sending" : "unsent");
  showConnection();
}

/** @param {string} key */
function settleOwn(key) {
  if (pending?.key !== key) return;
  pending = null;
  localStorage.removeItem(pendingKey);
  showConnection();
}

/**
 * @param {string} code
 * @param {string} reason
 */
function refuseOwn(code, reason) {
  const refused = /** @type {{ key: string, text: string }} */ (pending);
  if (["draining", "unavailable", "rate_limited", "forbidden"].includes(code)) {
    transcript.notSaved(refused.key, reason, resendPending);
    showConnection();
    return;
  }
  settleOwn(refused.key);
  transcript.forget(refused.key);
  textBox.value = textBox.value ? `${refused.text}\n${textBox.value}` : refused.text;
  keepDraft();
  note(reason, true);
}

function retry() {
  if (dialogue.failed?.retryable) socket.send({ type: "turn.retry", turn: dialogue.failed.turn });
}

/** @param {boolean} isFinished */
async function closeSubtask(isFinished) {
  const current = currentSubtask();
  if (!current || dialogue.waiting !== null || dialogue.status !== "open") return;
  const question = say(isFinished ? "confirm.finish" : "confirm.giveUp", { kind: kindOf(current.index) });
  if (await ask(question)) socket.send({ type: "subtask.close", subtask: current.index, finished: isFinished });
}

/** @param {string} question */
function ask(question) {
  element("confirm-question").textContent = question;
  return answerOf("confirm").then((answer) => answer === "yes");
}

async function askEnd() {
  if (dialogue.status !== "open") return;
  const reason = await answerOf("ending");
  if (reason === "done" || reason === "gave_up") socket.send({ type: "dialogue.end", reason });
}

/**
 * @param {string} id
 * @returns {Promise<string>}
 */
function answerOf(id) {
  const dialog = /** @type {HTMLDialogElement} */ (element(id));
  if (dialog.open) return Promise.resolve("no");
  dialog.returnValue = "no";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      if (!textBox.disabled) textBox.focus();
      resolve(dialog.returnValue);
    }, { once: true });
  });
}

function showHelp() {
  answerOf("help");
}

function keepDraft() {
  if (textBox.value) localStorage.setItem(draftKey, textBox.value);
  else localStorage.removeItem(draftKey);
  element("count").textContent = say("characters", { n: textBox.value.length, limit: settings.textLimit });
}

/**
 * With Alt, Ctrl or the system key a key belongs to the browser or the system (Alt+F2 opens a menu there).
 * @param {KeyboardEvent} event
 */
function isShortcutOfOthers(event) {
  return event.altKey || event.ctrlKey || event.metaKey;
}

// Enter belongs to the input method until it has ended composing; keyCode 229 is what some of them send instead.
textBox.addEventListener("compositionstart", () => (isComposing = true));
textBox.addEventListener("compositionend", () => (isComposing = false));
textBox.addEventListener("input", keepDraft);
textBox.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || isShortcutOfOthers(event)) return;
  if (event.isComposing || isComposing || event.keyCode === 229) return;
  event.preventDefault();
  send();
});
element("composer").addEventListener("submit", (event) => {
  event.preventDefault();
  send();
});
element("finish").addEventListener("click", () => closeSubtask(true));
element("give-up").addEventListener("click", () => closeSubtask(false));
element("end").addEventListener("click", askEnd);
element("help-button").addEventListener("click", showHelp);
document.getElementById("insert-opening")?.addEventListener("click", () => {
  textBox.value = element("opening").textContent || "";
  keepDraft();
  textBox.focus();
});

/** @type {Record<string, () => void>} */
const keys = { F2: () => closeSubtask(true), F3: () => closeSubtask(false), F4: retry, F9: askEnd };
document.addEventListener("keydown", (event) => {
  if (document.querySelector("dialog[open]") || event.isComposing || event.keyCode === 229) return;
  if (isShortcutOfOthers(event)) return;
  const isWriting = event.target instanceof HTMLTextAreaElement;
  if (keys[event.key]) keys[event.key]();
  else if (event.key === "?" && !isWriting) showHelp();
  else if (event.key === "Escape") showHelp();
  else return;
  event.preventDefault();
});

// -- what is shown ----------------------------------------------------------------------------------------------

function currentSubtask() {
  return [...subtasks.values()].find((subtask) => subtask.status === "open");
}

/** @param {number} index */
function kindOf(index) {
  return document.querySelector(`#subtasks [data-index="${index}"]`)?.getAttribute("data-kind") || String(index);
}

/** @param {{ subtask: number, turns_used: number, seq: number }} frame */
function countTurn(frame) {
  // The state that came with the connection already counts the turns that are replayed after it.
  if (frame.turns_used > total.used) {
    total.used = frame.turns_used;
    const subtask = subtasks.get(frame.subtask);
    if (subtask) subtask.turns_used += 1;
  }
  showBudget();
}

function showBudget() {
  for (const subtask of subtasks.values()) {
    const row = document.querySelector(`#subtasks [data-index="${subtask.index}"]`);
    if (!(row instanceof HTMLElement)) continue;
    row.dataset.status = subtask.status;
    const isShared = subtask.turn_cap === null;
    const cap = subtask.turn_cap ?? total.cap;
    const used = isShared ? total.used : subtask.turns_used;
    const left = cap - used;
    const isLow = subtask.status === "open" && left < LOW_BUDGET;
    row.querySelector(".status")?.replaceChildren(say(`status.${subtask.status}`));
    row.querySelector(".part")?.setAttribute("width", String((100 * used) / Math.max(1, cap)));
    row.querySelector(".gauge")?.classList.toggle("low", isLow);
    row.querySelector(".count")?.replaceChildren(isLow ? say("turnsLeft", { n: left }) : `${used}/${cap}`);
  }
  showActs();
}

function showActs() {
  const isClosed = dialogue.status !== "open";
  const isBusy = dialogue.waiting !== null;
  for (const id of ["finish", "give-up"]) /** @type {HTMLButtonElement} */ (element(id)).disabled = isClosed || isBusy;
  /** @type {HTMLButtonElement} */ (element("end")).disabled = isClosed;
}

function showConnection() {
  const place = element("connection");
  const state = socket.isOpen ? "connected" : socket.nFailures ? "offline" : "connecting";
  place.dataset.state = state;
  place.textContent = socket.isOpen ? `${say("connected")} · ${say(pending ? "saving" : "saved")}` : say(state);
}

/**
 * @param {string} sentence
 * @param {boolean} [isWarning]
 */
function note(sentence, isWarning = false) {
  const place = element("note");
  place.textContent = sentence;
  place.hidden = !sentence;
  place.classList.toggle("warning", isWarning);
}

/** @param {string} status */
function showOutcome(status) {
  showActs();
  element("composer").hidden = true;
  textBox.disabled = true;
  if (status === "void" || settings.isScored) {
    note(status === "void" ? say("closed.void") : "");
    element("scored").hidden = !settings.isScored;
    return;
  }
  element("outcome").textContent = say(`closed.${status}`);
  rubric.open(new Map([...subtasks].map(([index, subtask]) => [index, subtask.status])));
  transcript.scrollToEnd();
}

const offsetS = settings.now - Date.now() / 1000;
function showElapsed() {
  const until = settings.closedAt ?? Date.now() / 1000 + offsetS;
  if (dialogue.status !== "open") settings.closedAt ??= until;
  const seconds = Math.max(0, Math.floor(until - settings.openedAt));
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, "0"));
  const hours = Math.floor(seconds / 3600);
  element("elapsed").textContent = (hours ? `${hours}:` : "") + parts.join(":");
}

// -- scoring ----------------------------------------------------------------------------------------------------

/**
 * What is wrong in the server's words: those of each field where it names fields.
 * @param {{message?: string, fields?: object} | undefined} error
 */
function sentence(error) {
  const sentences = Object.values(error?.fields ?? {}).flat().filter((one) => typeof one === "string");
  return sentences.join(" ") || error?.message;
}

/**
 * @param {string} url
 * @param {object} content
 */
async function post(url, content) {
  const token = /** @type {HTMLInputElement} */ (document.querySelector("[name=csrfmiddlewaretoken]")).value;
  let response;
  try {
    response = await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-CSRFToken": token },
      body: JSON.stringify(content),
    });
  } catch {
    throw new Error(say("review.network"));
  }
  const body = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(sentence(body.error) || String(response.status));
  return body;
}

const rubric = new RubricForm(/** @type {HTMLFormElement} */ (element("rubric")), say, async (content) => {
  const stored = await post(`/api/v1/dialogues/${settings.dialogue}/review/`, content);
  localStorage.removeItem(draftKey);
  if (!stored.next) {
    location.assign(stored.list);
    return;
  }
  const opened = await post("/api/v1/dialogues/", { assignment: stored.next });
  location.assign(`/dialogues/${opened.id}/`);
});

if (matchMedia("(max-width: 760px)").matches) document.querySelector(".card-fold")?.removeAttribute("open");
textBox.value = localStorage.getItem(draftKey) || "";
keepDraft();
showElapsed();
setInterval(showElapsed, 1000);
socket.connect();
