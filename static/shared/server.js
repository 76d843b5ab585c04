// @ts-check
// Requests to the server that outlive a login: when it has ended, the password is asked for in place, then the request
// goes out again.

/** @typedef {{ code?: string, detail?: string, fields?: object, current?: Partial<import("./draft.js").Chosen> }} Problem */

/** What the server refused, in its words. */
export class Refused extends Error {
  /**
   * @param {number} status
   * @param {Problem} answer the whole of it, with what its code brings along
   */
  constructor(status, answer) {
    super(sentenceOf(answer) || String(status));
    this.status = status;
    this.code = answer.code ?? "";
    this.answer = answer;
  }
}

/** Nothing came back: no connection. */
export class Unreachable extends Error {}

/** The person put off logging in. */
export class LoggedOut extends Error {}

const TRIES = 3;

export class Server {
  /**
   * @param {string} person whose page this is
   * @param {import("./sign_in.js").SignIn} signIn
   */
  constructor(person, signIn) {
    this.person = person;
    this.signIn = signIn;
    const field = document.querySelector("[name=csrfmiddlewaretoken]");
    this.token = field instanceof HTMLInputElement ? field.value : "";
  }

  /**
   * @param {string} method
   * @param {string} url
   * @param {object} [content]
   * @returns {Promise<any>}
   */
  async request(method, url, content) {
    for (let n = 1; ; n += 1) {
      const response = await this.reach(method, url, content);
      const body = response.status === 204 ? {} : await response.json().catch(() => ({}));
      if (response.ok) return body;
      const isAboutTheLogin = response.status === 401 || response.status === 403;
      if (!isAboutTheLogin || n === TRIES) throw new Refused(response.status, body ?? {});
      await this.comeBack();
    }
  }

  /**
   * @param {string} method
   * @param {string} url
   * @param {object} [content]
   */
  async reach(method, url, content) {
    try {
      return await fetch(url, {
        method,
        headers: { "Content-Type": "application/json", "X-CSRFToken": this.token },
        body: content === undefined ? undefined : JSON.stringify(content),
      });
    } catch {
      throw new Unreachable();
    }
  }

  /** A fresh token; before that the password, where this person is no longer logged in. */
  async comeBack() {
    const response = await this.reach("GET", "/session/");
    let session = await response.json();
    if (session.person !== this.person) session = await this.signIn.ask(session);
    if (!session) throw new LoggedOut();
    this.token = session.token;
    for (const field of document.querySelectorAll("[name=csrfmiddlewaretoken]")) {
      /** @type {HTMLInputElement} */ (field).value = this.token;
    }
  }
}

/**
 * What is wrong in the server's words: those of each field where it names fields.
 * @param {Problem} answer
 */
function sentenceOf(answer) {
  const sentences = Object.values(answer.fields ?? {}).flat().filter((one) => typeof one === "string");
  return sentences.join(" ") || answer.detail;
}
