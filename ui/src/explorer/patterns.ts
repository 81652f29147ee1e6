// The patterns of the lines of a time beside the same length of time before, so that what is new stands
// out: counted by the templates of the index where it has them, otherwise from a random sample.

import { bar, fill, h } from "../shared/dom.ts";
import { count, percent, whole } from "../shared/format.ts";
import { leaves, messageOf, oneLine, rowOf, saidBy, type Hit } from "./document.ts";
import { narrowed, type Dsl } from "./dsl.ts";
import { missing } from "./http.ts";
import { keepOrLeave, note, sheet } from "./pieces.ts";
import { added, clause, plainName, typedName } from "./query.ts";
import type { Changes, RowContext } from "./row.ts";
import { atRandom, bounded, rowsBody, search, type Answer, type Bucket, type Scope } from "./search.ts";
import { matching, phrases, templates, tokensOf, type Template } from "./templates.ts";
import { duration } from "./chart.ts";
import type { Span } from "./view.ts";

const SAMPLE = 2000;
const SHOWN = 50;
/** Patterns that look new are asked for once more, exactly. */
const CHECKED = 15;
/** Lines without a message are told apart by the names that they have: so many lines, and names of one. */
const UNSAID = 500;
const NAMES = 12;
const SHAPE = "(no message)";
/** Templates that are counted, the most frequent ones. */
const COUNTED = 1000;
/** Lines that are looked through for examples of templates. */
const NEWEST = 500;

interface Pattern {
  template: Template;
  lines: number;
  before: number;
  /** None in the time before. */
  fresh: boolean;
  /** The lines of this pattern as typed and as the search API takes it; without, they cannot be looked for. */
  by?: { words: string; dsl: Dsl };
}

interface Patterns {
  rows: Pattern[];
  /** Lines of the time, and of the time before; undefined without one. */
  total: number;
  totalBefore?: number;
  /** The counts are estimates. */
  about: boolean;
  note: string;
}

interface Sample {
  lines: string[];
  total: number;
  note: string;
}

/** A random sample of the lines of a time; all of them where they are few. */
async function sample(scope: Scope, span: Span | undefined, { fields }: RowContext, signal: AbortSignal): Promise<Sample> {
  const field = fields.message();
  const answer = await atRandom(scope, span, { size: SAMPLE, track_total_hits: true, ...(field ? { _source: [field.replace(/\.keyword$/, "")] } : {}) }, { signal });
  const texts = answer.hits.hits.map((hit) => saidBy(rowOf(hit), field));
  let others = answer.hits.hits.filter((_, i) => texts[i] === undefined);
  // whole documents only of those that say nothing there
  if (field && others.length) {
    others = (await atRandom({ ...scope, query: { bool: { filter: [scope.query], must_not: [{ exists: { field } }] } } }, span, { size: UNSAID, track_total_hits: false }, { signal })).hits.hits;
  }
  const shapes = others.map((hit) => {
    const row = rowOf(hit);
    const names = [...new Set(leaves(row.source, 50).map(([name]) => name))].filter((name) => name !== scope.time?.name && fields.findable(name) && !/\s/.test(name));
    return saidBy(row, field) ?? `${SHAPE} ${names.slice(0, NAMES).map(typedName).join(" ")}`;
  });
  let next = 0;
  return { lines: texts.map((t) => t ?? shapes[next++ % shapes.length] ?? SHAPE), total: answer.hits.total?.value ?? 0, note: missing(answer) };
}

