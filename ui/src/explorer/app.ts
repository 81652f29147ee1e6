// The page's one state, and what happens when it changes: the address, the searches, what is shown.

import { h, say } from "../shared/dom.ts";
import { count, millis, whole } from "../shared/format.ts";
import { keep, kept } from "../shared/choices.ts";
import { written } from "../shared/json.ts";
import { Toast, type Completion } from "./box.ts";
import { duration } from "./chart.ts";
import type { Row } from "./document.ts";
import { check, dsl, narrowed, raw } from "./dsl.ts";
import { noIndices, noSuchIndex, nothingFound } from "./empty.ts";
import { askAllFields, askFields, Fields, WELL_KNOWN } from "./fields.ts";
import { call, forbidden, Latest, missing, passing, Refused, replaced, words } from "./http.ts";
import { askNames, firstChoice, type Names } from "./indices.ts";
import { marksOf, type Marks } from "./marks.ts";
import { neighbours } from "./neighbours.ts";
import { added, clause, Mistake, parts, read, typedName, type Query } from "./query.ts";
import type { RowContext } from "./row.ts";
import { bounded, curl, LAST_NANOS, learnSize, mixed, rowsBody, search, topValues, type Answer, type Scope } from "./search.ts";
import { timeline } from "./timeline.ts";
import { hashOf, LAST, span, viewOf, type Span, type View } from "./view.ts";

/** Until the page looks again by itself, milliseconds. */
const AGAIN = 5000;

/** What the parts of the page show; main.ts puts them together. */
export interface Parts {
  loadLines(scope: Scope, signal: AbortSignal): Promise<Answer>;
  clearLines(): void;
  rows(): Row[];
  toggle(row: Row): void;
  isOpen(row: Row): boolean;
  refreshRows(measureAnew: boolean): void;
  showTimeline(t: Awaited<ReturnType<typeof timeline>> | undefined, canNarrow: boolean): void;
  showFields(fields: Fields, rows: Row[]): void;
  showMistake(mistake: Mistake | undefined): void;
  showNames(names: Names): void;
  showView(view: View, fields: Fields): void;
  /** In place of the lines; undefined shows the lines. */
  showInstead(element: HTMLElement | undefined): void;
  /** The other tabs. */
  showTab(view: View, signal: AbortSignal): void;
  remember(view: View): void;
}

export class App implements RowContext {
  view: View = viewOf(location.hash);
  fields = new Fields();
  marks: Marks = { byField: new Map() };
  utc = kept("explorer.utc") === "1";
  names: Names = { names: [], patterns: [] };
  readonly toast = new Toast();
  readonly status = h("p.summary", { role: "status" });
  readonly problem = h("p.problem", { role: "alert" });
  #parts!: Parts;
  readonly #runs = new Latest();
  readonly #tabRuns = new Latest();
  readonly #fieldRuns = new Latest();
  #fieldsOf = "";
  /** There was nothing in the cluster when the page was opened. */
  #awaited = false;
  #allFields: Promise<void> = Promise.resolve();
  #problems = new Map<string, string>();
  #scoped: Scope | undefined;
  /** Ended with the next search. */
  signal!: AbortSignal;

  start(parts: Parts): void {
    this.#parts = parts;
    addEventListener("hashchange", () => {
      const view = viewOf(location.hash);
      if (hashOf(view) === hashOf(this.view)) return;
      this.view = view;
      void this.run();
    });
    void this.run();
  }

  /** Changes the view; the one before stays behind the browser's button. */
  change(change: Partial<View>, run = true): void {
    const before = hashOf(this.view);
    this.view = { ...this.view, ...change };
    const hash = hashOf(this.view);
    if (hash !== before) history.pushState(null, "", hash);
    if (run) void this.run();
    else this.#parts.showView(this.view, this.fields);
  }

  /** What was searched last, of which the lines are here; undefined without. */
  scope(): Scope | undefined {
    return this.#scoped;
  }

