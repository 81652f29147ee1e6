// The searches of the page. Every one has a time limit on the node, a size, and is cancelled on the
// node when the browser ends its request (RestCancellableNodeClient).

import { written } from "../shared/json.ts";
import { timeOf, type Hit } from "./document.ts";
import type { Dsl } from "./dsl.ts";
import type { Field } from "./field.ts";
import { call, Refused, TooLarge, type Limits, type Shards } from "./http.ts";
import { base } from "./pieces.ts";
import { LAST, type Span } from "./view.ts";

/** How long a node looks for one answer; the page says ten seconds where it was not enough. */
const NODE_LIMIT = "10s";
/** Lines of the first page: what a screen shows, and some. */
export const FIRST_PAGE = 200;
export const MOST_PAGE = 1000;

/** What is searched: an index pattern, a query, and the time it is limited to. */
export interface Scope {
  index: string;
  query: Dsl;
  time?: Field;
  span?: Span;
  /** Rows begin with the oldest. */
  oldest?: boolean;
}

export interface Answer {
  /** How many hits were asked for in the end. */
  asked?: number;
  took?: number;
  timed_out?: boolean;
  pit_id?: string;
  _shards?: Shards;
  hits: { total?: { value: number; relation: string }; hits: Hit[] };
  aggregations?: Record<string, unknown>;
}

export interface Bucket {
  key: string | number | boolean;
  key_as_string?: string;
  doc_count: number;
  [aggregation: string]: unknown;
}

/** The last time that is asked for of nanoseconds, which begin in 1970 and end in 2262; milliseconds. */
export const LAST_NANOS = 9e12;

/** Whether some indices keep a time in milliseconds and others in nanoseconds. */
export function mixed(time: Field): boolean {
  return time.types.includes("date_nanos") && time.types.includes("date");
}

/** The query with its time. */
export function bounded(scope: Scope, span = scope.span): Dsl {
  const { time } = scope;
  if (!time) return { bool: { filter: [scope.query] } };
  const range = (bounds: Dsl): Dsl => ({ range: { [time.name]: { ...bounds, format: "epoch_millis" } } });
  const [least, most] = time.types.includes("date_nanos") ? [0, LAST_NANOS] : [-LAST, LAST];
  if (span) return { bool: { filter: [scope.query, range({ gte: Math.max(least, Math.floor(span.from)), lte: Math.min(most, Math.ceil(span.to)) })] } };
  // one order for both kinds is that of nanoseconds, and a shard fails at a time that has none
  return { bool: { filter: [scope.query], ...(mixed(time) ? { must_not: [range({ lt: least }), range({ gt: most })] } : {}) } };
}

/** What a shard says that no longer knows a point in time. */
const GONE = "search_context_missing_exception";

const PARAMETERS = "ignore_unavailable=true&allow_no_indices=true&cancel_after_time_interval=15s";

function path(index: string, more = ""): string {
  return `${encodeURIComponent(index)}/_search?${PARAMETERS}${more}`;
}

/** How rows are sorted. */
export function order(time: Field | undefined, direction: "asc" | "desc"): unknown[] {
  if (!time) return ["_doc"];
  const nanos = time.types.includes("date_nanos");
  return [{
    [time.name]: {
      order: direction, unmapped_type: nanos ? "date_nanos" : "date", missing: "_last",
      ...(mixed(time) ? { numeric_type: "date_nanos" } : {}),
    },
  }];
}

/** The body of the first page of rows. */
export function rowsBody(scope: Scope, size: number): Dsl {
  return { size, timeout: NODE_LIMIT, track_total_hits: false, sort: order(scope.time, scope.oldest ? "asc" : "desc"), query: bounded(scope) };
}

/** Bytes of a line of the index that is looked at; 0 where nobody knows. */
let lineBytes = 0;
let lineBytesOf = "";
/** Bytes of lines that are asked for at once: a node compresses an answer on a thread that answers others, too. */
const MOST_AT_ONCE = 16e6;