/** Patterns by the templates that the index keeps; undefined where the lines have none. */
async function counted(scope: Scope, field: string, before: Span | undefined, context: RowContext, signal: AbortSignal): Promise<Patterns | undefined> {
  const message = context.fields.message() as string;
  const ask = (span: Span | undefined, terms: Dsl): Promise<Answer> => search(scope.index, {
    size: 0, track_total_hits: true, query: bounded(scope, span), aggs: { values: { terms: { field, ...terms } } },
  }, { signal });
  const buckets = (answer: Answer): Bucket[] => (answer.aggregations?.values as { buckets: Bucket[] } | undefined)?.buckets ?? [];
  const texts = new Map<string, string[]>();
  const put = (id: unknown, hit: Hit): void => {
    const known = texts.get(String(id)) ?? [];
    if (known.length < 2) texts.set(String(id), [...known, messageOf(rowOf(hit), message)]);
  };
  const [now, newest] = await Promise.all([
    ask(scope.span, { size: COUNTED, shard_size: 4 * COUNTED }),
    search(scope.index, { ...rowsBody(scope, NEWEST), _source: [message], docvalue_fields: [field] }, { signal }),
  ]);
  const found = buckets(now);
  if (!found.length) return undefined;
  const ids = found.map((b) => String(b.key));
  const then = before ? await ask(before, { size: COUNTED, include: ids }) : undefined;
  const old = new Map(then ? buckets(then).map((b) => [b.key, b.doc_count]) : []);
  const totalBefore = then?.hits.total?.value;
  const rows = found.map((b) => ({ id: String(b.key), lines: b.doc_count, before: old.get(b.key) ?? 0, fresh: !!totalBefore && !then?.timed_out && !old.has(b.key) }));
  const shown = newFirst(rows).slice(0, SHOWN);
  // the first lines of the list hold examples of most; to look for one among all lines costs every line of its template
  for (const hit of newest.hits.hits) put(hit.fields?.[field]?.[0], hit);
  const others = shown.map((r) => r.id).filter((id) => !texts.has(id));
  if (others.length) {
    const query = { bool: { filter: [bounded(scope), { terms: { [field]: others } }] } };
    const found = await search(scope.index, { size: 0, track_total_hits: false, query, aggs: { values: { terms: { field, size: SHOWN }, aggs: { some: { top_hits: { size: 2, _source: [message] } } } } } }, { signal });
    for (const b of buckets(found)) for (const hit of (b.some as { hits: { hits: Hit[] } }).hits.hits) put(b.key, hit);
  }
  const { doc_count_error_upper_bound: error = 0, sum_other_doc_count: rarer = 0 } = now.aggregations?.values as { doc_count_error_upper_bound?: number; sum_other_doc_count?: number };
  const total = now.hits.total?.value ?? 0;
  const none = total - rarer - rows.reduce((sum, r) => sum + r.lines, 0);
  return {
    rows: shown.map((r) => {
      const [example = "", other = ""] = texts.get(r.id) ?? [];
      const otherTokens = tokensOf(other);
      const tokens = tokensOf(example).map((t, i, all) => (otherTokens.length === all.length && otherTokens[i] !== t ? "*" : t));
      return { ...r, template: { tokens, lines: r.lines, example }, by: { words: clause(field, r.id), dsl: { term: { [field]: r.id } } } };
    }),
    total, totalBefore, about: false,
    note: `${count(found.length)} patterns in ${whole(total)} lines, counted by ${field}.` +
      (rarer ? ` ${whole(rarer)} lines have rarer patterns.` : "") + (none > 0 ? ` ${whole(none)} lines have no template.` : "") +
      (error ? ` A count may be too small by up to ${whole(error)}.` : "") + ` ${missing(now)}`,
  };
}

/** Patterns of a random sample. */
async function sampled(scope: Scope, before: Span | undefined, context: RowContext, signal: AbortSignal): Promise<Patterns> {
  const [now, then] = await Promise.all([
    sample(scope, scope.span, context, signal),
    before ? sample(scope, before, context, signal) : undefined,
  ]);
  const found = templates(now.lines);
  const old = then ? templates(then.lines) : [];
  const field = context.fields.message();
  const rows = found.slice(0, 300).map((template): Pattern => {
    const shareBefore = then?.lines.length ? matching(template, old) / then.lines.length : 0;
    return {
      template, lines: (template.lines / Math.max(1, now.lines.length)) * now.total, before: shareBefore * (then?.total ?? 0), fresh: !!then?.total && shareBefore === 0,
      by: linesOf(template, field),
    };
  });
  if (before && then) await confirm(rows, scope, before, then, signal);
  const about = now.lines.length < now.total || (!!then && then.lines.length < then.total);
  return {
    rows: newFirst(rows).slice(0, SHOWN), total: now.total, totalBefore: then?.total, about,
    note: `${count(found.length)} patterns in ${count(now.lines.length)} of ${whole(now.total)} lines` +
      (about ? `, a random sample: counts are estimates, and a pattern of fewer than about ${count(Math.ceil((3 * now.total) / now.lines.length))} lines may be missing.` : ".") + ` ${now.note}`,
  };
}

