// What the page asks the node that served it. Addresses are relative to /_millrace/, so that a proxy
// may put a path in front. Every request has a limit of its own and fails by itself: a panel then
// shows what it had, or nothing.

import { at, num, type Json } from "../shared/json.ts";

export { at, num, type Json };

export interface NodesAnswer<T> {
  cluster_name?: string;
  warnings?: string[];
  nodes: Record<string, T>;
}

export interface Collector {
  collection_count: number;
  collection_time_in_millis: number;
}

export interface GcReport {
  name: string;
  gc: { collectors: Record<string, Collector> };
  pauses: { count: number; total_in_micros: number; max_in_micros: number; p99_in_micros: number };
  allocation_stalls: { count: number; total_in_micros: number };
  full_collections: number;
  heap: { max_in_bytes: number; used_in_bytes: number; after_gc_in_bytes: number };
  rates: { allocated_in_bytes: number; promoted_in_bytes: number };
}

export interface IndexFreshness {
  profile: string;
  target_in_millis: number;
  target_setting: string;
  late: boolean;
  search_idle: boolean;
  waiting_in_millis: number;
  last_wait_in_millis: number;
  waits: { count: number; p99_in_micros: number };
}

export interface AlarmReport {
  firing: boolean;
  severity: "warning" | "critical";
  value: number;
  threshold: number;
  since_in_millis?: number;
  what: string;
  action: string;
}

export interface MetricReport {
  unit: string;
  kind: "counter" | "gauge";
  value?: number;
  samples?: { labels: Record<string, string>; value: number }[];
  /** How nodes and labels make one number; the sum where it is missing. */
  merge?: "max";
}

export interface FeatureReport {
  on: boolean;
  metrics: Record<string, MetricReport>;
}

export interface Busy {
  index: string;
  shard?: number;
  primary?: boolean;
  size_in_bytes?: number;
  indexed_per_second: number;
  index_millis_per_second: number;
  queries_per_second: number;
  query_millis_per_second: number;
}

export interface ShardReport {
  name: string;
  shards_total: number;
  over_seconds: number;
  shards: Busy[];
  indices: Busy[];
}

export interface Task {
  node: string;
  id: number;
  action: string;
  description?: string;
  running_time_in_nanos: number;
  cancelled?: boolean;
  parent_task_id?: string;
}

export interface Health {
  cluster_name: string;
  status: "green" | "yellow" | "red";
  number_of_nodes: number;
  number_of_data_nodes: number;
  active_primary_shards: number;
  unassigned_shards: number;
  initializing_shards: number;
  relocating_shards: number;
  number_of_pending_tasks: number;
  discovered_cluster_manager?: boolean;
}

/** One round of answers; what failed is undefined. */
export interface Answers {
  at: number;
  health?: Health;
  nodes?: NodesAnswer<Json>;
  gc?: NodesAnswer<GcReport>;
  freshness?: NodesAnswer<{
    name: string;
    indices_total: number;
    indices_late: number;
    indices_shown: number;
    indices: Record<string, IndexFreshness>;
  }>;
  alarms?: NodesAnswer<{ name: string; alarms: Record<string, AlarmReport> }>;
  stats?: NodesAnswer<{ name: string; version: string; features: Record<string, FeatureReport> }>;
  shards?: NodesAnswer<ShardReport>;
  tasks?: { tasks?: Task[] };
}

export interface DoctorCalls {
  calls?: { method: string; path: string; body?: string | null }[];
  calls_total?: number;
  config?: string | null;
  advice?: string | null;
}

/** What `millrace doctor --publish` keeps in the cluster. */
export interface DoctorReport {
  taken: string;
  checks: number;
  counts: string;
  findings: {
    check: string;
    severity: "error" | "warn" | "info";
    title: string;
    what: string;
    why: string;
    source: string;
    effect: string;
    subjects?: string[];
    subjects_total?: number;
    evidence?: { path: string; value: string }[];
    fix?: DoctorCalls;
    undo?: DoctorCalls;
  }[];
}

