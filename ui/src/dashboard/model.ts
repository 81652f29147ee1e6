// What the plots draw: figures of every node over time. Counters become rates between two answers that
// hold them, however many rounds lie between (an answer may fail while others come); a counter that fell
// (its node restarted) gives a gap, not a mountain.

import { at, num, type Answers, type FeatureReport, type Json, type MetricReport } from "./api.ts";

/** How many rounds are kept: 15 minutes of one each five seconds. */
export const ROUNDS = 180;

/** Milliseconds after which a node that is gone is no news any more: its curves have left the plots. */
export const FORGOTTEN = 15 * 60 * 1000;

export interface NodeState {
  id: string;
  name: string;
  /** Its place in the palette, by order of appearance. */
  order: number;
  /** When it last answered, milliseconds. */
  seen: number;
  gone: boolean;
  gauges: Record<string, number>;
  /** By name: counters as last told. */
  counters: Record<string, number>;
  /** By name: when that was, milliseconds. */
  told: Record<string, number>;
  /** By name: counters per second since they were told before; null where not known. */
  rates: Record<string, number | null>;
}

type Figures = Record<string, number>;

/** The counters of one node's answer. */
export function counters(node: Json | undefined, gc: Answers["gc"], id: string): Figures {
  const figures: Figures = {};
  if (node) {
    figures.indexed = num(node, "indices", "indexing", "index_total");
    figures.indexMillis = num(node, "indices", "indexing", "index_time_in_millis");
    figures.indexFailed = num(node, "indices", "indexing", "index_failed");
    figures.throttleMillis = num(node, "indices", "indexing", "throttle_time_in_millis");
    figures.queries = num(node, "indices", "search", "query_total");
    figures.queryMillis =
      num(node, "indices", "search", "query_time_in_millis") + num(node, "indices", "search", "fetch_time_in_millis");
    figures.mergedBytes = num(node, "indices", "merges", "total_size_in_bytes");
    figures.rejectedWrites = num(node, "thread_pool", "write", "rejected");
    figures.rejectedSearches =
      num(node, "thread_pool", "search", "rejected") + num(node, "thread_pool", "index_searcher", "rejected");
    figures.pressureRejections =
      num(node, "indexing_pressure", "memory", "total", "coordinating_rejections") +
      num(node, "indexing_pressure", "memory", "total", "primary_rejections") +
      num(node, "indexing_pressure", "memory", "total", "replica_rejections");
    figures.breakerTrips = names(at(node, "breakers")).reduce((sum, b) => sum + num(node, "breakers", b, "tripped"), 0);
    figures.queryCacheHits = num(node, "indices", "query_cache", "hit_count");
    figures.queryCacheMisses = num(node, "indices", "query_cache", "miss_count");
    figures.requestCacheHits = num(node, "indices", "request_cache", "hit_count");
    figures.requestCacheMisses = num(node, "indices", "request_cache", "miss_count");
  }
  const report = gc?.nodes?.[id];
  if (report) {
    figures.pauseMillis = report.pauses.total_in_micros / 1000;
    figures.pauses = report.pauses.count;
    figures.stalls = report.allocation_stalls.count;
    figures.stallMillis = report.allocation_stalls.total_in_micros / 1000;
    figures.fullCollections = report.full_collections;
    figures.allocated = report.rates.allocated_in_bytes;
  }
  return figures;
}

