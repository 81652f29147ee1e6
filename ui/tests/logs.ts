// A log store that exists only as answers: it reads the searches of the page and answers them from
// lines in memory, so that a test says exactly what is found, and how the store fails.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, type Page, type Route } from "@playwright/test";

const PAGE = readFileSync(
  new URL("../../observe/src/main/resources/io/millrace/observe/explorer/index.html", import.meta.url),
  "utf8",
);
export const ORIGIN = "http://127.0.0.1:9";
/** The time of every browser of these tests. */
export const NOW = Date.UTC(2026, 10, 22, 12);

type Dsl = Record<string, unknown>;
export type Source = Record<string, unknown>;
/** A document as it is written: its source as JSON where digits or size matter. */
interface Line {
  index: string;
  id: string;
  source: Source;
  json: string;
  ms: number;
}

/** Types by name of field; `text` is split into words, all others are compared as a whole. */
export type Mapping = Record<string, string>;

export const LOGS: Mapping = {
  "@timestamp": "date", level: "keyword", message: "text", service: "keyword", host: "keyword", status: "long",
  latency_ms: "long", trace_id: "keyword", span_id: "keyword",
};

export interface Faults {
  /** Searches are answered with this error. */
  status?: { code: number; reason: string; type?: string };
  /** Nothing answers. */
  dead?: boolean;
  /** Searches stop at their time limit. */
  timedOut?: boolean;
  /** Shards that do not answer, of five. */
  failed?: number;
  /** Shards that no node has, of five. */
  unassigned?: number;
  /** Points in time are refused. */
  noPoints?: boolean;
  /** Which searches these faults hit; every one without. */
  only?: (body: Dsl) => boolean;
}

export class FakeLogs {
  readonly mappings = new Map<string, Mapping>();
  readonly lines: Line[] = [];
  readonly searches: { index: string; body: Dsl }[] = [];
  readonly foreign: string[] = [];
  readonly aborted: string[] = [];
  points = 0;
  pointsClosed = 0;
  /** Points in time up to this one are no longer known. */
  forgotten = 0;
  faults: Faults = {};
  /** Searches of indices that are named like this are refused with 403. */
  forbidden: RegExp | undefined;
  /** Searches for which this holds get their answer when it resolves. */
  hold: ((body: Dsl) => Promise<void> | undefined) | undefined;
  /** Fields beyond those of the mappings, as a store with a million of them answers. */
  moreFields = 0;
  /** Bytes that the answer of a search is longer than its lines. */
  padding: (body: Dsl) => number = () => 0;
  /** The lines that were there when the point in time was opened. */
  private frozen: Line[] | undefined;

  index(name: string, mapping: Mapping = LOGS): this {
    this.mappings.set(name, mapping);
    return this;
  }

  /** Adds a document; `json` where the source is more than an object can say. */
  add(source: Source, index = "logs-app", json?: string): this {
    if (!this.mappings.has(index)) this.index(index);
    this.lines.push({ index, id: `${index}-${this.lines.length}`, source, json: json ?? JSON.stringify(source), ms: Date.parse(String(source["@timestamp"] ?? "")) });
    return this;
  }

  /** Adds `n` lines, one every `every` milliseconds before now. */
  many(n: number, make: (i: number) => Source, every = 1000, before = NOW): this {
    for (let i = 0; i < n; i++) this.add({ "@timestamp": new Date(before - (i + 1) * every).toISOString(), ...make(i) });
    return this;
  }

  async open(page: Page, hash = "", clock: "still" | "stopped" = "still"): Promise<void> {
    if (clock === "still") await page.clock.setFixedTime(NOW);
    await page.route("**/*", (route) => this.answer(route));
    page.on("requestfailed", (r) => this.aborted.push(r.postData() ?? r.url()));
    await page.goto(`${ORIGIN}/_millrace/explore${hash}`);
    await expect(page.locator("#query")).toBeAttached();
  }

  /** Searches for rows, as opposed to counts. */
  rowSearches(): { index: string; body: Dsl }[] {
    return this.searches.filter((s) => Number(s.body.size) > 0 && s.body.aggs === undefined && s.body.sort !== undefined);
  }

