// The list of lines: pages behind it, rows that open in place, and lines that come while one looks.

import { fill, h, say } from "../shared/dom.ts";
import { bytes, count } from "../shared/format.ts";
import { rowOf, type Row } from "./document.ts";
import { missing, replaced, words } from "./http.ts";
import { List } from "./list.ts";
import { note } from "./pieces.ts";
import { rowElement, type RowContext } from "./row.ts";
import { FIRST_PAGE, MOST_PAGE, Pages, type Answer, type Scope } from "./search.ts";
import { MOST_WAITING } from "./tail.ts";

/** Rows and bytes of answers that are kept; beyond, the time is to be narrowed. */
export const MOST_ROWS = 100_000;
const MOST_BYTES = 128 * 1024 * 1024;
/** Rows that a live tail keeps. */
const MOST_LIVE = 20_000;

export class Lines {
  readonly element: HTMLElement;
  readonly list: List<Row>;
  readonly #end = note();
  readonly #newer = h("button.newer", { onclick: () => this.#showNewer() });
  #pages: Pages | undefined;
  /** What is asked for at present; also what failed, until somebody tries again. */
  #asked: Pages | undefined;
  /** What a page after the first one lacks. */
  #part = "";
  #live = false;
  #waiting: Row[] = [];
  #waitingMore = 0;
  readonly opened = new Set<string>();
  rows: Row[] = [];

  readonly #context: RowContext;

  constructor(context: RowContext, private readonly goOn: (edge: string) => void) {
    this.#context = context;
    this.list = new List<Row>("Lines", (row) => rowElement(row, context), () => void this.#more(), (row) => context.view.wrap || innerWidth <= 760 || this.opened.has(row.key));
    this.#newer.hidden = true;
    this.element = h("div.lines", this.#newer, this.list.element, this.#end);
  }

  /** The first page of a scope; rows come with its answer. */
  async load(scope: Scope, signal: AbortSignal): Promise<Answer> {
    const pages = (this.#asked = new Pages(scope));
    const { hits, answer } = await pages.next(FIRST_PAGE, signal).finally(() => this.#answered(pages));
    // the rows that were here had their pages until now: where a search fails, they go on
    this.close();
    this.#pages = pages;
    this.#part = "";
    this.rows = hits.map((hit) => rowOf(hit, scope.time));
    this.opened.clear();
    this.#drop();
    this.#tell();
    this.list.set([...this.rows]); // where they are few, asks for the next ones at once
    return answer;
  }

  /** Nothing is left of what was read. */
  clear(): void {
    this.close();
    this.rows = [];
    this.opened.clear();
    this.#drop();
    this.list.set([]);
    say(this.#end, "");
  }

  close(): void {
    this.#pages?.close();
    this.#pages = undefined;
  }

  async #more(): Promise<void> {
    const pages = this.#pages;
    if (!pages || pages.ended || this.#asked || !this.rows.length) return;
    if (this.rows.length >= MOST_ROWS || pages.bytes >= MOST_BYTES || this.#live) return this.#tell();
    this.#asked = pages;
    say(this.#end, "more lines come…");
    try {
      const { hits, answer } = await pages.next(Math.min(MOST_PAGE, MOST_ROWS - this.rows.length), this.#context.signal);
      if (pages !== this.#pages) return; // another search has begun meanwhile
      this.#part = missing(answer) || this.#part;
      const rows = hits.map((hit) => rowOf(hit, pages.scope.time));
      this.rows.push(...rows);
      this.#answered(pages);
      this.#tell();
      this.list.append(rows); // where they are few, asks for the next ones at once
    } catch (e) {
      if (pages !== this.#pages) return;
      const again = (): void => { this.#answered(pages); void this.#more(); };
      if (!replaced(e)) return fill(this.#end, words(e), " ", h("button", { onclick: again }, "Try again"));
      this.#answered(pages);
      this.#tell();
    }
  }

  #answered(pages: Pages): void {
    if (this.#asked === pages) this.#asked = undefined;
  }

  #tell(): void {
    const pages = this.#pages;
    if (!pages) return;
    const last = this.rows.at(-1);
    if (this.rows.length >= MOST_ROWS || pages.bytes >= MOST_BYTES) {
      fill(this.#end, `${count(this.rows.length)} lines (${bytes(pages.bytes)}) are here, as many as this page keeps. ${this.#part} `,
        last?.time ? h("button", { onclick: () => this.goOn(last.time) }, "Go on after the last one") : null);
    } else if (pages.ended) say(this.#end, this.rows.length ? `${pages.note || "That is all"}: ${count(this.rows.length)} lines. ${this.#part}`.trim() : "");
    else say(this.#end, `${count(this.rows.length)} lines here; ${this.#live ? "older ones come while Live is off" : "scroll for more"}. ${this.#part}`.trim());
  }

  toggle(row: Row): void {
    if (this.opened.has(row.key)) this.opened.delete(row.key);
    else this.opened.add(row.key);
    this.list.renew(row.key);
  }

  // ---- lines that come

  set follow(on: boolean) {
    this.#live = on;
    this.#drop();
    this.#tell();
  }

  /** Whether somebody reads: has scrolled, opened a row, marked text or is at a row with the keyboard. */
  get #reading(): boolean {
    return !this.list.atTop || this.opened.size > 0 || this.list.indexOf(document.activeElement) >= 0 || !!getSelection()?.toString();
  }

  /** Takes new lines, newest first. */
  came(rows: Row[], skipped: number): void {
    if (!rows.length && !skipped) {
      if (this.#waiting.length && !this.#reading) this.#showNewer();
      return;
    }
    this.#waiting = rows.concat(this.#waiting);
    this.#waitingMore += skipped;
    if (this.#waiting.length > MOST_WAITING) {
      this.#waitingMore += this.#waiting.length - MOST_WAITING;
      this.#waiting.length = MOST_WAITING;
    }
    // late ones stand where their time says
    this.#waiting.sort((a, b) => (a.time < b.time ? 1 : a.time > b.time ? -1 : 0));
    if (!this.#reading) this.#showNewer();
    else {
      this.#newer.hidden = false;
      say(this.#newer, `${count(this.#waiting.length + this.#waitingMore)} new lines ↑`);
    }
  }

  #showNewer(): void {
    const rows = this.#waiting;
    const skipped = this.#waitingMore;
    const pressed = !this.#newer.hidden;
    this.#drop();
    if (pressed) this.opened.clear();
    this.rows = rows.concat(this.rows);
    if (this.rows.length > MOST_LIVE || skipped) {
      // what follows the last one that is kept is not what the next page would bring
      this.rows.length = Math.min(this.rows.length, MOST_LIVE);
      if (this.#pages) this.#pages.note = "Live has let lines go; search again (r) to see them all. Here";
      this.#pages?.close();
    }
    this.list.prepend(rows, MOST_LIVE, true);
    if (pressed) this.list.refresh();
    say(this.#end, skipped ? `${count(skipped)} lines came faster than a page shows; a query narrows them.` : "");
  }

  #drop(): void {
    this.#waiting = [];
    this.#waitingMore = 0;
    this.#newer.hidden = true;
  }
}
