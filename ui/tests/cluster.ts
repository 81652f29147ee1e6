// A cluster that exists only as answers, so that a test says exactly what the page gets: nodes that
// come and go, a thousand indices, alarms. Counters grow with every round as a real node's would.

import { readFileSync } from "node:fs";
import type { Page, Route } from "@playwright/test";

const PAGE = readFileSync(
  new URL("../../observe/src/main/resources/io/millrace/observe/dashboard/index.html", import.meta.url),
  "utf8",
);
export const ORIGIN = "http://127.0.0.1:9";

export interface Shape {
  nodes: string[];
  indices?: number;
  firing?: string[];
  /** Reports that answer 404, as on a node whose feature is missing. */
  missing?: string[];
  /** Nothing answers at all. */
  dead?: boolean;
  indexName?: (i: number) => string;
  features?: Record<string, unknown>;
  /** What millrace doctor published; without it no index is there. */
  doctor?: unknown;
}

export class FakeCluster {
  round = 0;
  /** Requests that wait for their answer. */
  pending = 0;
  requests: string[] = [];

  constructor(public shape: Shape) {}

  async open(page: Page): Promise<void> {
    await page.route("**/*", (route) => this.answer(route));
    await page.goto(`${ORIGIN}/_millrace/`);
  }

  private async answer(route: Route): Promise<void> {
    this.pending++;
    try {
      await this.fulfil(route);
    } finally {
      this.pending--;
    }
  }

  private async fulfil(route: Route): Promise<void> {
    const url = new URL(route.request().url());
    this.requests.push(url.href);
    if (url.pathname === "/_millrace/" && route.request().isNavigationRequest()) {
      return route.fulfill({ contentType: "text/html; charset=UTF-8", body: PAGE });
    }
    if (this.shape.dead) return route.abort("connectionrefused");
    const name = url.pathname.split("/").pop() ?? "";
    if (this.shape.missing?.includes(name)) {
      // as a real 404 would, a missing report shows in the browser's console; 204 does not
      return route.fulfill({ status: 200, contentType: "application/json", body: "{\"nodes\":{}}" });
    }
    const body = this.body(url);
    return body === undefined ? route.abort() : route.fulfill({ json: body });
  }

  private body(url: URL): unknown {
    switch (url.pathname) {
      case "/_cluster/health":
        return {
          cluster_name: "harbour", status: this.shape.nodes.length > 1 ? "green" : "yellow",
          number_of_nodes: this.shape.nodes.length, number_of_data_nodes: this.shape.nodes.length,
          active_primary_shards: 3, unassigned_shards: 0, initializing_shards: 0, relocating_shards: 0,
          number_of_pending_tasks: 0, discovered_cluster_manager: true,
        };
      case "/_nodes/stats/indices,os,jvm,thread_pool,fs,breaker,indexing_pressure":
        this.round++;
        return this.each((name, i) => this.stats(name, i));
      case "/_nodes/stats/indices/segments":
        return this.each(() => ({
          indices: { segments: { file_sizes: Object.fromEntries(
            Object.entries({ fdt: 4e9, dvd: 2e9, tim: 8e8, doc: 6e8, pos: 1.5e9, kdd: 4e8, nvd: 1e7, mlz: 3e8 })
              .map(([type, size_in_bytes]) => [type, { size_in_bytes }])) } },
        }));
      case "/_millrace/gc":
        return this.each((name, i) => ({
          name, gc: { collectors: { "ZGC Cycles": { collection_count: 1, collection_time_in_millis: 1 } } },
          pauses: { count: this.round * 3, total_in_micros: this.round * 4000 * (i + 1), max_in_micros: 61_000, p99_in_micros: 40_000 },
          allocation_stalls: { count: this.shape.firing?.includes("allocation_stalls") ? this.round * 7 : 0, total_in_micros: 0 },
          full_collections: 0,
          heap: { max_in_bytes: 4e9, used_in_bytes: 2.4e9, after_gc_in_bytes: 1.1e9 + i * 5e8 },
          rates: { allocated_in_bytes: this.round * 9e8, promoted_in_bytes: this.round * 1e7 },
        }));
      case "/_millrace/freshness":
        return this.each((name) => ({ name, indices_total: this.indexNames(1e6).length, indices_late: this.shape.firing?.includes("refresh_lag") ? 1 : 0,
          indices_shown: this.indexNames(50).length, indices: Object.fromEntries(this.indexNames(50).map((index, i) => [index, {
          profile: i % 2 ? "logs" : "search", target_in_millis: i % 4 === 1 ? 30_000 : 5000,
          target_setting: ["index.millrace.profile", "index.refresh_interval", "index.millrace.profile", "index.millrace.freshness"][i % 4], late: i === 0 && !!this.shape.firing?.includes("refresh_lag"),
          search_idle: false, waiting_in_millis: i === 0 ? 2600 : 400 + i, last_wait_in_millis: 900,
          waits: { count: 12, p99_in_micros: 1_400_000 } }])) }));
      case "/_millrace/alarms":
        return this.each((name, i) => ({ name, alarms: Object.fromEntries(
          [["allocation_stalls", "critical", "Threads wait for ZGC to free memory", "Raise the heap or ConcGCThreads, or take load off the node; see GET /_millrace/gc"],
            ["rejected_writes", "critical", "Writes are refused", "Clients must retry with a pause; look for hot shards, merges that hold back, slow disks"],
            ["refresh_lag", "warning", "Writes are not searchable in time", "Look at merges and refreshes of the index"]]
            .map(([alarm, severity, what, action]) => [alarm as string, {
              firing: !!this.shape.firing?.includes(alarm as string) && i === 0, severity, value: 241, threshold: 1,
              since_in_millis: Date.UTC(2026, 10, 21, 5, 12), what, action }])) }));
      case "/_millrace/stats":
        return { cluster_name: "harbour", warnings: [], ...this.each((name) => ({ name, version: "3.8.0.1", features: {
          "write.fast-engine": { on: true, metrics: {
            documents: { unit: "documents", kind: "counter", value: this.round * 100_000 },
            queue: { unit: "documents", kind: "gauge", merge: "max", samples: [{ labels: { index: "a" }, value: 40 }, { labels: { index: "b" }, value: 70 }] },
            fallbacks: { unit: "documents", kind: "counter", samples: [{ labels: { reason: "mapping" }, value: 3 }] } } },
          "storage.columnar-source": { on: false, metrics: {} },
          ...this.shape.features,
        } })) };
      case "/_millrace/shards":
        return this.each((name, i) => ({ name, shards_total: this.indexNames(1e6).length, over_seconds: 5,
          shards: this.indexNames(10).map((index, s) => ({ index, shard: i, primary: i === 0, size_in_bytes: 7e9 / (s + 1),
            indexed_per_second: 9000 / (s + 1), index_millis_per_second: 320 / (s + 1), queries_per_second: s, query_millis_per_second: 2 * s })),
          indices: this.indexNames(10).map((index, s) => ({ index, indexed_per_second: 9000 / (s + 1), index_millis_per_second: 320 / (s + 1),
            queries_per_second: s, query_millis_per_second: 2 * s })) }));
      case "/.millrace-doctor/_search":
        return { hits: { hits: this.shape.doctor === undefined ? [] : [{ _id: "latest", _source: this.shape.doctor }] } };
      case "/_tasks":
        return { tasks: [
          { node: `id-${this.shape.nodes[0]}`, id: 4711, action: "indices:data/read/search", running_time_in_nanos: 12.4e9, cancelled: true,
            description: "indices[logs-*], search_type[QUERY_THEN_FETCH], source[{\"query\":{\"wildcard\":{\"message\":\"*timeout*\"}}}]" },
          { node: `id-${this.shape.nodes[0]}`, id: 4712, action: "indices:data/write/bulk", running_time_in_nanos: 2e6, description: "fast" }] };
      default:
        return undefined;
    }
  }