/** What moves freely in one node's answer. */
export function gauges(node: Json | undefined, gc: Answers["gc"], id: string): Figures {
  const figures: Figures = {};
  if (node) {
    const heapMax = num(node, "jvm", "mem", "heap_max_in_bytes");
    figures.docs = num(node, "indices", "docs", "count");
    figures.store = num(node, "indices", "store", "size_in_bytes");
    figures.segments = num(node, "indices", "segments", "count");
    figures.merging = num(node, "indices", "merges", "current");
    figures.mergingBytes = num(node, "indices", "merges", "current_size_in_bytes");
    figures.uncommitted = num(node, "indices", "translog", "uncommitted_size_in_bytes");
    figures.cpu = num(node, "os", "cpu", "percent");
    figures.heapMax = heapMax;
    figures.heapPercent = heapMax ? (100 * num(node, "jvm", "mem", "heap_used_in_bytes")) / heapMax : 0;
    figures.writeQueue = num(node, "thread_pool", "write", "queue");
    figures.writeActive = num(node, "thread_pool", "write", "active");
    figures.searchQueue = num(node, "thread_pool", "search", "queue");
    figures.diskTotal = num(node, "fs", "total", "total_in_bytes");
    figures.diskFree = num(node, "fs", "total", "available_in_bytes");
    figures.uptime = num(node, "jvm", "uptime_in_millis");
  }
  const heap = gc?.nodes?.[id]?.heap;
  if (heap && heap.max_in_bytes > 0) {
    figures.heapAfterPercent = (100 * heap.after_gc_in_bytes) / heap.max_in_bytes;
  }
  return figures;
}

function names(json: Json[string]): string[] {
  return json && typeof json === "object" && !Array.isArray(json) ? Object.keys(json) : [];
}

/** Two values of a metric as one: of two nodes or two labels. */
export function merged(metric: MetricReport, a: number, b: number): number {
  return metric.merge === "max" ? Math.max(a, b) : a + b;
}

/** A metric as one number: its value, or that of all its labels. */
export function total(metric: MetricReport): number {
  const values = metric.samples?.map((s) => s.value) ?? [];
  return metric.value ?? (values.length ? values.reduce((a, b) => merged(metric, a, b)) : 0);
}

/** Refusals and waits that features count, found by their names: new features appear by themselves. */
export const HELD_BACK = /reject|refus|cancel|trip|shed|denied|held|delay|waits?$|wait_time|throttled/;

/** Rounds of figures, by node. */
export class Model {
  times: number[] = [];
  nodes = new Map<string, NodeState>();
  /** figure -> node -> one value a round. */
  private readonly series = new Map<string, Map<string, (number | null)[]>>();
  /** As {@link series}: how much a counter grew since it was told before. */
  private readonly growth = new Map<string, Map<string, (number | null)[]>>();
  last: Answers | undefined;
  private lastNodeTime = new Map<string, number>();

  /** Takes a round in which at least one answer came. */
  add(answers: Answers): void {
    this.last = { ...this.last, ...defined(answers) };
    this.times.push(answers.at / 1000);
    const ids = new Set<string>([
      ...Object.keys(answers.nodes?.nodes ?? {}),
      ...Object.keys(answers.stats?.nodes ?? {}),
    ]);
    for (const id of ids) this.take(id, answers);
    for (const node of this.nodes.values()) {
      // a round in which the node list itself failed says nothing about a node
      node.gone = !ids.has(node.id) && (node.gone || answers.nodes !== undefined);
      if (node.gone && answers.at - node.seen > FORGOTTEN) this.forget(node.id);
    }
    for (const all of [this.series, this.growth]) {
      for (const byNode of all.values()) {
        for (const values of byNode.values()) {
          while (values.length < this.times.length) values.push(null);
          if (values.length > ROUNDS) values.splice(0, values.length - ROUNDS);
        }
      }
    }
    if (this.times.length > ROUNDS) this.times.splice(0, this.times.length - ROUNDS);
  }

