// @ts-check
// A failed turn in words: what happened, whether it counts, what can be done.

import { OPENING } from "./dialogue_state.js";
import { inOneLine, strings } from "../shared/page.js";

/**
 * @param {{ kind: string, fault: string }} frame
 * @param {import("../shared/page.js").Say} say
 */
export function failureSentence(frame, say) {
  return strings[`failed.${frame.kind}`] ? say(`failed.${frame.kind}`) : say(`fault.${frame.fault}`);
}

/**
 * What it costs, what can be done, and how often.
 * @param {{ turn: number, kind: string, fault: string, retryable: boolean, retries_left: number }} frame
 * @param {import("../shared/page.js").Say} say
 */
export function failureHint(frame, say) {
  if (frame.kind === "cancelled") return "";
  const sentences = frame.turn === OPENING ? hintOfOpening(frame, say) : hintOfTurn(frame, say);
  return inOneLine(sentences);
}

/**
 * @param {{ fault: string, retryable: boolean, retries_left: number }} frame
 * @param {import("../shared/page.js").Say} say
 */
function hintOfTurn(frame, say) {
  const stored = say(frame.fault === "platform" ? "failed.ours" : "failed.theirs");
  if (!frame.retryable) return [stored, say("failed.noRetry"), say("failed.closes")];
  // Only what is the system's fault is ever charged.
  const costs = say(frame.fault === "bot" ? "failed.costs" : "failed.free");
  const left = frame.retries_left === 1 ? say("failed.lastRetry") : retriesLeft(frame, say);
  return [stored, costs, say("failed.retryHint"), left];
}

/**
 * The system was to speak first: nothing of the tester's is at stake.
 * @param {{ retryable: boolean, retries_left: number }} frame
 * @param {import("../shared/page.js").Say} say
 */
function hintOfOpening(frame, say) {
  return frame.retryable ? [say("failed.openingHint"), retriesLeft(frame, say)] : [say("failed.openingOver")];
}

/**
 * @param {{ retries_left: number }} frame
 * @param {import("../shared/page.js").Say} say
 */
function retriesLeft(frame, say) {
  return say(frame.retries_left === 1 ? "failed.oneRetryLeft" : "failed.retriesLeft", { n: frame.retries_left });
}
