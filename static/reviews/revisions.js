// @ts-check
// The organizer allows or refuses that scores which were handed in are revised.

import { element, letDialogsClose, say, settings } from "../shared/page.js";
import { Server } from "../shared/server.js";
import { SignIn } from "../shared/sign_in.js";

const server = new Server(settings.person, new SignIn(settings.person, say));

document.addEventListener("click", async (event) => {
  const button = event.target instanceof Element ? /** @type {HTMLButtonElement | null} */ (event.target.closest("[data-granted]")) : null;
  const request = /** @type {HTMLElement | null} */ (button?.closest("[data-request]"))?.dataset.request;
  if (!button || !request) return;
  button.disabled = true;
  try {
    await server.request("POST", `/api/v1/revision-requests/${request}/`, { granted: button.dataset.granted === "true" });
    location.reload();
  } catch (error) {
    button.disabled = false;
    const place = element("answer-error");
    place.textContent = error instanceof Error && error.message ? error.message : say("review.network");
    place.hidden = false;
  }
});

letDialogsClose();
