// Lines over time as bars, grouped by a field on demand; or the p50 and p99 of a number.

import type { Bucket, Answer, Scope } from "./search.ts";
import { bounded, search } from "./search.ts";
import { step, type Span } from "./view.ts";

export interface Series {
  name: string;
  /** One value a bar; null where there is none. */
  values: (number | null)[];
}

export interface Timeline {
  /** Beginning of each bar, milliseconds. */
  times: number[];
  step: number;
  series: Series[];
  total: number;
  exact: boolean;
  answer: Answer;
}

export const MOST_BARS = 90;
const GROUPS = 6;
/** The series of lines in no group that is shown. */
export const OTHERS = "others and none";

/** What to ask for. */
export function timelineBody(scope: Scope, span: Span, group: string | undefined, number: string | undefined): Record<string, unknown> {
  const width = step(span, MOST_BARS);
  const bars = (inner?: Record<string, unknown>): Record<string, unknown> => ({
    date_histogram: { field: scope.time?.name, fixed_interval: `${width}ms`, min_doc_count: 1 },
    ...(inner ? { aggs: inner } : {}),
  });
  const aggs = number
    ? { bars: bars({ quantiles: { percentiles: { field: number, percents: [50, 99] } } }) }
    : { bars: bars(), ...(group ? { groups: { terms: { field: group, size: GROUPS }, aggs: { bars: bars() } } } : {}) };
  return { size: 0, track_total_hits: true, query: bounded(scope, span), aggs };
}

/** Asks for a timeline. */
export async function timeline(scope: Scope, span: Span, group: string | undefined, number: string | undefined, signal: AbortSignal): Promise<Timeline> {
  const answer = await search(scope.index, timelineBody(scope, span, group, number), { signal });
  const width = step(span, MOST_BARS);
  const first = Math.floor(span.from / width) * width;
  const times: number[] = [];
  for (let t = first; t <= span.to && times.length <= MOST_BARS + 1; t += width) times.push(t);
  const spread = (buckets: Bucket[], value: (b: Bucket) => number | null, empty: number | null): (number | null)[] => {
    const values = times.map(() => empty);
    for (const bucket of buckets) {
      const i = Math.round((Number(bucket.key) - first) / width);
      if (i >= 0 && i < values.length) values[i] = value(bucket);
    }
    return values;
  };
  const all = ((answer.aggregations?.bars as { buckets: Bucket[] } | undefined)?.buckets) ?? [];
  const total = answer.hits.total?.value ?? 0;
  const made = { times, step: width, total, exact: answer.hits.total?.relation !== "gte" && !answer.timed_out, answer };
  if (number) {
    const quantile = (percent: string) => spread(all, (b) => (b.quantiles as { values: Record<string, number | null> }).values[percent] ?? null, null);
    return { ...made, series: [{ name: `p50 of ${number}`, values: quantile("50.0") }, { name: `p99 of ${number}`, values: quantile("99.0") }] };
  }
  const count = (b: Bucket): number => b.doc_count;
  const whole = spread(all, count, 0);
  const groups = (answer.aggregations?.groups as { buckets: Bucket[] } | undefined)?.buckets;
  if (!groups) return { ...made, series: [{ name: "lines", values: whole }] };
  const series: Series[] = groups.map((g) => ({ name: g.key_as_string ?? String(g.key), values: spread((g.bars as { buckets: Bucket[] }).buckets, count, 0) }));
  const rest = whole.map((n, i) => Math.max(0, (n ?? 0) - series.reduce((sum, s) => sum + (s.values[i] ?? 0), 0)));
  if (rest.some((n) => n > 0)) series.push({ name: OTHERS, values: rest });
  return { ...made, series };
}
