// @ts-check
// Which key and which button does what in the console; `_keys.html` lists the same for the reader.

import { bindKeys } from "../shared/keys.js";
import { element } from "../shared/page.js";

/** @typedef {Record<"finish" | "giveUp" | "retry" | "end" | "rephrase" | "openAnother" | "insertOpening" | "toFacts" | "openData" | "flag" | "report" | "undo" | "help" | "toNewest" | "close", () => unknown>} Acts */

/** @type {Record<string, string>} the choices at the end of a dialogue by their keys */
const ENDINGS = { 1: "done", 2: "gave_up" };

/** @param {Acts} acts */
export function bindShortcuts(acts) {
  bindKeys(
    [
      { keys: ["F2", "Alt+Digit2"], act: acts.finish },
      { keys: ["F3", "Alt+Digit3"], act: acts.giveUp },
      { keys: ["F4", "Alt+KeyR"], act: acts.retry },
      { keys: ["F9", "Alt+Digit9"], act: acts.end },
      { keys: ["Alt+KeyE"], act: acts.rephrase },
      { keys: ["Alt+KeyN"], act: acts.openAnother },
      { keys: ["Alt+KeyS"], act: acts.insertOpening },
      { keys: ["Alt+KeyG"], act: acts.toFacts },
      { keys: ["Alt+KeyD"], act: acts.openData },
      { keys: ["Alt+KeyF"], act: acts.flag },
      { keys: ["Alt+KeyP"], act: acts.report },
      { keys: ["Alt+KeyZ"], act: acts.undo },
      { keys: ["Alt+KeyH"], act: acts.help },
      { keys: ["?"], act: acts.help, isForWriting: false },
      { keys: ["End"], act: acts.toNewest, isForWriting: false },
      { keys: ["Escape"], act: acts.close },
    ],
    () => document.querySelector("dialog[open]") !== null,
  );
  const buttons = { finish: acts.finish, "finish-here": acts.finish, "give-up": acts.giveUp, end: acts.end, report: acts.report, "help-button": acts.help };
  for (const [id, act] of Object.entries(buttons)) element(id).addEventListener("click", act);
  document.getElementById("insert-opening")?.addEventListener("click", acts.insertOpening);
  element("ending").addEventListener("keydown", (event) => {
    const button = element("ending").querySelector(`button[value="${ENDINGS[event.key] ?? ""}"]`);
    if (button instanceof HTMLButtonElement) button.click();
  });
}