  private async answer(route: Route): Promise<void> {
    const request = route.request();
    const url = new URL(request.url());
    if (!url.href.startsWith(ORIGIN)) {
      if (url.protocol !== "data:" && url.protocol !== "blob:") this.foreign.push(url.href);
      return route.abort();
    }
    if (url.pathname === "/_millrace/explore") {
      return route.fulfill({ contentType: "text/html; charset=UTF-8", body: PAGE, headers: { "content-security-policy": policy() } });
    }
    const body = (request.postData() ? JSON.parse(request.postData() as string) : {}) as Dsl;
    const path = decodeURIComponent(url.pathname).slice(1);
    const hit = !path.endsWith("_search") || !this.faults.only || this.faults.only(body);
    if (this.faults.dead && hit) return route.abort("connectionrefused");
    if (path.startsWith("_resolve/index/")) {
      return route.fulfill({ json: { indices: [...this.mappings.keys()].map((name) => ({ name })), aliases: [], data_streams: [] } });
    }
    const [index, ...rest] = path.split("/") as [string, ...string[]];
    const action = (index.startsWith("_") ? path : rest.join("/"));
    switch (action) {
      case "_field_caps":
        return route.fulfill({ contentType: "application/json", body: this.caps(index, url.searchParams.get("fields") ?? "*") });
      case "_search/point_in_time":
        if (request.method() === "DELETE") {
          this.pointsClosed++;
          return route.fulfill({ json: { pits: [] } });
        }
        if (this.faults.noPoints) return route.fulfill({ status: 403, json: { error: { type: "security_exception", reason: "no permissions for [indices:data/read/point_in_time/create]" } } });
        this.points++;
        this.frozen = [...this.lines];
        return route.fulfill({ json: { pit_id: `${this.points} point of ${index}` } });
      case "_search": {
        this.searches.push({ index, body });
        if (Number.parseInt(String((body.pit as Dsl | undefined)?.id), 10) <= this.forgotten) {
          return route.fulfill({ status: 404, json: { error: { type: "search_phase_execution_exception", reason: "all shards failed", root_cause: [{ type: "search_context_missing_exception", reason: "No search context found" }] }, status: 404 } });
        }
        await this.hold?.(body);
        if (this.forbidden?.test(index)) return route.fulfill({ status: 403, json: { error: { type: "security_exception", reason: "no permissions" } } });
        if (this.faults.status && hit) {
          const { code, reason, type = "some_exception" } = this.faults.status;
          return route.fulfill({ status: code, json: { error: { type, reason, root_cause: [{ type, reason }] }, status: code } }).catch(() => undefined);
        }
        const answer = this.search(index, body, hit ? this.faults : {});
        return route.fulfill({ status: answer.startsWith('{"error"') ? 400 : 200, contentType: "application/json", body: answer }).catch(() => undefined);
      }
      default:
        return route.fulfill({ status: 404, json: { error: `nobody answers ${path}` } });
    }
  }

  /** The indices of a pattern such as `a*,-ab`. */
  private named(pattern: string): string[] {
    let found: string[] = [];
    for (const part of pattern.split(",")) {
      const minus = part.startsWith("-") && found.length > 0;
      const regex = new RegExp(`^${(minus ? part.slice(1) : part).replace(/[.+?^${}()|[\]\\]/g, "\\$&").replace(/\*/g, ".*")}$`);
      const hits = [...this.mappings.keys()].filter((n) => regex.test(n));
      found = minus ? found.filter((n) => !hits.includes(n)) : [...found, ...hits];
    }
    return [...new Set(found)];
  }

  private caps(pattern: string, wanted: string): string {
    const names = this.named(pattern);
    const asked = wanted === "*" ? undefined : new Set(wanted.split(","));
    const fields: Record<string, Record<string, unknown>> = {};
    for (const index of names) {
      for (const [name, type] of Object.entries(this.mappings.get(index) as Mapping)) {
        if (asked && !asked.has(name)) continue;
        const types = (fields[name] ??= {}) as Record<string, { indices: string[] }>;
        const known = (types[type] ??= { type, searchable: true, aggregatable: type !== "text", indices: [] } as never);
        known.indices.push(index);
      }
    }
    for (const types of Object.values(fields)) if (Object.keys(types).length === 1) delete (Object.values(types)[0] as { indices?: string[] }).indices;
    if (!asked) for (let i = 0; i < this.moreFields; i++) fields[`labels.of_a_rather_long_name_${i}`] = { keyword: { type: "keyword", searchable: true, aggregatable: true } };
    return JSON.stringify({ indices: names, fields });
  }

