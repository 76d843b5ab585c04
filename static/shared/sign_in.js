// @ts-check
// Logs the page's person in again without leaving the page.

import { element, find } from "./page.js";

/** @typedef {{ person: string, token: string }} Session */

const CODE_PAGE = "/login/code/";

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
    this.code = /** @type {HTMLInputElement} */ (find(this.form, "[name=code]"));
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
      const answer = await this.step(password.value);
      if (this.isAskedForCode(answer)) return;
      // After a login the answer is the page that `next` names; a login page that came back has refused it.
      const isIn = answer.headers.get("Content-Type")?.startsWith("application/json");
      const session = isIn ? await answer.json() : null;
      if (session?.person !== this.person) {
        const isCode = new URL(answer.url).pathname === CODE_PAGE;
        const wrong = isCode ? "signIn.wrongCode" : "signIn.wrong";
        element("sign-in-code").hidden = !isCode;
        this.complain(this.say(answer.status === 429 ? "signIn.tooOften" : wrong));
        (isCode ? this.code : password).select();
        return;
      }
      this.session = session;
      this.form.reset();
      element("sign-in-code").hidden = true;
      this.dialog.close();
    } catch {
      this.complain(this.say("review.network"));
    }
  }

  /**
   * The password first; then, for who has a second factor, the code.
   * @param {string} password
   */
  step(password) {
    if (!element("sign-in-code").hidden && this.code.value) {
      return this.post(CODE_PAGE, { code: this.code.value, next: "/session/" });
    }
    return this.post("/login/", { username: this.person, password, next: "/session/" });
  }

  /**
   * Shows the field of the code where the server asks for one; what was wrong with the last one is said by `logIn`.
   * @param {Response} answer
   */
  isAskedForCode(answer) {
    if (!answer.redirected || new URL(answer.url).pathname !== CODE_PAGE) return false;
    element("sign-in-code").hidden = false;
    this.complain("");
    this.code.focus();
    return true;
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
