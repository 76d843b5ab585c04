// @ts-check
// Logs the page's person in again without leaving the page.

import { element, find } from "./page.js";

/** @typedef {{ person: string, token: string }} Session */

export class SignIn {
  /**
   * @param {string} person
   * @param {import("./page.js").Say} say
   */
  constructor(person, say) {
    this.person = person;
    this.say = say;
    this.dialog = /** @type {HTMLDialogElement} */ (element("sign-in"));
    this.form = /** @type {HTMLFormElement} */ (element("sign-in-form"));
    /** @type {Promise<Session | null> | null} one dialog answers everything that is waiting */
    this.asked = null;
    /** @type {Session | null} */
    this.session = null;
    this.token = "";
    this.other = "";
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.logIn();
    });
  }

  /**
   * @param {Session} session who is logged in in this browser now, and the token to log in with
   * @returns {Promise<Session | null>} null if the person puts it off
   */
  ask(session) {
    this.token = session.token;
    this.other = session.person;
    this.asked ??= new Promise((resolve) => {
      this.session = null;
      this.complain("");
      this.dialog.showModal();
      this.dialog.addEventListener("close", () => {
        this.asked = null;
        resolve(this.session);
      }, { once: true });
    });
    return this.asked;
  }

  async logIn() {
    const password = /** @type {HTMLInputElement} */ (find(this.form, "[name=password]"));
    try {
      // Django sends whoever is logged in on at once: somebody else's login has to end first.
      if (this.other) await this.post("/logout/", {});
      const answer = await this.post("/login/", { username: this.person, password: password.value, next: "/session/" });
      // After a login the answer is the page that `next` names; a login page that came back has refused it.
      const isIn = answer.headers.get("Content-Type")?.startsWith("application/json");
      const session = isIn ? await answer.json() : null;
      if (session?.person !== this.person) {
        this.complain(this.say(answer.status === 429 ? "signIn.tooOften" : "signIn.wrong"));
        password.select();
        return;
      }
      this.session = session;
      password.value = "";
      this.dialog.close();
    } catch {
      this.complain(this.say("review.network"));
    }
  }

  /**
   * @param {string} url
   * @param {Record<string, string>} fields
   */
  async post(url, fields) {
    const body = new URLSearchParams({ ...fields, csrfmiddlewaretoken: this.token });
    const answer = await fetch(url, { method: "POST", body });
    if (url === "/logout/") this.token = (await (await fetch("/session/")).json()).token;
    return answer;
  }

  /** @param {string} sentence */
  complain(sentence) {
    const place = element("sign-in-error");
    place.textContent = sentence;
    place.hidden = !sentence;
  }
}
