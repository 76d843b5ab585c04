// @ts-check
// Whether the console is connected and all is stored, in words; and the password, where the login ended under it.

import { element } from "../shared/page.js";

export class Connection {
  /**
   * @param {(key: string) => string} say
   * @param {{
   *   socket: import("./dialogue_socket.js").DialogueSocket | import("./practice_socket.js").PracticeSocket,
   *   outbox: import("./outbox.js").Outbox,
   *   notes: import("./notes.js").Notes,
   *   server: import("../shared/server.js").Server,
   * }} parts
   */
  constructor(say, { socket, outbox, notes, server }) {
    this.say = say;
    this.socket = socket;
    this.outbox = outbox;
    this.notes = notes;
    this.server = server;
  }

  show() {
    const state = this.socket.isOpen ? "connected" : this.socket.nFailures ? "offline" : "connecting";
    element("connection").dataset.state = state;
    element("connection-words").textContent = this.say(state);
    element("saved-words").textContent = this.socket.isOpen ? this.say(this.outbox.waiting ? "saving" : "saved") : "";
  }

  async logInAgain() {
    const act = { label: this.say("logIn"), act: () => void this.logInAgain() };
    this.notes.say("login", this.say("error.forbidden"), { isWarning: true, act });
    try {
      await this.server.comeBack();
      this.notes.drop("login");
      this.socket.connect();
    } catch {
      // Put off, or no connection: the note with its button stays.
    }
  }
}
