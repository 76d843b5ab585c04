// @ts-check
// An expert reads a collected dialogue, answers five questions, accepts it or returns it with a reason, and goes on to the next one.

import { bindKeys, forReading } from "../shared/keys.js";
import { element, letDialogsClose, say, settings, showDialog } from "../shared/page.js";
import { Server } from "../shared/server.js";
import { SignIn } from "../shared/sign_in.js";
import { RubricSheet } from "./rubric_sheet.js";
import { Transcript } from "./transcript.js";

const server = new Server(settings.person, new SignIn(settings.person, say));
const nothing = () => undefined;
const transcript = new Transcript(element("transcript"), say, { onLabel: nothing, onPin: nothing, onVerdict: nothing });
const sheet = new RubricSheet();
const reason = /** @type {HTMLTextAreaElement | null} */ (document.getElementById("reason"));
const questions = /** @type {HTMLInputElement[]} */ ([...document.querySelectorAll("[data-question]")]);
let isBusy = false;

function answers() {
  return Object.fromEntries(questions.map((box) => [box.dataset.question, box.checked]));
}

/** @param {string} digit of the question, counted from 1 */
function toggle(digit) {
  const box = questions[Number(digit) - 1];
  if (!box) return;
  sheet.open();
  box.checked = !box.checked;
  box.focus();
}

/** @param {boolean} isAccepted */
async function vet(isAccepted) {
  if (!reason || isBusy) return;
  const faults = questions.filter((box) => !box.checked);
  if (isAccepted === faults.length > 0) {
    sheet.open();
    (faults[0] ?? questions[0]).focus();
    complain(say(isAccepted ? "vetting.hasFault" : "vetting.noFault"));
    return;
  }
  if (!isAccepted && !reason.value.trim()) {
    sheet.open();
    reason.focus();
    complain(say("vetting.noReason"));
    return;
  }
  isBusy = true;
  try {
    const url = `/api/v1/dialogues/${settings.dialogue}/vetting/`;
    await server.request("POST", url, { ...answers(), reason: reason.value });
    location.assign(settings.nextToVet || settings.list);
  } catch (error) {
    isBusy = false;
    complain(error instanceof Error && error.message ? error.message : say("review.network"));
  }
}

/** @param {string} sentence */
function complain(sentence) {
  const place = element("vetting-error");
  place.textContent = sentence;
  place.hidden = !sentence;
}

function startReturn() {
  if (!reason) return;
  sheet.open();
  reason.focus();
}

bindKeys(
  [
    ...transcript.keys(),
    { keys: ["a", "A"], act: () => vet(true), ...forReading },
    { keys: ["r", "R"], act: startReturn, ...forReading },
    ...["1", "2", "3", "4", "5"].map((digit) => ({ keys: [digit], act: () => toggle(digit), ...forReading })),
    { keys: ["Alt+KeyD"], act: () => element("goal").toggleAttribute("open") },
    { keys: ["Escape"], act: () => transcript.go(Math.max(0, transcript.current)) },
  ],
  () => document.querySelector("dialog[open]") !== null,
);
element("rubric").addEventListener("submit", (event) => {
  event.preventDefault();
  vet(true);
});
document.getElementById("return")?.addEventListener("click", () => (reason?.value.trim() ? vet(false) : startReturn()));
reason?.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.isComposing) vet(false);
});
element("help-button").addEventListener("click", () => showDialog("help"));
letDialogsClose();
if (transcript.rows.length) transcript.go(0);