  /** Shows a problem until the same kind has none. */
  tell(kind: string, text: string): void {
    if (text) this.#problems.set(kind, text);
    else this.#problems.delete(kind);
    say(this.problem, [...new Set(this.#problems.values())].join(" "));
    this.problem.hidden = this.#problems.size === 0;
  }

  /** Searches anew. */
  async run(): Promise<void> {
    const signal = (this.signal = this.#runs.next());
    const started = performance.now();
    this.#problems.clear();
    this.tell("", "");
    this.#parts.showView(this.view, this.fields);
    say(this.status, "searching…");
    try {
      if (!this.view.index && !(await this.#chooseIndex(signal))) return;
      await this.#learnFields(signal);
      const scope = await this.#read(signal);
      if (signal.aborted || !scope) return;
      this.#scoped = scope;
      this.#took = "";
      this.#parts.showView(this.view, this.fields);
      this.#parts.remember(this.view);
      await learnSize(scope, signal);
      if (signal.aborted) return;
      this.showTab();
      await Promise.all([this.#showLines(scope, signal, started), this.#showTime(scope, signal)]);
    } catch (e) {
      if (replaced(e) || signal.aborted) return;
      if (e instanceof Mistake) this.#parts.showMistake(e);
      else this.tell("run", words(e) + this.recover(e, signal));
      if (forbidden(e)) this.#forget();
      const stale = this.#parts.rows().length > 0;
      say(this.status, e instanceof Mistake ? "not searched: the query has a mistake" : stale ? "no answer: what stands here was found before" : "");
      this.#stale(stale);
    }
  }

  /** Marks what stands there as that of an earlier search. */
  #stale(on: boolean): void {
    document.body.classList.toggle("stale", on);
  }

  /** Nothing of what somebody could read before stays. */
  #forget(): void {
    this.#scoped = undefined;
    this.#fieldsOf = "";
    this.fields = new Fields();
    this.#parts.clearLines();
    this.#parts.showTimeline(undefined, false);
    this.#parts.showFields(this.fields, []);
  }

  async #chooseIndex(signal: AbortSignal): Promise<boolean> {
    const names = await this.askNames(signal);
    if (signal.aborted) return false;
    if (!names.names.length) {
      this.#parts.showInstead(noIndices());
      this.#parts.showTimeline(undefined, false);
      say(this.status, "no logs yet");
      this.#awaitFirst(signal);
      return false;
    }
    this.view = { ...this.view, index: kept("explorer.index") ?? "" };
    if (!names.names.some((n) => n === this.view.index) && !names.patterns.includes(this.view.index)) this.view.index = firstChoice(names);
    history.replaceState(null, "", hashOf(this.view));
    return true;
  }

  /** Looks again until the first lines are there: an index may stand before its lines can be found. */
  #awaitFirst(signal: AbortSignal): void {
    this.#awaited = true;
    setTimeout(() => !signal.aborted && void this.run(), AGAIN);
  }

  /** After an error that passes: searches again once this node answers anything at all, and says so. What is shown stays meanwhile. */
  recover(e: unknown, signal: AbortSignal): string {
    if (!passing(e)) return "";
    setTimeout(() => {
      if (signal.aborted) return;
      call("GET", "", undefined, { signal }).then(() => this.run(), (again) => void (again instanceof Refused ? this.run() : this.recover(e, signal)));
    }, AGAIN);
    return " This page looks again by itself.";
  }

  /** Names for the choice of an index; without the right to list them any can be typed. */
  async askNames(signal: AbortSignal): Promise<Names> {
    this.names = await askNames(signal);
    this.#parts.showNames(this.names);
    return this.names;
  }

  async #learnFields(signal: AbortSignal): Promise<void> {
    const { index } = this.view;
    this.fields.chosen = this.view.time;
    if (this.#fieldsOf === index && this.fields.list().length) return;
    const fields = new Fields();
    const own = this.#fieldRuns.next();
    // what rows were drawn by, which names that are less well known may change
    const roles = (): string => `${fields.message()} ${fields.level()}`;
    let drawn = "";
    this.#allFields = askAllFields(fields, index, own).catch((e) => {
      if (!replaced(e)) this.tell("fields", `The list of fields is missing: ${words(e)}`);
    }).then(() => {
      if (own.aborted) return;
      if (this.fields !== fields) return;
      this.#parts.showFields(fields, this.#parts.rows());
      if (roles() !== drawn) this.#parts.refreshRows(false);
    });
    fields.chosen = this.view.time;
    await askFields(fields, index, WELL_KNOWN.concat(this.view.time || []).join(","), own);
    // no time of a well-known name: any date will do, once all names are here
    if (!fields.time()) await this.#allFields;
    drawn = roles();
    if (signal.aborted) return;
    this.fields = fields;
    this.#fieldsOf = index;
    keep("explorer.index", index);
    if (!this.names.names.length) void this.askNames(own).catch(() => undefined);
  }

  /** The view as what is searched. */
  async #read(signal: AbortSignal): Promise<Scope | undefined> {
    const { view } = this;
    this.#parts.showMistake(undefined);
    let query: Record<string, unknown>;
    if (view.mode === "dsl") {
      query = raw(view.query);
      this.marks = { byField: new Map() };
    } else {
      const parsed: Query = read(view.query);
      if ([...parts(parsed)].some(([p]) => p.kind === "text" && p.field === undefined) || view.query.includes(":")) await this.#allFields;
      if (signal.aborted) return undefined;
      const notes = check(parsed, this.fields);
      if (this.fields.many && [...parts(parsed)].some(([p]) => p.kind === "text" && p.field === undefined)) {
        notes.push(`These indices have too many fields to search them all: words are looked for in ${this.fields.forWords(300).length} of them. Name a field to search another: field:word.`);
      }
      this.tell("query", notes.join(" "));
      query = dsl(parsed, this.fields);
      this.marks = marksOf(parsed);
    }
    const time = this.fields.time();
    const index = this.#withoutBrokenTimes(view.index);
    let range = time ? span(view, Date.now(), this.utc) : undefined;
    if (time && view.from && !range) throw new Mistake(`${view.from} to ${view.to} is no time with a beginning and an end`, 0, 0);
    if (time && mixed(time) && !(range && range.from >= 0 && range.to <= LAST_NANOS)) this.tell("time", `Some of these indices keep ${time.name} in nanoseconds: lines before 1970 or after 2255 are not shown. Name the others alone to see theirs.`);
    if (!time && this.fields.list().length) this.tell("time", `${view.index} has no date field, so its lines have no order, no histogram and no times to choose.`);
    return { index, query, time, span: range, oldest: view.oldest };
  }

  /** Indices in which the time is no date cannot be sorted with the others: they are named and left out. */
  #withoutBrokenTimes(index: string): string {
    const time = this.fields.time();
    if (!time || time.types.every((t) => t === "date" || t === "date_nanos")) return index;
    const broken = Object.entries(time.where).filter(([type]) => type !== "date" && type !== "date_nanos");
    const names = broken.flatMap(([, n]) => n);
    const good = Object.entries(time.where).filter(([type]) => type === "date" || type === "date_nanos").flatMap(([, n]) => n);
    const all = index.includes("*") && names.length <= 50;
    this.tell("broken", `In ${names.length} of ${names.length + good.length} indices ${time.name} is no date but ${broken.map(([t]) => t).join(", ")} (${names.slice(0, 3).join(", ")}${names.length > 3 ? ", …" : ""}): their lines are not shown. Name such an index alone to see them.` + (all || good.length <= 50 ? "" : ` Of the others 50 are searched; a narrower pattern takes fewer.`));
    return all ? `${index},${names.map((n) => `-${n}`).join(",")}` : good.slice(0, 50).join(",");
  }

