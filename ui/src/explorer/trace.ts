// Everything that carries one trace id: spans as a waterfall, log lines at their place in it.

import { fill, h } from "../shared/dom.ts";
import { millis } from "../shared/format.ts";
import { fieldValue, levelOf, messageOf, oneLine, rowOf, textOf, type Row } from "./document.ts";
import { forbidden, missing } from "./http.ts";
import { note, tint } from "./pieces.ts";
import type { RowContext } from "./row.ts";
import { search, type Answer, type Scope } from "./search.ts";
import { stamp } from "./view.ts";

const MOST = 1000;
/** Where spans usually are, beside the indices that are looked at. */
const SPAN_INDICES = "otel-v1-apm-span-*,traces-*,jaeger-span-*,sw_*";
const TRACE = ["traceId", "trace_id", "trace.id", "traceID", "TraceId"];
const SPAN = ["spanId", "span_id", "span.id", "spanID"];
const PARENT = ["parentSpanId", "parent_span_id", "parent.id", "parent_id"];
const START = ["startTime", "start_time", "startTimeMillis", "@timestamp", "time", "timestamp"];
const END = ["endTime", "end_time"];
const SERVICE = ["serviceName", "service.name", "service", "process.serviceName", "resource.attributes.service.name"];
const NAME = ["name", "operationName", "span.name", "operation"];
/** Names of durations, and how many milliseconds one of theirs is. */
const LENGTH: [string, number][] = [["durationInNanos", 1e-6], ["duration_nano", 1e-6], ["duration_ms", 1], ["durationMs", 1], ["latency_ms", 1], ["span.duration.us", 1e-3], ["duration", 1e-3]];

interface Piece {
  row: Row;
  start: number;
  /** Milliseconds; 0 for a log line. */
  length: number;
  isSpan: boolean;
  id: string;
  parent: string;
  depth: number;
}

function first(row: Row, names: string[]): string {
  for (const name of names) {
    const text = textOf(fieldValue(row, name));
    if (text) return text;
  }
  return "";
}

function timeOf(text: string): number {
  const n = Number(text);
  if (!text || Number.isNaN(n)) return Date.parse(text);
  // seconds, milliseconds, microseconds or nanoseconds since 1970
  return n > 1e17 ? n / 1e6 : n > 1e14 ? n / 1e3 : n > 1e11 ? n : n * 1e3;
}

function pieceOf(row: Row, timeField: string | undefined): Piece {
  const start = timeOf(first(row, [...(timeField ? [timeField] : []), ...START]));
  const id = first(row, SPAN);
  const end = timeOf(first(row, END));
  const given = LENGTH.map(([name, scale]) => Number(textOf(fieldValue(row, name)) || NaN) * scale).find((v) => !Number.isNaN(v));
  const from = first(row, ["startTime", "start_time"]) ? timeOf(first(row, ["startTime", "start_time"])) : start;
  const length = Number.isNaN(end) ? (given ?? 0) : end - from;
  const isSpan = id !== "" && first(row, NAME) !== "" && (given !== undefined || !Number.isNaN(end));
  return { row, start: isSpan ? from : start, length: isSpan ? Math.max(0, length) : 0, isSpan, id, parent: first(row, PARENT), depth: 0 };
}

/** Parents before children, each with its depth; lines below the span they belong to. */
function ordered(pieces: Piece[]): Piece[] {
  const spans = new Set(pieces.filter((p) => p.isSpan).map((p) => p.id));
  const children = new Map<string, Piece[]>();
  for (const piece of pieces) {
    const above = piece.isSpan ? piece.parent : piece.id;
    const key = spans.has(above) && above !== (piece.isSpan ? piece.id : "") ? above : "";
    children.set(key, [...(children.get(key) ?? []), piece]);
  }
  const out: Piece[] = [];
  const seen = new Set<Piece>();
  const walk = (key: string, depth: number): void => {
    for (const piece of (children.get(key) ?? []).sort((a, b) => a.start - b.start)) {
      if (seen.has(piece) || depth > 40) continue;
      seen.add(piece);
      piece.depth = depth;
      out.push(piece);
      if (piece.isSpan) walk(piece.id, depth + 1);
    }
  };
  walk("", 0);
  // spans whose parents go round in a circle still stand somewhere
  for (const piece of pieces) if (!seen.has(piece)) out.push(piece);
  return out;
}

/** Fills an element with a trace. */
export async function showTrace(into: HTMLElement, id: string, scope: Scope, context: RowContext, signal: AbortSignal, back: () => void): Promise<void> {
  const known = context.fields.trace();
  const names = [...new Set([...(known ? [known] : []), ...TRACE])];
  const input = h("input", { type: "text", size: 36, value: id, "aria-label": "Trace id", onchange: () => context.openTrace(input.value.trim()) });
  const head = h("div.tools",
    h("button", { onclick: back }, "← Lines"), h("label", "trace ", input),
    known && id ? h("button", { onclick: () => context.narrow(known, id, false) }, "Its lines in the list") : null);
  if (!id) return fill(into, head, h("p.note", "Open a line that has a trace id, or type one."));
  fill(into, head, note("looking for the trace…"));
  const ask = (index: string): Promise<Answer> => search(index, {
    size: MOST, track_total_hits: true,
    query: { bool: { filter: [{ bool: { should: names.map((n) => ({ match_phrase: { [n]: id } })), minimum_should_match: 1 } }] } },
  }, { signal });
  let alone = "";
  const answer = await ask(`${scope.index},${SPAN_INDICES}`).catch((e) => {
    if (!forbidden(e)) throw e;
    alone = ` You may not read the indices of spans (${SPAN_INDICES}).`;
    return ask(scope.index);
  });
  if (signal.aborted) return;
  const pieces = answer.hits.hits.map((hit) => pieceOf(rowOf(hit), scope.time?.name)).filter((p) => !Number.isNaN(p.start));
  const total = answer.hits.total?.value ?? pieces.length;
  if (!pieces.length) return fill(into, head, note(`Nothing carries the trace id ${id}. ${missing(answer)}${alone}`));
  const from = Math.min(...pieces.map((p) => p.start));
  const to = Math.max(...pieces.map((p) => p.start + p.length), from + 0.001);
  const spans = pieces.filter((p) => p.isSpan).length;
  const services = new Map([...new Set(pieces.map((p) => first(p.row, SERVICE)))].map((s, i) => [s, i % 7]));
  fill(into, head,
    note(`${spans} spans and ${pieces.length - spans} lines in ${millis(to - from)} from ${stamp(from, context.utc)}${total > pieces.length ? `; the first ${pieces.length} of ${total}` : ""}. ${missing(answer)}${alone}`),
    h("ol.waterfall", ...ordered(pieces).map((p) => {
      const service = first(p.row, SERVICE);
      const text = p.isSpan ? first(p.row, NAME) : oneLine(messageOf(p.row, context.fields.message()), 300);
      const level = context.fields.level();
      const shape = tint(h(p.isSpan ? "span.span" : "span.dot"), p.isSpan ? `c${services.get(service)}` : levelOf(level ? fieldValue(p.row, level) : "") || "rest");
      shape.style.left = `${(100 * (p.start - from)) / (to - from)}%`;
      if (p.isSpan) shape.style.width = `${Math.max(0.3, (100 * p.length) / (to - from))}%`;
      const label = h("span.what", h("b", service), " ", h("bdi", text));
      label.style.paddingLeft = `${p.depth * 14}px`;
      return h("li", label, h("span.track", shape), h("span.n.muted", p.isSpan ? millis(p.length) : `+${millis(p.start - from)}`));
    })));
}
