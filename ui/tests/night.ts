// A night on a real node: the demo's lines and an incident in them, in an index with templates on
// several shards, in one of stock's own mapping, and in a data stream.

import { readFileSync } from "node:fs";
import type { APIRequestContext } from "@playwright/test";

export const NIGHT = "logs-night";
export const STOCK = "app-stock";
export const STREAM = "shop-events";
export const SPANS = "otel-v1-apm-span-000001";
const MINUTE = 60_000;
/** The trace of the first failure. */
export const FIRST_TRACE = "0af7651916cd43dd8448eb211c80319c";
/** Failures of the incident, and lines of the service that talks too much. */
export const FAILURES = 60;
export const CHATTER = 600;

type Source = Record<string, unknown>;

/** Everything of one night; written once, its times end now. */
export class Night {
  readonly end = Date.now();
  readonly deploy = this.end - 5 * MINUTE;
  readonly outbreak = this.end - 4 * MINUTE;

  constructor(private readonly request: APIRequestContext, readonly url: string) {}

  /** The part of an address that shows the last twelve minutes of this night, however late it is by now. */
  hash(index: string, more: Record<string, string> = {}): string {
    return `#${new URLSearchParams({ index, from: this.at(-12 * MINUTE), to: this.at(0), ...more })}`;
  }

  at(offset: number): string {
    return new Date(this.end + offset).toISOString();
  }

  /** What the node itself says about a search; throws where it refuses. */
  async ask(index: string, body: Source): Promise<{ hits: { total: { value: number }; hits: { _source: Source }[] }; aggregations: Record<string, never> }> {
    const answer = await this.request.post(`${this.url}/${index}/_search`, { data: { track_total_hits: true, ...body } });
    if (!answer.ok()) throw new Error(`${answer.status()} ${await answer.text()}`);
    return answer.json();
  }

  /** Lines of the last twelve minutes that a query of the search API finds. */
  async count(index: string, query: Source): Promise<number> {
    const range = { range: { "@timestamp": { gte: this.at(-12 * MINUTE), lte: this.at(0) } } };
    return (await this.ask(index, { size: 0, query: { bool: { filter: [range, query] } } })).hits.total.value;
  }

  /** Writes documents and makes them searchable; throws where one of them is refused. */
  async write(index: string, documents: Source[]): Promise<void> {
    for (let i = 0; i < documents.length; i += 1000) {
      const body = documents.slice(i, i + 1000).map((d) => `{"create":{}}\n${JSON.stringify(d)}\n`).join("");
      const answer = await this.request.post(`${this.url}/${index}/_bulk?refresh=true`, { headers: { "content-type": "application/x-ndjson" }, data: body, timeout: 120_000 });
      const text = await answer.text();
      if (!answer.ok() || (JSON.parse(text) as { errors: boolean }).errors) throw new Error(text.slice(0, 1000));
    }
  }

  private async put(path: string, data: Source): Promise<void> {
    const answer = await this.request.put(`${this.url}/${path}`, { data, timeout: 120_000 });
    if (!answer.ok()) throw new Error(`${path}: ${await answer.text()}`);
  }

  /** Removes what an earlier night has left. */
  async forget(): Promise<void> {
    await this.request.delete(`${this.url}/_data_stream/${STREAM}`, { timeout: 120_000 });
    await this.request.delete(`${this.url}/_index_template/${STREAM}`, { timeout: 120_000 });
    await this.request.delete(`${this.url}/${NIGHT},${STOCK},${SPANS}?ignore_unavailable=true`, { timeout: 120_000 });
  }