const NODE_STATS =
  "../_nodes/stats/indices,os,jvm,thread_pool,fs,breaker,indexing_pressure?timeout=3s&filter_path=" +
  [
    "name",
    "indices.docs.count",
    "indices.store.size_in_bytes",
    "indices.indexing.index_total",
    "indices.indexing.index_time_in_millis",
    "indices.indexing.index_failed",
    "indices.indexing.throttle_time_in_millis",
    "indices.search.query_total",
    "indices.search.query_time_in_millis",
    "indices.search.fetch_time_in_millis",
    "indices.refresh.external_total",
    "indices.merges.current*",
    "indices.merges.total_size_in_bytes",
    "indices.merges.total_time_in_millis",
    "indices.segments.count",
    "indices.query_cache",
    "indices.request_cache",
    "indices.fielddata",
    "indices.translog.uncommitted_size_in_bytes",
    "os.cpu.percent",
    "jvm.uptime_in_millis",
    "jvm.mem.heap_*_in_bytes",
    "thread_pool.write",
    "thread_pool.search",
    "thread_pool.index_searcher",
    "fs.total",
    "breakers.*.*_in_bytes",
    "breakers.*.tripped",
    "indexing_pressure.memory",
  ]
    .map((path) => `nodes.*.${path}`)
    .join(",");

const FILE_SIZES =
  "../_nodes/stats/indices/segments?include_segment_file_sizes=true&timeout=10s" +
  "&filter_path=nodes.*.indices.segments.file_sizes";

/** A search, because asking for a document of an index that is not there is an error in the browser's console. */
const DOCTOR = "../.millrace-doctor/_search?ignore_unavailable=true&allow_no_indices=true&size=1";

const TASKS =
  "../_tasks?detailed=true&group_by=none&timeout=3s&actions=" +
  [
    "indices:data/read/search",
    "indices:data/read/scroll",
    "indices:data/read/msearch",
    "indices:data/write/bulk",
    "indices:data/write/reindex",
    "indices:data/write/update/byquery",
    "indices:data/write/delete/byquery",
    "indices:admin/forcemerge",
  ].join(",") +
  "&filter_path=tasks.node,tasks.id,tasks.action,tasks.description,tasks.running_time_in_nanos,tasks.cancelled,tasks.parent_task_id";

async function get<T>(path: string, limitMillis: number): Promise<T | undefined> {
  try {
    const answer = await fetch(path, {
      signal: AbortSignal.timeout(limitMillis),
      headers: { accept: "application/json" },
      cache: "no-store",
    });
    return answer.ok ? ((await answer.json()) as T) : undefined;
  } catch {
    return undefined;
  }
}

/** Asks everything once, side by side. */
export async function ask(): Promise<Answers> {
  const [health, nodes, gc, freshness, alarms, stats, shards, tasks] = await Promise.all([
    get<Health>("../_cluster/health?local=true&timeout=1s", 4500),
    get<NodesAnswer<Json>>(NODE_STATS, 4500),
    get<NonNullable<Answers["gc"]>>("gc?timeout=3s", 4500),
    get<NonNullable<Answers["freshness"]>>("freshness?timeout=3s", 4500),
    get<NonNullable<Answers["alarms"]>>("alarms?timeout=3s", 4500),
    get<NonNullable<Answers["stats"]>>("stats?timeout=3s", 4500),
    get<NonNullable<Answers["shards"]>>("shards?timeout=3s", 4500),
    get<NonNullable<Answers["tasks"]>>(TASKS, 4500),
  ]);
  return { at: Date.now(), health, nodes, gc, freshness, alarms, stats, shards, tasks };
}

/** Bytes by file type over the whole cluster; costs the nodes more, so it is asked seldom. */
export async function askFileSizes(): Promise<Map<string, number> | undefined> {
  const answer = await get<NodesAnswer<Json>>(FILE_SIZES, 15_000);
  if (!answer) return undefined;
  const sizes = new Map<string, number>();
  for (const node of Object.values(answer.nodes ?? {})) {
    const files = at(node, "indices", "segments", "file_sizes");
    if (files && typeof files === "object" && !Array.isArray(files)) {
      for (const type of Object.keys(files)) {
        sizes.set(type, (sizes.get(type) ?? 0) + num(files, type, "size_in_bytes"));
      }
    }
  }
  return sizes;
}

/** The report that was published last; null when none was, undefined when the cluster does not say. */
export async function askDoctor(): Promise<DoctorReport | null | undefined> {
  const answer = await get<{ hits?: { hits?: { _source?: DoctorReport }[] } }>(DOCTOR, 15_000);
  if (!answer?.hits?.hits) return undefined;
  const report = answer.hits.hits[0]?._source;
  return Array.isArray(report?.findings) ? report : null;
}