  async #showLines(scope: Scope, signal: AbortSignal, started: number): Promise<void> {
    const answer = await this.#parts.loadLines(scope, signal);
    if (signal.aborted) return;
    this.#stale(false);
    this.tell("lines", missing(answer));
    const rows = this.#parts.rows();
    this.#took = `${millis(performance.now() - started)}`;
    this.#summary();
    this.#parts.showFields(this.fields, rows);
    if (rows.length) {
      this.#awaited = false;
      return this.#parts.showInstead(undefined);
    }
    if (this.#awaited) this.#awaitFirst(signal);
    if ((answer._shards?.total ?? 1) === 0) {
      const names = this.names.names.length ? this.names : await this.askNames(signal);
      return this.#parts.showInstead(names.names.length ? noSuchIndex(this.view.index, [...names.patterns, ...names.names], (index) => this.change({ index })) : noIndices());
    }
    this.#parts.showInstead(h("section.empty", h("h2", "Nothing was found")));
    this.#parts.showInstead(await nothingFound(scope, signal, (from, to) => this.change({ from, to })));
  }

  #took = "";
  #total: { value: number; exact: boolean; span: Span } | undefined;

  #summary(): void {
    const rows = this.#parts.rows().length;
    say(this.status, this.#total
      ? `${this.#total.exact ? "" : "at least "}${whole(this.#total.value)} lines in ${duration(this.#total.span.to - this.#total.span.from)}${this.#took && `, first ones after ${this.#took}`}`
      : `${count(rows)} lines here, after ${this.#took}`);
  }

  async #showTime(scope: Scope, signal: AbortSignal): Promise<void> {
    this.#total = undefined;
    if (!scope.time) return this.#parts.showTimeline(undefined, false);
    try {
      const range = scope.span ?? (await this.#extent(scope, signal));
      if (!range) return this.#parts.showTimeline(undefined, false);
      const group = this.view.group === "-" ? undefined : this.view.group || this.fields.countable(this.fields.level() ?? "");
      const drawn = await timeline(scope, range, this.view.number ? undefined : group, this.view.number || undefined, signal);
      if (signal.aborted) return;
      this.tell("timeline", missing(drawn.answer));
      this.#total = { value: drawn.total, exact: drawn.exact, span: range };
      this.#parts.showTimeline(drawn, group !== undefined);
      this.groupShown = group;
      this.#summary();
    } catch (e) {
      if (replaced(e)) return;
      this.#parts.showTimeline(undefined, false);
      this.tell("timeline", `No histogram: ${words(e)}`);
    }
  }

  groupShown: string | undefined;

