// @ts-check
// Two dialogues that are over: read, take a turn as evidence, vote.

import { showText } from "../shared/inert_text.js";
import { letDialogsClose, say, settings } from "../shared/page.js";
import { Server } from "../shared/server.js";
import { SignIn } from "../shared/sign_in.js";
import { Vote } from "./vote.js";
import { Voted } from "./voted.js";

for (const said of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-said]"))) showText(said, said.textContent ?? "");
const server = new Server(settings.person, new SignIn(settings.person, say));
const vote = new Vote(server, new Voted(server));
const pins = /** @type {HTMLButtonElement[]} */ ([...document.querySelectorAll("[data-pin]")]);
const sideOf = (/** @type {HTMLElement} */ pin) => /** @type {HTMLElement | null} */ (pin.closest("[data-side]"))?.dataset.side ?? "";

function showPins() {
  const pinned = vote.evidence();
  for (const pin of pins) pin.setAttribute("aria-pressed", String(pinned?.side === sideOf(pin) && pinned.turn === Number(pin.dataset.pin)));
}

for (const pin of pins) pin.addEventListener("click", () => vote.pin(sideOf(pin), Number(pin.dataset.pin)));
vote.side?.addEventListener("change", showPins);
vote.turn?.addEventListener("input", showPins);
letDialogsClose();
