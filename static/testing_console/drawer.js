// @ts-check
// The data that the bots book from, over the chat: tables as tabs, a search, and the keyboard.

import { element } from "../shared/page.js";

export class Drawer {
  /**
   * @param {import("../shared/page.js").Say} say
   * @param {(text: string) => void} onTake
   */
  constructor(say, onTake) {
    this.say = say;
    this.onTake = onTake;
    const dialog = /** @type {HTMLDialogElement | null} */ (element("data"));
    this.dialog = dialog;
    this.tabs = /** @type {HTMLElement[]} */ ([...(dialog?.querySelectorAll("[role=tab]") ?? [])]);
    if (!dialog) return;
    this.search = /** @type {HTMLInputElement} */ (element("data-search"));
    this.table = this.tabs[0].dataset.table ?? "";
    for (const tab of this.tabs) tab.addEventListener("click", () => this.choose(tab.dataset.table ?? ""));
    for (const button of document.querySelectorAll("[data-opens-table]")) {
      button.addEventListener("click", () => this.open(button.getAttribute("data-opens-table") ?? undefined));
    }
    for (const row of dialog.querySelectorAll("tbody tr")) {
      row.addEventListener("click", () => this.mark(/** @type {HTMLElement} */ (row)));
      row.addEventListener("dblclick", () => this.take());
    }
    this.search.addEventListener("input", () => this.filter());
    dialog.addEventListener("keydown", (event) => this.key(event));
    // A press beside the drawer closes it.
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  }

  /** @param {string} [table] */
  open(table = this.table) {
    if (!this.dialog || this.dialog.open) return;
    this.dialog.showModal();
    this.choose(table);
    this.search?.focus();
    this.search?.select();
  }

  /** Opens at the table of the current part, once per part; then where it was left. @param {string | undefined} table */
  openFor(table) {
    const isNew = table !== undefined && table !== this.tableOfPart;
    this.tableOfPart = table;
    this.open(isNew ? table : undefined);
  }

  /** @param {string | undefined} table */
  choose(table) {
    this.table = table ?? "";
    for (const tab of this.tabs) {
      const isChosen = tab.dataset.table === table;
      tab.setAttribute("aria-selected", String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
      element(`table-${tab.dataset.table}`).hidden = !isChosen;
    }
    this.filter();
  }

  /** @returns {HTMLTableRowElement[]} */
  rows() {
    return /** @type {HTMLTableRowElement[]} */ ([...element(`table-${this.table}`).querySelectorAll("tbody tr")]);
  }

  filter() {
    const words = (this.search?.value ?? "").toLowerCase().split(/\s+/).filter(Boolean);
    const rows = this.rows();
    for (const row of rows) {
      const text = (row.textContent ?? "").toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
    }
    const found = rows.filter((row) => !row.hidden);
    element("data-found").textContent = this.say("rowsFound", { n: found.length, all: rows.length });
    element("data-empty").hidden = found.length > 0;
    this.mark(found[0]);
  }

  /** @param {HTMLElement | undefined} chosen */
  mark(chosen) {
    for (const row of this.rows()) row.classList.toggle("is-chosen", row === chosen);
    chosen?.scrollIntoView({ block: "nearest" });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.isComposing || event.keyCode === 229) return;
    const found = this.rows().filter((row) => !row.hidden);
    const at = found.findIndex((row) => row.classList.contains("is-chosen"));
    // In a search field the browser would only clear it.
    if (event.key === "Escape") this.dialog?.close();
    else if (event.key === "ArrowDown") this.mark(found[Math.min(at + 1, found.length - 1)]);
    else if (event.key === "ArrowUp") this.mark(found[Math.max(at - 1, 0)]);
    else if (event.key === "Enter" && event.target === this.search) this.take();
    else if (["ArrowLeft", "ArrowRight"].includes(event.key) && event.target !== this.search) this.turn(event.key);
    else return;
    event.preventDefault();
  }

  /** @param {string} key */
  turn(key) {
    const tabs = this.tabs;
    const at = tabs.findIndex((tab) => tab.dataset.table === this.table);
    const next = tabs[(at + (key === "ArrowRight" ? 1 : tabs.length - 1)) % tabs.length];
    this.choose(next.dataset.table);
    next.focus();
  }

  /** Writes the first column of the chosen row into the message. */
  take() {
    const chosen = this.rows().find((row) => row.classList.contains("is-chosen"));
    if (!chosen) return;
    this.dialog?.close();
    this.onTake(chosen.cells[0].textContent ?? "");
  }
}