  private search(pattern: string, body: Dsl, faults: Faults): string {
    const point = body.pit as { id: string } | undefined;
    const names = this.named(point ? point.id.replace(/^\d+ point of /, "") : pattern);
    const types: Mapping = Object.assign({}, ...names.map((n) => this.mappings.get(n)));
    const of = (line: Line, query: Dsl): boolean => matches(query, line, types);
    let all = (point ? (this.frozen as Line[]) : this.lines).filter((l) => names.includes(l.index) && of(l, (body.query ?? { match_all: {} }) as Dsl));
    const total = all.length;
    const order = ((body.sort as Record<string, { order?: string } | string>[] | undefined)?.[0] ?? {}) as Record<string, { order?: string }>;
    const time = Object.keys(order).find((k) => k !== "_doc" && k !== "_shard_doc");
    const aggregations = body.aggs ? aggregate(body.aggs as Record<string, Dsl>, all, of) : undefined;
    if (JSON.stringify(body.sort ?? []).includes('"format"')) return '{"error":{"type":"x_content_parse_exception","reason":"[field_sort] unknown field [format]"},"status":400}';
    const sorts = (l: Line): string => [...(time ? [sortValue(l, types[time] === "date_nanos", order[time]?.order)] : []), ...(point ? [this.lines.indexOf(l), JSON.stringify(l.index)] : [])].join();
    if (time) {
      const up = order[time]?.order === "asc" ? 1 : -1;
      all = all.map((l, i) => [l, i] as const).sort(([a, i], [b, j]) => (compare(a, b) * up || i - j)).map(([l]) => l);
    }
    const after = body.search_after as unknown[] | undefined;
    if (after) {
      // -1 stands before every document of its time
      all = after.at(-2) === -1 ? all.slice(all.findIndex((l) => sortValue(l, types[time as string] === "date_nanos", order[time as string]?.order) === String(after[0])))
        : all.slice(all.findIndex((l) => this.lines.indexOf(l) === after.at(-2)) + 1);
    }
    const extra = (l: Line): string => ((body.docvalue_fields ?? []) as string[]).map((f) => `,"fields":${JSON.stringify({ [f]: [value(l.source, f)] })}`).join("");
    const hits = all.slice(0, Number(body.size ?? 10)).map((l) =>
      `{"_index":${JSON.stringify(l.index)},"_id":${JSON.stringify(l.id)},"_source":${l.json}${extra(l)},"sort":[${sorts(l)}]}`);
    const failed = faults.failed ?? 0;
    const shards = { total: names.length ? 5 : 0, successful: 5 - failed - (faults.unassigned ?? 0), failed,
      failures: failed ? [{ shard: 3, index: names[0], reason: { type: "node_not_connected_exception", reason: "node-2 is not connected" } }] : [] };
    return `{"took":3,${" ".repeat(this.padding(body))}"timed_out":${!!faults.timedOut},"_shards":${JSON.stringify(shards)}${point ? `,"pit_id":${JSON.stringify(point.id)}` : ""},` +
      `"hits":{${body.track_total_hits === false ? "" : `"total":{"value":${total},"relation":"eq"},`}"hits":[${hits.join(",")}]}` +
      `${aggregations ? `,"aggregations":${JSON.stringify(aggregations)}` : ""}}`;
  }
}