  private take(id: string, answers: Answers): void {
    const stats = answers.nodes?.nodes?.[id];
    const name = String(at(stats, "name") ?? answers.stats?.nodes?.[id]?.name ?? id);
    const now: Figures = {
      ...counters(stats, answers.gc, id),
      ...featureCounters(answers.stats?.nodes?.[id]?.features),
    };
    // a node that restarts comes back under its id or as a new one of the same name
    for (const [other, state] of this.nodes) {
      if (other !== id && state.name === name && state.gone) this.forget(other);
    }
    let node = this.nodes.get(id);
    const since = this.lastNodeTime.get(id);
    if (!node) {
      node = { id, name, order: this.nodes.size, seen: 0, gone: false, gauges: {}, counters: {}, told: {}, rates: {} };
      this.nodes.set(id, node);
    }
    // two rounds in one second (somebody pressed a button) give noise, not a rate: the later one waits
    const tooSoon = since !== undefined && answers.at - since < 1000;
    if (!tooSoon) node.rates = {};
    for (const [figure, value] of Object.entries(now)) {
      if (!tooSoon) {
        const old = node.counters[figure];
        const seconds = (answers.at - (node.told[figure] ?? answers.at)) / 1000;
        const known = old !== undefined && seconds > 0 && seconds < 120 && value >= old;
        node.rates[figure] = known ? (value - old) / seconds : null;
        this.push(this.growth, figure, id, known ? value - old : null);
        node.counters[figure] = value;
        node.told[figure] = answers.at;
      }
      this.push(this.series, figure, id, node.rates[figure] ?? null);
    }
    const free = gauges(stats, answers.gc, id);
    const indices = answers.freshness?.nodes?.[id]?.indices;
    if (indices) {
      free.waiting = Object.values(indices).reduce((most, f) => (f.search_idle ? most : Math.max(most, f.waiting_in_millis)), 0);
    }
    for (const [figure, value] of Object.entries(free)) this.push(this.series, figure, id, value);
    if (!tooSoon) this.lastNodeTime.set(id, answers.at);
    node.gauges = { ...node.gauges, ...free };
    node.name = name;
    node.seen = answers.at;
    node.gone = false;
  }

  private push(all: Map<string, Map<string, (number | null)[]>>, figure: string, id: string, value: number | null): void {
    let byNode = all.get(figure);
    if (!byNode) all.set(figure, (byNode = new Map()));
    let values = byNode.get(id);
    if (!values) byNode.set(id, (values = []));
    while (values.length < this.times.length - 1) values.push(null);
    values.push(value);
  }

  /** Drops a node and its curves. */
  forget(id: string): void {
    this.nodes.delete(id);
    this.lastNodeTime.delete(id);
    for (const all of [this.series, this.growth]) {
      for (const byNode of all.values()) byNode.delete(id);
    }
  }

  /** A figure of one node over time, as long as {@link times}. */
  of(figure: string, id: string): (number | null)[] {
    const values = this.series.get(figure)?.get(id);
    return values ?? this.times.map(() => null);
  }

  /** Nodes in order of appearance. */
  list(): NodeState[] {
    return [...this.nodes.values()].sort((a, b) => a.order - b.order);
  }

  /** A rate summed over living nodes; null before the second round. */
  sum(figure: string): number | null {
    const known = this.list()
      .filter((n) => !n.gone)
      .map((n) => n.rates[figure])
      .filter((v): v is number => typeof v === "number");
    return known.length ? known.reduce((a, b) => a + b, 0) : null;
  }

  /** How much a counter grew within the last so many seconds, over all nodes. */
  grown(figure: string, seconds: number): number | null {
    let sum: number | null = null;
    const from = (this.times.at(-1) ?? 0) - seconds;
    for (const node of this.list()) {
      const values = this.growth.get(figure)?.get(node.id) ?? [];
      for (let i = 0; i < this.times.length; i++) {
        const grew = values[i];
        if ((this.times[i] ?? 0) > from && typeof grew === "number") sum = (sum ?? 0) + grew;
      }
    }
    return sum;
  }
}

function defined(answers: Answers): Answers {
  return Object.fromEntries(Object.entries(answers).filter(([, v]) => v !== undefined)) as unknown as Answers;
}

/** Counters of features by {@code feature/metric}. */
export function featureCounters(features: Record<string, FeatureReport> | undefined): Figures {
  const figures: Figures = {};
  for (const [feature, report] of Object.entries(features ?? {})) {
    for (const [name, metric] of Object.entries(report.metrics)) {
      if (metric.kind === "counter") figures[`${feature}/${name}`] = total(metric);
    }
  }
  return figures;
}
