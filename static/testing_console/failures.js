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
 * What it costs, what can be done, and how often.
 * @param {{ kind: string, fault: string, retryable: boolean, retries_left: number }} frame
 * @param {import("./page.js").Say} say
 */
export function failureHint(frame, say) {
  if (frame.kind === "cancelled") return "";
  const stored = say(frame.fault === "platform" ? "failed.ours" : "failed.theirs");
  // Chinese sentences follow each other without a space.
  const between = stored.endsWith("。") ? "" : " ";
  const left = say(frame.retries_left === 1 ? "failed.oneRetryLeft" : "failed.retriesLeft", { n: frame.retries_left });
  return [stored, ...(frame.retryable ? [say("failed.retryHint"), left] : [say("failed.noRetry")])].join(between);
}