/** The policy that the node sends: this script, this style, requests to itself only. */
function policy(): string {
  const hash = (tag: string): string => createHash("sha256").update((new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(PAGE) as RegExpExecArray)[1] as string).digest("base64");
  return `default-src 'none'; script-src 'sha256-${hash("script")}'; style-src 'sha256-${hash("style")}'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
}

/** A time with all its digits. */
function timeOf(line: Line): string {
  return String(line.source["@timestamp"]);
}

/** What a store answers for a date: milliseconds or nanoseconds, and a limit of long where there is none. */
function sortValue(line: Line, nanos: boolean, order: string | undefined): string {
  if (Number.isNaN(line.ms)) return order === "asc" ? "9223372036854775807" : "-9223372036854775808";
  return nanos ? `${line.ms}${(/\.\d{3}(\d{6})/.exec(timeOf(line))?.[1] ?? "000000")}` : String(line.ms);
}

function compare(a: Line, b: Line): number {
  // digits beyond milliseconds count only within one
  if (Math.abs(a.ms - b.ms) > 1) return a.ms - b.ms;
  return timeOf(a) < timeOf(b) ? -1 : timeOf(a) > timeOf(b) ? 1 : 0;
}

function value(source: unknown, name: string): unknown {
  // a sub-field of the type log_template: a name for everything of the message that has no digit
  if (name === "message.template_id") {
    const message = value(source, "message");
    return message === undefined ? undefined : createHash("sha256").update(String(message).replace(/\S*\d\S*/g, "")).digest("hex").slice(0, 16);
  }
  if (source === null || typeof source !== "object") return undefined;
  if (name in source) return (source as Source)[name];
  const dot = name.indexOf(".");
  return dot < 0 ? undefined : value((source as Source)[name.slice(0, dot)], name.slice(dot + 1));
}

/** Nanoseconds since 1970 of a time or of milliseconds; not a number where it is neither. */
function instant(text: string): bigint | number {
  const ms = /^-?\d+$/.test(text) ? Number(text) : Date.parse(text);
  return Number.isNaN(ms) ? ms : BigInt(ms) * 1_000_000n + BigInt((/\.\d{3}(\d{1,6})/.exec(text)?.[1] ?? "").padEnd(6, "0"));
}

function words(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
}

/** Whether a value holds a phrase: as a whole, or, of a text, its words beside each other. */
function holds(found: unknown, type: string | undefined, text: string): boolean {
  if (found === undefined || found === null) return false;
  if (type !== "text") return String(found) === text;
  return ` ${words(String(found)).join(" ")} `.includes(` ${words(text).join(" ")} `);
}

function matches(query: Dsl, line: Line, types: Mapping): boolean {
  const [kind, given] = Object.entries(query)[0] as [string, Dsl];
  const inside = (list: unknown): Dsl[] => (list === undefined ? [] : Array.isArray(list) ? (list as Dsl[]) : [list as Dsl]);
  const first = (): [string, unknown] => Object.entries(given)[0] as [string, unknown];
  const everywhere = (fits: (found: unknown, type: string | undefined) => boolean): boolean =>
    Object.keys(types).some((name) => fits(value(line.source, name), types[name]));
  switch (kind) {
    case "match_all": return true;
    case "bool":
      return inside(given.filter).concat(inside(given.must)).every((q) => matches(q, line, types))
        && !inside(given.must_not).some((q) => matches(q, line, types))
        && (!given.should || inside(given.should).some((q) => matches(q, line, types)));
    case "nested": return matches(given.query as Dsl, line, types);
    case "function_score": return matches(given.query as Dsl, line, types);
    case "exists": return value(line.source, String(given.field)) !== undefined;
    case "term":
    case "match_phrase": {
      const [name, wanted] = first();
      if ((wanted as Dsl).case_insensitive) return String(value(line.source, name)).toLowerCase() === String((wanted as Dsl).value).toLowerCase();
      const text = typeof wanted === "object" ? String((wanted as Dsl).value) : String(wanted);
      return holds(value(line.source, name), types[name], text);
    }
    case "terms": {
      const [name, wanted] = first() as [string, unknown[]];
      return wanted.some((each) => holds(value(line.source, name), types[name], String(each)));
    }
    case "multi_match": return everywhere((found, type) => holds(found, type, String(given.query)));
    case "prefix": {
      const [name, wanted] = first();
      return String(value(line.source, name) ?? "").toLowerCase().startsWith(String((wanted as Dsl).value).toLowerCase());
    }
    case "wildcard": {
      const [name, wanted] = first();
      const regex = new RegExp(`^${String((wanted as Dsl).value).replace(/\\(.)/g, "$1").replace(/[.+^${}()|[\]\\]/g, "\\$&").replace(/\*/g, ".*").replace(/\?/g, ".")}$`, "i");
      return regex.test(String(value(line.source, name) ?? ""));
    }
    case "query_string": {
      const regex = new RegExp(`^${String(given.query).toLowerCase().replace(/\\(.)/g, "$1").replace(/[.+^${}()|[\]\\]/g, "\\$&").replace(/\*/g, ".*").replace(/\?/g, ".")}$`);
      const fits = (found: unknown, type: string | undefined): boolean => (type === "text" ? words(String(found ?? "")) : [String(found ?? "").toLowerCase()]).some((w) => regex.test(w));
      const where = given.fields as string[];
      return where[0] === "*" ? everywhere(fits) : where.some((name) => fits(value(line.source, name), types[name]));
    }
    case "range": {
      const [name, bounds] = first() as [string, Record<string, unknown>];
      const found = value(line.source, name);
      const at = /date/.test(types[name] ?? "date") ? instant : Number;
      const here = at(String(found));
      if (found === undefined || Number.isNaN(here)) return false;
      return Object.entries(bounds).every(([op, bound]) =>
        op === "gte" ? here >= at(String(bound)) : op === "lte" ? here <= at(String(bound)) : op === "gt" ? here > at(String(bound)) : op === "lt" ? here < at(String(bound)) : true);
    }
    default:
      throw new Error(`the fake store does not know ${kind}`);
  }
}

function aggregate(aggs: Record<string, Dsl>, lines: Line[], of: (line: Line, query: Dsl) => boolean): Dsl {
  return Object.fromEntries(Object.entries(aggs).map(([name, each]) => [name, one(each, lines, of)]));
}

function one(each: Dsl, lines: Line[], of: (line: Line, query: Dsl) => boolean): Dsl {
  const kind = Object.keys(each).find((k) => k !== "aggs") as string;
  const given = each[kind] as Dsl;
  const field = String(given.field);
  const inner = (some: Line[]): Dsl => (each.aggs ? aggregate(each.aggs as Record<string, Dsl>, some, of) : {});
  const numbers = (): number[] => lines.map((l) => (field === "@timestamp" ? l.ms : Number(value(l.source, field)))).filter((n) => !Number.isNaN(n)).sort((a, b) => a - b);
  switch (kind) {
    case "date_histogram": {
      const width = Number.parseInt(String(given.fixed_interval), 10);
      return { buckets: grouped(lines, (l) => Math.floor(l.ms / width) * width).map(([key, some]) => ({ key, doc_count: some.length, ...inner(some) })) };
    }
    case "terms": {
      const wanted = given.include as string[] | undefined;
      const all = grouped(lines.filter((l) => value(l.source, field) !== undefined && (!wanted || wanted.includes(value(l.source, field) as string))), (l) => value(l.source, field) as string).sort((a, b) => b[1].length - a[1].length);
      const shown = all.slice(0, Number(given.size));
      return { buckets: shown.map(([key, some]) => ({ key, doc_count: some.length, ...inner(some) })), sum_other_doc_count: all.slice(shown.length).reduce((n, [, some]) => n + some.length, 0) };
    }
    case "percentiles": {
      const sorted = numbers();
      return { values: Object.fromEntries((given.percents as number[]).map((p) => [p.toFixed(1), sorted[Math.min(sorted.length - 1, Math.floor((p / 100) * sorted.length))] ?? null])) };
    }
    case "top_hits": return { hits: { hits: lines.slice(0, Number(given.size)).map((l) => ({ _index: l.index, _id: l.id, _source: l.source })) } };
    case "min": return { value: numbers()[0] ?? null };
    case "max": return { value: numbers().at(-1) ?? null };
    case "missing": return { doc_count: lines.filter((l) => value(l.source, field) === undefined).length };
    case "filter": return { doc_count: lines.filter((l) => of(l, given)).length };
    default: throw new Error(`the fake store does not know the aggregation ${kind}`);
  }
}

function grouped<K>(lines: Line[], key: (line: Line) => K): [K, Line[]][] {
  const groups = new Map<K, Line[]>();
  for (const line of lines) {
    const group = groups.get(key(line));
    if (group) group.push(line);
    else groups.set(key(line), [line]);
  }
  return [...groups];
}