/** Learns how large the lines of an index are from one of them, before many are asked for. */
export async function learnSize(scope: Scope, signal: AbortSignal): Promise<void> {
  if (lineBytesOf === scope.index) return;
  lineBytesOf = "";
  lineBytes = 0;
  await search(scope.index, rowsBody({ ...scope, query: { match_all: {} }, span: undefined }, 1), { signal, size: (n) => (lineBytes = n) })
    .then(() => { if (!signal.aborted) lineBytesOf = scope.index; }, () => undefined); // the search that follows says why
}

/** A search with a time limit; in smaller pages where documents are so large that the answer would be too, for the page or for the node's memory. */
export async function search(index: string, body: Dsl, limits: Limits = {}, more = ""): Promise<Answer> {
  for (let size = Math.min(Number(body.size ?? 0), Math.max(10, Math.floor(MOST_AT_ONCE / (lineBytes || 1)))); ; size = Math.ceil(size / 10)) {
    try {
      const where = index ? path(index, more) : "_search?cancel_after_time_interval=15s";
      return { ...(await call<Answer>("POST", where, { timeout: NODE_LIMIT, ...body, size }, limits)), asked: size };
    } catch (e) {
      if (size <= 1 || !(e instanceof TooLarge || (e instanceof Refused && e.kind === "circuit_breaking_exception"))) throw e;
    }
  }
}

/** Lines of a time in no order; all of them where they are few. */
export function atRandom(scope: Scope, span: Span | undefined, body: Dsl, limits: Limits): Promise<Answer> {
  return search(scope.index, { ...body, query: { function_score: { query: bounded(scope, span), random_score: { seed: 7, field: "_seq_no" }, boost_mode: "replace" } } }, limits);
}

/** Rows page after page, however many lines share a time: from a point in time where the user may open one. */
export class Pages {
  #pit: string | undefined;
  #after: unknown[] | undefined;
  #tried = false;
  #renewed = false;
  /** Rows that were handed over and have the time of the last one. */
  #boundary = new Set<string>();
  ended = false;
  /** Said where a page cannot be exact. */
  note = "";
  bytes = 0;
  #rows = 0;

  constructor(readonly scope: Scope) {}