/** How the lines of a pattern are looked for; undefined where nothing in them can be. */
function linesOf(template: Template, field: string | undefined): Pattern["by"] {
  const unsaid = template.example.startsWith(SHAPE);
  const parts = unsaid ? template.tokens.slice(2).filter((t) => !t.includes("*")) : phrases(template);
  if (!(unsaid || field) || !parts.length) return undefined;
  const typed = parts.map((p) => (unsaid ? `${p}:*` : clause(field as string, p)));
  const filter = parts.map((p) => (unsaid ? { exists: { field: plainName(p) } } : { match_phrase: { [field as string]: p } }));
  if (!unsaid || !field) return { words: typed.join(" "), dsl: { bool: { filter } } };
  return { words: [`-${typedName(field)}:*`, ...typed].join(" "), dsl: { bool: { filter, must_not: [{ exists: { field } }] } } };
}

function newFirst<T extends { fresh: boolean; lines: number }>(rows: T[]): T[] {
  return rows.sort((a, b) => Number(b.fresh) - Number(a.fresh) || b.lines - a.lines);
}

/** Fills an element with the patterns of a scope. */
export async function showPatterns(into: HTMLElement, scope: Scope, context: RowContext & Changes, signal: AbortSignal): Promise<void> {
  fill(into, note("counting patterns…"));
  const { span } = scope;
  const before = span ? { from: span.from - (span.to - span.from), to: span.from - 1 } : undefined;
  const field = context.fields.template();
  const found = (field && (await counted(scope, field, before, context, signal))) || (await sampled(scope, before, context, signal));
  if (signal.aborted) return;
  const about = (n: number): string => (found.about && n ? "≈ " : "") + count(Math.round(n));
  const narrow = ({ by }: Pattern, not: boolean): void => {
    if (!by) return;
    const { query, mode } = context.view;
    const words = not ? (by.words.includes(" ") ? `-(${by.words})` : `-${by.words}`) : by.words;
    context.change({ query: mode === "dsl" ? narrowed(query, by.dsl, not) : added(query, words), ...(not ? {} : { tab: "lines" as const }) });
  };
  const then = found.totalBefore;
  fill(into,
    note(found.note + (before ? ` Before: the ${duration(before.to - before.from)} before, ${whole(then ?? 0)} lines.` : "")),
    sheet("Patterns of the lines, new ones first", ["lines", "share", before ? "before" : "–", "pattern", ""], (i) => i < 3, found.rows.map((r) => {
        const share = r.lines / Math.max(1, found.total);
        return h("tr",
          h("td.n", about(r.lines)),
          h("td.n", percent(100 * share), " ", bar(share, "ok")),
          h("td.n", r.fresh ? h("span.pill", { "data-state": "warning" }, "new") : then === undefined ? "" : about(r.before), r.fresh || !then ? null : h("span.muted", change(share, r.before / then))),
          h("td.pattern", { title: oneLine(r.template.example, 400) }, h("bdi", ...shown(r.template))),
          h("td.do", ...keepOrLeave("of this pattern", (not) => narrow(r, not))));
      }), "patterns"));
}

function shown(template: Template): (Node | string)[] {
  return template.tokens.flatMap((t) => [t.includes("*") ? h("i", oneLine(t, 100)) : oneLine(t, 100), " "]);
}

/** How a share changed, where it did by half or more. */
function change(now: number, before: number): string {
  if (!before) return "";
  const times = now / before;
  return times >= 1.5 ? ` ×${times.toFixed(1)}` : times <= 0.67 ? ` ÷${(1 / times).toFixed(1)}` : "";
}

/** A sample may lack what was there: whatever looks new is counted in the time before. */
async function confirm(rows: Pattern[], scope: Scope, before: Span, then: Sample, signal: AbortSignal): Promise<void> {
  if (then.lines.length >= then.total) return;
  const fresh = rows.filter((r) => r.fresh);
  for (const r of fresh.slice(CHECKED)) r.fresh = false;
  const asked = fresh.slice(0, CHECKED).filter((r) => r.by);
  if (!asked.length) return;
  const filters: Record<string, Dsl> = Object.fromEntries(asked.map((r, i) => [`p${i}`, { filter: r.by?.dsl }]));
  const answer = await search(scope.index, { size: 0, timeout: "5s", track_total_hits: false, query: bounded(scope, before), aggs: filters }, { signal });
  asked.forEach((r, i) => {
    const n = (answer.aggregations?.[`p${i}`] as { doc_count?: number } | undefined)?.doc_count ?? 0;
    r.fresh = n === 0 && !answer.timed_out;
    r.before = n;
  });
}