  /** First and last time of everything that matches. */
  async #extent(scope: Scope, signal: AbortSignal): Promise<Span | undefined> {
    const field = scope.time?.name;
    const answer = await search(scope.index, { size: 0, track_total_hits: false, query: bounded({ ...scope, span: undefined }), aggs: { first: { min: { field } }, last: { max: { field } } } }, { signal });
    const value = (name: string): number | null => (answer.aggregations?.[name] as { value: number | null } | undefined)?.value ?? null;
    const [from, to] = [value("first"), value("last")];
    return from === null || to === null ? undefined : { from: Math.max(from, -LAST), to: Math.min(Math.max(to, from + 1), LAST) };
  }

  // ---- what rows ask for

  isOpen(row: Row): boolean {
    return this.#parts.isOpen(row);
  }

  toggle(row: Row): void {
    this.#parts.toggle(row);
  }

  narrow(field: string, value: string, not: boolean): void {
    try {
      const tab = this.view.tab === "trace" ? "lines" : this.view.tab;
      this.change({ tab, query: this.view.mode === "dsl" ? narrowed(this.view.query, dsl({ kind: "text", field, text: value, from: 0, to: 0 }, this.fields), not) : added(this.view.query, clause(field, value, not)) });
    } catch (e) {
      if (e instanceof Mistake) this.#parts.showMistake(e);
      else throw e;
    }
  }

  toggleColumn(field: string): void {
    const { columns } = this.view;
    this.change({ columns: columns.includes(field) ? columns.filter((c) => c !== field) : [...columns, field].slice(-20) }, false);
    this.#parts.refreshRows(true);
    this.#parts.showFields(this.fields, this.#parts.rows());
  }

  openTrace(id: string): void {
    this.changeTab({ tab: "trace", trace: id });
  }

  changeTab(change: Partial<View>): void {
    this.change(change, false);
    this.showTab();
  }

  /** Fills the tab that the view names; what another one asked for is ended. */
  showTab(): void {
    this.#parts.showTab(this.view, this.#tabRuns.next());
  }

  neighbours(row: Row): HTMLElement {
    return neighbours(row, this.#scoped as Scope, this);
  }

  copy(text: string, what: string): void {
    const done = (): void => this.toast.show(`${what} is in the clipboard.`);
    const byHand = (): void => {
      // a page without https has no clipboard of its own
      const area = h("textarea.sr", { "aria-hidden": "true" });
      area.value = text;
      document.body.append(area);
      area.select();
      const copied = document.execCommand("copy");
      area.remove();
      if (copied) done();
      else this.toast.show("This browser does not let a page copy.");
    };
    if (navigator.clipboard) navigator.clipboard.writeText(text).then(done, byHand);
    else byHand();
  }

  /** The address of what is shown, with its times as they were: who opens it later sees the same lines. */
  copyLink(): void {
    const fixed = this.#scoped?.span;
    const at = (ms: number): string => new Date(ms).toISOString();
    this.copy(new URL(hashOf({ ...this.view, ...(fixed ? { from: at(fixed.from), to: at(fixed.to) } : {}) }), location.href).href, "The link");
  }

  copyCurl(): void {
    if (this.#scoped) this.copy(curl(this.#scoped.index, rowsBody(this.#scoped, 100)), "The search as a curl command");
  }

  setUtc(utc: boolean): void {
    this.utc = utc;
    keep("explorer.utc", utc ? "1" : "");
    this.#parts.refreshRows(false);
    void this.run();
  }

  // ---- what the query box asks for

  /** Typed words as a query of the search API, to go on with; empty where they are none. */
  asJson(words: string): string {
    try {
      return words.trim() && written(dsl(read(words), this.fields), 2);
    } catch {
      return "";
    }
  }

  suggestNames(part: string): Completion[] {
    const wanted = part.toLowerCase();
    const all = this.fields.list().filter((f) => f.name.toLowerCase().includes(wanted));
    const first = (name: string): number => (name.toLowerCase().startsWith(wanted) ? 0 : 1);
    return all.sort((a, b) => first(a.name) - first(b.name) || a.name.length - b.name.length).slice(0, 8).map((f) => ({ text: `${typedName(f.name)}:`, note: f.types.join(", ") }));
  }

  async suggestValues(field: string, part: string): Promise<Completion[]> {
    const countable = this.fields.countable(field);
    const scoped = this.#scoped;
    if (!countable || !scoped) return [];
    const text = this.fields.get(countable)?.types.some((t) => /keyword|wildcard/.test(t));
    // of all lines of this time, whatever else is typed
    const { buckets } = await topValues({ ...scoped, query: { match_all: {} } }, countable, text ? 8 : 50, this.#valueRuns.next(), text && part ? part : undefined);
    return buckets.map((b) => ({ text: b.key_as_string ?? String(b.key), note: count(b.doc_count) }))
      .filter((c) => text || c.text.startsWith(part)).slice(0, 8);
  }

  readonly #valueRuns = new Latest();
}
