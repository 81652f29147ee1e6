// The patterns of the lines of a time: from a random sample where there are many, beside the same
// length of time before, so that what is new stands out.

import { bar, fill, h } from "../shared/dom.ts";
import { count, percent } from "../shared/format.ts";
import { messageOf, oneLine, rowOf } from "./document.ts";
import type { Dsl } from "./dsl.ts";
import { missing } from "./http.ts";
import { clause } from "./query.ts";
import type { RowContext } from "./row.ts";
import { bounded, search, type Scope } from "./search.ts";
import { matching, phrases, templates, type Template } from "./templates.ts";
import { duration } from "./chart.ts";
import type { Span } from "./view.ts";

const SAMPLE = 2000;
const SHOWN = 50;
/** Patterns that look new are asked for once more, exactly. */
const CHECKED = 15;

interface Sample {
  lines: string[];
  total: number;
  note: string;
}

/** A random sample of the lines of a time; all of them where they are few. */
async function sample(scope: Scope, span: Span | undefined, context: RowContext, signal: AbortSignal): Promise<Sample> {
  const field = context.fields.message();
  const answer = await search(scope.index, {
    size: SAMPLE, timeout: "10s", track_total_hits: true,
    ...(field ? { _source: [field.replace(/\.keyword$/, "")] } : {}),
    query: { function_score: { query: bounded(scope, span), random_score: { seed: 7, field: "_seq_no" }, boost_mode: "replace" } },
  }, { signal });
  return { lines: answer.hits.hits.map((hit) => messageOf(rowOf(hit, false), field)), total: answer.hits.total?.value ?? 0, note: missing(answer) };
}

/** Fills an element with the patterns of a scope. */
export async function showPatterns(into: HTMLElement, scope: Scope, context: RowContext & { change(c: { query?: string; tab?: "lines" }): void }, signal: AbortSignal): Promise<void> {
  fill(into, h("p", { class: "note", role: "status" }, "reading a sample…"));
  const { span } = scope;
  const before = span ? { from: span.from - (span.to - span.from), to: span.from - 1 } : undefined;
  const [now, then] = await Promise.all([
    sample(scope, span, context, signal),
    before ? sample(scope, before, context, signal) : undefined,
  ]);
  if (signal.aborted) return;
  const found = templates(now.lines);
  const old = then ? templates(then.lines) : [];
  const rows = found.slice(0, 300).map((template) => {
    const share = template.lines / Math.max(1, now.lines.length);
    const shareBefore = then?.lines.length ? matching(template, old) / then.lines.length : 0;
    return { template, share, lines: share * now.total, before: shareBefore * (then?.total ?? 0), fresh: !!then?.total && shareBefore === 0 };
  });
  const field = context.fields.message();
  if (before && then && field) await confirm(rows, scope, before, field, then, signal);
  rows.sort((a, b) => Number(b.fresh) - Number(a.fresh) || b.lines - a.lines);
  const exact = now.lines.length >= now.total && (!then || then.lines.length >= then.total);
  const about = (n: number, whole: Sample): string => (whole.lines.length >= whole.total ? "" : n ? "≈ " : "") + count(Math.round(n));
  const narrow = (template: Template, not: boolean): void => {
    const parts = phrases(template);
    if (!parts.length || !field) return;
    const all = parts.map((p) => clause(field, p)).join(" ");
    const { query } = context.view;
    const addition = not ? (parts.length > 1 ? `-(${all})` : `-${all}`) : all;
    context.change({ query: /(^|\s)(OR|\|\|)(\s|$)/.test(query) ? `(${query}) ${addition}` : `${query} ${addition}`.trim(), ...(not ? {} : { tab: "lines" as const }) });
  };
  fill(into,
    h("p", { class: "note", role: "status" },
      `${count(found.length)} patterns in ${count(now.lines.length)} of ${now.total.toLocaleString("en-GB")} lines` +
      (exact ? "." : `, a random sample: counts are estimates, and a pattern of fewer than about ${count(Math.ceil((3 * now.total) / SAMPLE))} lines may be missing.`) +
      (before && then ? ` Before: the ${duration(before.to - before.from)} before, ${then.total.toLocaleString("en-GB")} lines.` : "") + ` ${now.note}`),
    h("table", { class: "patterns" },
      h("caption", { class: "sr" }, "Patterns of the lines, new ones first"),
      h("thead", {}, h("tr", {}, ...["lines", "share", before ? "before" : "", "pattern", ""].map((t, i) => h("th", { scope: "col", class: i < 3 ? "n" : undefined }, t || h("span", { class: "sr" }, i === 4 ? "actions" : "–"))))),
      h("tbody", {}, ...rows.slice(0, SHOWN).map((r) => h("tr", {},
        h("td", { class: "n" }, about(r.lines, now)),
        h("td", { class: "n" }, percent(100 * r.share), " ", bar(r.share, "ok")),
        h("td", { class: "n" }, r.fresh ? h("span", { class: "pill", "data-state": "warning" }, "new") : then ? about(r.before, then) : "", r.fresh || !then?.total ? null : h("span", { class: "muted" }, change(r.lines / Math.max(1, now.total), r.before / then.total))),
        h("td", { class: "pattern", title: oneLine(r.template.example, 400) }, h("bdi", {}, ...shown(r.template))),
        h("td", { class: "do" },
          h("button", { type: "button", class: "small", "aria-label": "Only lines of this pattern", title: "Only lines of this pattern", onclick: () => narrow(r.template, false) }, "+"),
          h("button", { type: "button", class: "small", "aria-label": "No lines of this pattern", title: "No lines of this pattern", onclick: () => narrow(r.template, true) }, "−")))))));
}

function shown(template: Template): (Node | string)[] {
  return template.tokens.flatMap((t) => [t.includes("*") ? h("i", {}, oneLine(t, 100)) : oneLine(t, 100), " "]);
}

/** How a share changed, where it did by half or more. */
function change(now: number, before: number): string {
  if (!before) return "";
  const times = now / before;
  return times >= 1.5 ? ` ×${times.toFixed(1)}` : times <= 0.67 ? ` ÷${(1 / times).toFixed(1)}` : "";
}

/** A sample may lack what was there: whatever looks new is counted in the time before. */
async function confirm(rows: { template: Template; fresh: boolean; before: number }[], scope: Scope, before: Span, field: string, then: Sample, signal: AbortSignal): Promise<void> {
  if (then.lines.length >= then.total) return;
  const fresh = rows.filter((r) => r.fresh);
  for (const r of fresh.slice(CHECKED)) r.fresh = false;
  const asked = fresh.slice(0, CHECKED).filter((r) => phrases(r.template).length);
  if (!asked.length) return;
  const filters: Record<string, Dsl> = Object.fromEntries(asked.map((r, i) => [`p${i}`, { filter: { bool: { filter: phrases(r.template).map((p) => ({ match_phrase: { [field]: p } })) } } }]));
  const answer = await search(scope.index, { size: 0, timeout: "5s", track_total_hits: false, query: bounded(scope, before), aggs: filters }, { signal });
  asked.forEach((r, i) => {
    const n = (answer.aggregations?.[`p${i}`] as { doc_count?: number } | undefined)?.doc_count ?? 0;
    r.fresh = n === 0 && !answer.timed_out;
    r.before = n;
  });
}
