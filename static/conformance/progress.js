// @ts-check
// A check that runs: each probe is added as it is done.

import { follow } from "../shared/follow.js";

/** @typedef {{name: string, title: string, verdict: string, sentence: string, took_ms: number}} Probe */

/**
 * @param {HTMLElement} place
 * @param {{is_over: boolean, word: string, done: number, total: number, probes: Probe[]}} check
 */
function show(place, check) {
  const word = document.querySelector(".check-word");
  if (word) {
    word.textContent = check.word;
  }
  const meter = place.querySelector("progress");
  if (meter) {
    meter.value = check.done;
  }
  const count = place.querySelector(".check-count");
  if (count) {
    count.textContent = `${check.done}/${check.total}`;
  }
  const rows = document.querySelector(".check-rows");
  if (rows && rows.children.length > check.probes.length) {
    // Another worker took it up and began anew.
    rows.replaceChildren();
  }
  for (const probe of check.probes.slice(rows?.children.length ?? 0)) {
    rows?.append(row(probe));
  }
}

const KINDS = new Map([["pass", "good"], ["warn", "care"], ["fail", "fail"]]);
const MARKS = new Map([["pass", "✓"], ["warn", "!"], ["fail", "✗"]]);

/** @param {Probe} probe */
function row(probe) {
  const details = document.createElement("details");
  details.className = "probe";
  const summary = document.createElement("summary");
  summary.append(
    part("span", `pill ${KINDS.get(probe.verdict) ?? ""}`, MARKS.get(probe.verdict) ?? ""),
    part("b", "", probe.title),
    part("span", "sentence", probe.sentence),
    part("span", "muted number", `${probe.took_ms} ms`),
  );
  details.append(summary);
  return details;
}

/**
 * @param {string} kind
 * @param {string} classes
 * @param {string} text
 */
function part(kind, classes, text) {
  const made = document.createElement(kind);
  made.className = classes;
  made.textContent = text;
  return made;
}

for (const place of document.querySelectorAll("[data-check]")) {
  if (place instanceof HTMLElement) {
    follow(place.dataset.check ?? "", show.bind(null, place));
  }
}
