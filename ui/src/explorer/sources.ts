// Who writes most: lines and bytes by any field. Lines are counted; bytes are the mean of a sample.

import { bar, fill, h } from "../shared/dom.ts";
import { written } from "../shared/json.ts";
import { bytes, count, percent, whole } from "../shared/format.ts";
import { fieldValue, rowOf, textOf } from "./document.ts";
import type { Changes, RowContext } from "./row.ts";
import { missing } from "./http.ts";
import { keepOrLeave, note, sheet } from "./pieces.ts";
import { atRandom, topValues, type Scope } from "./search.ts";

const SHOWN = 40;
const SAMPLE = 1000;

/** Fills an element with the noisiest values of a field. */
export async function showSources(into: HTMLElement, scope: Scope, context: RowContext & Changes, signal: AbortSignal): Promise<void> {
  const fields = context.fields.list().filter((f) => f.name === context.fields.countable(f.name) && /keyword|ip|boolean|wildcard/.test(f.types[0] ?? "")).map((f) => f.name).slice(0, 300);
  const first = context.fields.sources().map((s) => context.fields.countable(s)).find((s) => s !== undefined);
  const field = context.view.source || (first ?? fields[0] ?? "");
  const choice = h("select", { id: "source", onchange: () => context.changeTab({ source: choice.value }) }, ...[...new Set([field, ...fields])].filter(Boolean).map((f) => h("option", { value: f }, f)));
  choice.value = field;
  const head = h("div.tools", h("label", { for: "source" }, "lines and bytes by"), choice);
  if (!field) return fill(into, h("p.note", "No field of these indices can be counted."));
  fill(into, head, note("counting…"));
  const [top, sampled] = await Promise.all([
    topValues(scope, field, SHOWN, signal),
    atRandom(scope, scope.span, { size: SAMPLE, track_total_hits: false }, { signal, mostBytes: 16e6 }),
  ]);
  if (signal.aborted) return;
  const sizes = new Map<string, { bytes: number; lines: number }>();
  let all = 0;
  for (const hit of sampled.hits.hits) {
    const row = rowOf(hit);
    const size = written(row.source).length;
    const key = textOf(fieldValue(row, field));
    const known = sizes.get(key) ?? { bytes: 0, lines: 0 };
    sizes.set(key, { bytes: known.bytes + size, lines: known.lines + 1 });
    all += size;
  }
  const mean = all / Math.max(1, sampled.hits.hits.length);
  const rows = top.buckets.map((b) => {
    const value = b.key_as_string ?? String(b.key);
    const known = sizes.get(value);
    return { value, lines: b.doc_count, bytes: b.doc_count * (known ? known.bytes / known.lines : mean) };
  }).sort((a, b) => b.bytes - a.bytes);
  const total = top.total * mean;
  fill(into, head,
    note(`${whole(top.total)} lines, about ${bytes(total)}. Bytes are those of the JSON, from ${count(sampled.hits.hits.length)} sampled lines.${top.others ? ` ${count(top.others)} lines have other values.` : ""} ${missing(top.answer)}`),
    sheet(`Lines and bytes by ${field}`, [field, "lines", "bytes", "share of bytes", ""], (i) => i > 0, rows.map((r) =>
      h("tr",
        h("th", { scope: "row" }, h("bdi", r.value || "(empty)")),
        h("td.n", whole(r.lines)),
        h("td.n", `≈ ${bytes(r.bytes)}`),
        h("td.n", percent(Math.min(100, (100 * r.bytes) / Math.max(1, total))), " ", bar(r.bytes / Math.max(1, total), "ok")),
        h("td.do",
          ...keepOrLeave(`of ${r.value}`, (not) => context.narrow(field, r.value, not)))))));
}