  /** The next rows; none at the end. */
  async next(size: number, signal: AbortSignal): Promise<{ hits: Hit[]; answer: Answer }> {
    if (this.#after && !this.#tried) await this.#open(signal);
    const body = rowsBody(this.scope, size);
    let answer: Answer;
    const limits: Limits = { signal, size: (bytes) => (this.bytes += bytes) };
    if (this.#pit) {
      body.sort = [...(this.scope.time ? (body.sort as unknown[]) : []), { _shard_doc: "asc" }, { _index: "asc" }]; // shards of two indices may have the same _shard_doc
      body.pit = { id: this.#pit, keep_alive: "3m" };
      if (this.#after) body.search_after = this.#after;
      try {
        answer = await search("", body, limits);
        if (answer._shards?.failures?.some((f) => f.reason?.type === GONE) && !this.#renewed) throw new Refused(404, GONE, "");
      } catch (e) {
        if (!(e instanceof Refused) || e.status !== 404 || this.#renewed) throw e;
        // nobody asked for longer than a node keeps it, or its node is gone: from the last row on with a new one
        this.#pit = undefined;
        this.#tried = false;
        this.#renewed = true;
        return this.next(size, signal);
      }
      this.#renewed = false;
      this.#pit = answer.pit_id ?? this.#pit;
    } else if (this.#after && this.scope.time) {
      answer = await this.#overlapping(body, size, limits);
    } else {
      answer = await search(this.scope.index, body, limits);
    }
    const asked = answer.hits.hits;
    this.#rows += asked.length;
    if (this.#rows) lineBytes = this.bytes / this.#rows;
    const hits = asked.filter((hit) => !this.#boundary.has(`${hit._index}/${hit._id}`));
    const last = asked.at(-1);
    // a page that a time limit made short is not the last one
    if (!last || (asked.length < (answer.asked ?? size) && !answer.timed_out)) this.ended = true;
    if (last) this.#move(last, asked);
    // large lines of one time fill an answer with what is here already
    if (last && !hits.length && !this.#pit) this.#stuck();
    return { hits, answer };
  }

  /** Where the next page begins, and what this one had at that very time. */
  #move(last: Hit, page: Hit[]): void {
    const time = String(last.sort?.[0]);
    if (this.scope.time && String(this.#after?.[0]) !== time) this.#boundary.clear();
    for (const hit of page) if (!this.scope.time || String(hit.sort?.[0]) === time) this.#boundary.add(`${hit._index}/${hit._id}`);
    this.#after = last.sort;
  }

  /** From here on a point in time: its first page begins with the rows of the last time once more. */
  async #open(signal: AbortSignal): Promise<void> {
    this.#tried = true;
    try {
      const pit = await call<{ pit_id: string }>("POST",
        `${encodeURIComponent(this.scope.index)}/_search/point_in_time?keep_alive=3m&expand_wildcards=open&ignore_unavailable=true`, undefined, { signal });
      this.#pit = pit.pit_id;
      // before the first document of the last time
      this.#after = this.scope.time && [this.#after?.[0], -1, ""];
    } catch (e) {
      if (!(e instanceof Refused)) throw e;
      if (!this.scope.time) this.ended = true;
    }
  }

  /** Without a point in time: everything at the last time again, and what follows. */
  async #overlapping(body: Record<string, unknown>, size: number, limits: Limits): Promise<Answer> {
    const time = (this.scope.time as Field).name;
    const edge = timeOf(this.#after?.[0], this.scope.time as Field);
    const range = { range: { [time]: { [this.scope.oldest ? "gte" : "lte"]: edge, format: "strict_date_optional_time_nanos" } } };
    body.query = { bool: { filter: [bounded(this.scope), range] } };
    const all = Math.min(10_000, size + this.#boundary.size);
    if (this.#boundary.size >= 10_000) this.#stuck();
    return search(this.scope.index, { ...body, size: all }, limits);
  }

  #stuck(): void {
    this.note = "Too many lines share the last time, and you may not open a point in time: narrow the query to see the others";
    this.ended = true;
  }

  /** Gives the point in time back. */
  close(): void {
    if (this.#pit) void call("DELETE", "_search/point_in_time", { pit_id: [this.#pit] }).catch(() => undefined);
    this.#pit = undefined;
    this.ended = true;
  }
}

/** The same request for a shell. */
export function curl(index: string, body: Record<string, unknown>): string {
  const quoted = (text: string): string => `'${text.replace(/'/g, "'\\''")}'`;
  return `curl -s ${quoted(`${base()}/${encodeURIComponent(index)}/_search?pretty&ignore_unavailable=true`)} -H 'Content-Type: application/json' -d ${quoted(written(body))}`;
}

/** The values of a field and how many lines have each. */
export async function topValues(scope: Scope, field: string, size: number, signal: AbortSignal, prefix?: string): Promise<{ buckets: Bucket[]; total: number; others: number; answer: Answer }> {
  const answer = await search(scope.index, {
    size: 0, timeout: "5s", track_total_hits: true,
    query: prefix ? { bool: { filter: [bounded(scope), { prefix: { [field]: { value: prefix, case_insensitive: true } } }] } } : bounded(scope),
    aggs: { values: { terms: { field, size } } },
  }, { signal });
  const values = answer.aggregations?.values as { buckets: Bucket[]; sum_other_doc_count?: number } | undefined;
  return { buckets: values?.buckets ?? [], total: answer.hits.total?.value ?? 0, others: values?.sum_other_doc_count ?? 0, answer };
}
