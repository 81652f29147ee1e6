// New lines as they come. What is being read never moves: lines are added only while the first one is
// in sight and nobody is at a row; otherwise they wait, counted.

import { rowOf, type Row } from "./document.ts";
import { missing, replaced } from "./http.ts";
import { bounded, order, search, type Scope } from "./search.ts";

/** Between two questions, milliseconds; longer after one that failed, for a busy cluster gets no better by more of them. */
const EVERY = 1000;
const AFTER_FAILURE = 3000;
/** Most lines of one answer; what came beyond is counted, not shown. */
const MOST = 6000;
/** Lines that came late, after newer ones, are still seen within this time, milliseconds. */
const LATE = 10_000;
export const MOST_WAITING = 10_000;

export interface TailActions {
  scope(): Scope | undefined;
  /** Lines newer than those that were handed over before, newest first; `skipped` more came than were read, `part` says what an answer lacks. */
  came(rows: Row[], skipped: number, part: string): void;
  failed(error: unknown): void;
}

export class Tail {
  on = false;
  #timer = 0;
  #newest = 0;
  /** Lines at the end that were handed over, with their times. */
  #seen = new Map<string, number>();
  /** Lines within the time that is asked for that were skipped already. */
  #lost = 0;
  #controller = new AbortController();

  constructor(private readonly actions: TailActions) {
    document.addEventListener("visibilitychange", () => {
      if (this.on && document.visibilityState === "visible") this.#plan(0);
    });
  }

  /** Goes on after these rows. */
  start(rows: Row[]): void {
    this.on = true;
    this.#seen = new Map(rows.slice(0, MOST).map((r) => [r.key, r.ms]));
    this.#newest = rows.reduce((most, r) => Math.max(most, Number.isNaN(r.ms) ? 0 : Math.min(r.ms, Date.now())), Date.now() - LATE);
    this.#controller = new AbortController();
    this.#plan(EVERY);
  }

  stop(): void {
    this.on = false;
    clearTimeout(this.#timer);
    this.#controller.abort();
  }

  #plan(wait: number): void {
    clearTimeout(this.#timer);
    if (this.on && document.visibilityState !== "hidden") this.#timer = window.setTimeout(() => void this.#ask(), wait);
  }

  async #ask(): Promise<void> {
    const scope = this.actions.scope();
    if (!scope?.time) return;
    const started = Date.now();
    let wait = EVERY;
    const span = { from: this.#newest - LATE, to: started + 60_000 };
    try {
      const answer = await search(scope.index, {
        size: MOST, track_total_hits: MOST + 50_000, sort: order(scope.time, "desc"), query: bounded(scope, span),
      }, { signal: this.#controller.signal });
      const all = answer.hits.hits.map((hit) => rowOf(hit, scope.time));
      const fresh = all.filter((r) => !this.#seen.has(r.key));
      // a full answer may have more before it: those in this time that neither it nor an earlier one holds
      const here = new Set(all.map((r) => r.key));
      let before = 0;
      for (const [key, ms] of this.#seen) if (ms >= span.from && !here.has(key)) before++;
      const total = answer.hits.total?.value ?? all.length;
      const full = all.length >= (answer.asked ?? MOST);
      const skipped = full ? Math.max(0, total - all.length - before - this.#lost) : 0;
      this.#lost = full ? this.#lost + skipped : 0;
      for (const row of fresh) {
        this.#seen.set(row.key, row.ms);
        if (row.ms > this.#newest && row.ms <= started + 1000) this.#newest = row.ms;
      }
      for (const [key, ms] of this.#seen) if (ms < this.#newest - 2 * LATE) this.#seen.delete(key);
      if (this.on) this.actions.came(fresh, skipped, missing(answer));
    } catch (e) {
      if (!replaced(e)) this.actions.failed(e);
      wait = AFTER_FAILURE;
    } finally {
      this.#plan(Math.max(200, wait - (Date.now() - started)));
    }
  }
}
