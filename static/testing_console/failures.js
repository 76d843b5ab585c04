// @ts-check
// A failed turn in words: what happened, whether it counts, what can be done.

import { strings } from "./page.js";

/**
 * @param {{ kind: string, fault: string }} frame
 * @param {import("./page.js").Say} say
 */
export function failureSentence(frame, say) {
  return strings[`failed.${frame.kind}`] ? say(`failed.${frame.kind}`) : say(`fault.${frame.fault}`);
}

/**
 * @param {{ kind: string, fault: string, retryable: boolean }} frame
 * @param {import("./page.js").Say} say
 */
export function failureHint(frame, say) {
  if (frame.kind === "cancelled") return "";
  const stored = say(frame.fault === "platform" ? "failed.ours" : "failed.theirs");
  // Chinese sentences follow each other without a space.
  const between = stored.endsWith("。") ? "" : " ";
  return stored + between + say(frame.retryable ? "failed.retryHint" : "failed.noRetry");
}