  private indexNames(most: number): string[] {
    const name = this.shape.indexName ?? ((i: number) => `logs-${["checkout", "payments", "search", "mail", "edge"][i % 5]}-${String(i).padStart(4, "0")}`);
    return Array.from({ length: Math.min(this.shape.indices ?? 6, most) }, (_, i) => name(i));
  }

  private each<T>(report: (name: string, i: number) => T): { nodes: Record<string, T> } {
    return { nodes: Object.fromEntries(this.shape.nodes.map((name, i) => [`id-${name}`, report(name, i)])) };
  }

  private stats(name: string, i: number): unknown {
    const wave = 1 + 0.25 * Math.sin(this.round / 6 + i);
    const busy = this.round * 5 * 11_000 * wave;
    return {
      name,
      indices: {
        docs: { count: 48_000_000 + busy }, store: { size_in_bytes: 9.6e9 },
        indexing: { index_total: 1e6 + this.round * (62_000 + 9000 * i) + 30_000 * Math.sin(this.round / 3 + i), index_time_in_millis: this.round * 900, index_failed: 0, throttle_time_in_millis: 0 },
        search: { query_total: this.round * 60 + 40 * Math.sin(this.round / 4 + i), query_time_in_millis: this.round * 300, fetch_time_in_millis: this.round * 20 },
        refresh: { external_total: this.round }, merges: { current: 2, current_size_in_bytes: 3e8, total_size_in_bytes: this.round * 2.2e8, total_time_in_millis: this.round * 300 },
        segments: { count: 118 + i * 9 + (this.round % 7) }, translog: { uncommitted_size_in_bytes: 1e8 },
        query_cache: { hit_count: this.round * 80, miss_count: this.round * 20 }, request_cache: { hit_count: 0, miss_count: 0 }, fielddata: {},
      },
      os: { cpu: { percent: 38 + 7 * i } },
      jvm: { uptime_in_millis: 9e6, mem: { heap_used_in_bytes: 2.4e9, heap_max_in_bytes: 4e9 } },
      thread_pool: {
        write: { active: 2, queue: 14, rejected: this.shape.firing?.includes("rejected_writes") ? this.round * 40 : 0 },
        search: { active: 0, queue: 0, rejected: 0 }, index_searcher: { rejected: 0 },
      },
      fs: { total: { total_in_bytes: 1e12, available_in_bytes: 4.1e11 - i * 1e11 } },
      breakers: { parent: { limit_size_in_bytes: 3.8e9, estimated_size_in_bytes: 2.4e9, tripped: 0 }, request: { limit_size_in_bytes: 2.4e9, estimated_size_in_bytes: 1e7, tripped: 0 } },
      indexing_pressure: { memory: { current: { all_in_bytes: 4.2e7 }, total: { coordinating_rejections: 0, primary_rejections: 0, replica_rejections: 0 }, limit_in_bytes: 4e8 } },
    };
  }
}