  async begin(): Promise<void> {
    await this.forget();
    const settings = { number_of_shards: 3, number_of_replicas: 0 };
    const keyword = { type: "keyword" };
    await this.put(NIGHT, { settings, mappings: { properties: {
      "@timestamp": { type: "date" }, message: { type: "log_text", fields: { template_id: { type: "log_template" } } },
      service: keyword, level: keyword, host: keyword, trace_id: keyword, status: { type: "short" }, latency_ms: { type: "float" } } } });
    await this.put(STOCK, { settings: { number_of_shards: 2, number_of_replicas: 0 } });
    await this.put(`_index_template/${STREAM}`, { index_patterns: [`${STREAM}*`], priority: 500, data_stream: {}, template: { settings: { number_of_shards: 2, number_of_replicas: 0 } } });
    await this.put(`_data_stream/${STREAM}`, {});
    await this.put(SPANS, { settings: { number_of_shards: 1, number_of_replicas: 0 }, mappings: { properties: {
      startTime: { type: "date_nanos" }, traceId: keyword, spanId: keyword, parentSpanId: keyword, serviceName: keyword, name: keyword, durationInNanos: { type: "long" } } } });
    const lines = process.env.MILLRACE_LINES ? demoLines(process.env.MILLRACE_LINES) : await this.demoIndex();
    // half of the demo's lines in the ten minutes before now, half a quarter of an hour earlier
    const half = lines.length >> 1;
    const times = (i: number): string => this.at(i < half ? -10 * MINUTE + Math.floor((i / half) * (10 * MINUTE - 2000)) : -26 * MINUTE + Math.floor(((i - half) / half) * 8 * MINUTE));
    const night = lines.map((line, i) => ({ ...line, "@timestamp": times(i) }));
    const before = Array.from({ length: 200 }, (_, i) => this.chatter(i, -26 * MINUTE + i * 2000));
    const after = Array.from({ length: CHATTER }, (_, i) => this.chatter(i, -10 * MINUTE + i * 900));
    await this.write(NIGHT, [...night, ...before, ...after, ...this.incident()]);
    await this.write(STOCK, night.slice(0, 400));
    await this.write(STREAM, night.slice(half - 300, half));
    const at = (offset: number): string => new Date(this.outbreak + offset).toISOString();
    await this.write(SPANS, [
      { traceId: FIRST_TRACE, spanId: "a1", parentSpanId: "", serviceName: "web", name: "POST /checkout", startTime: at(-3100), durationInNanos: 3_200_000_000 },
      { traceId: FIRST_TRACE, spanId: "b2", parentSpanId: "a1", serviceName: "checkout", name: "authorize", startTime: at(-3050), durationInNanos: 3_100_000_000 },
      { traceId: FIRST_TRACE, spanId: "c3", parentSpanId: "b2", serviceName: "gateway", name: "charge", startTime: at(-3000), durationInNanos: 3_000_000_000 },
    ]);
  }

  /** Lines of the demo that `./millrace up --demo` has left on the node. */
  private async demoIndex(): Promise<Source[]> {
    const { hits } = await this.ask("logs-demo", { size: 3000, sort: [{ "@timestamp": "desc" }] });
    return hits.hits.map((hit) => hit._source);
  }

  private chatter(i: number, offset: number): Source {
    return { "@timestamp": this.at(offset), level: "DEBUG", service: "recommender", host: "ip-10-0-0-9", status: 200, latency_ms: 1, message: `cache probe ${i} took ${i % 7} ms: ${"candidate scored ".repeat(30)}` };
  }

  private incident(): Source[] {
    const checkout = { service: "checkout", host: "ip-10-0-0-7" };
    const at = (offset: number): string => new Date(this.outbreak + offset).toISOString();
    return [
      { "@timestamp": new Date(this.deploy).toISOString(), level: "INFO", ...checkout, message: "release 2.4.1 is live" },
      { "@timestamp": at(-20), level: "WARN", ...checkout, trace_id: FIRST_TRACE, message: "no connection left in the pool of the gateway" },
      ...Array.from({ length: FAILURES }, (_, i) => ({
        "@timestamp": at(i * 3500), level: "ERROR", ...checkout, status: 504, latency_ms: 3000 + i, trace_id: i ? `f${String(i).padStart(31, "0")}` : FIRST_TRACE,
        message: `payment ${1000 + i} was not taken: gateway gave no answer within 3000 ms`,
      })),
    ];
  }
}

/** The demo's lines: those of a file, one document a line. */
function demoLines(file: string): Source[] {
  return readFileSync(file, "utf8").trim().split("\n").map((line) => JSON.parse(line) as Source);
}
