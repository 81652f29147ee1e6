// The plots, in the order in which a bad night is read: work, what is refused, memory, storage, reading.

import { HELD_BACK, type Model } from "./model.ts";
import { bytes, bytesPerSecond, count, millis, percent, perSecond } from "../shared/format.ts";
import { ofNodes, type Curve, type PlotSpec } from "./plots.ts";

/** A share of two counters' growth, per node, in percent. */
function share(model: Model, hits: string, misses: string): Curve[] {
  return ofNodes(model, hits).map((curve) => {
    const other = model.of(misses, curve.key);
    return {
      ...curve,
      values: curve.values.map((hit, i) => {
        const miss = other[i];
        const all = (hit ?? 0) + (miss ?? 0);
        return typeof hit === "number" && typeof miss === "number" && all > 0 ? (100 * hit) / all : null;
      }),
    };
  });
}

/** Several figures, each summed over the nodes. */
function causes(model: Model, figures: [string, string][]): Curve[] {
  return figures.map(([figure, label], order) => {
    const nodes = model.list().map((node) => model.of(figure, node.id));
    return {
      key: figure,
      label,
      order,
      values: model.times.map((_, i) => {
        const known = nodes.map((values) => values[i]).filter((v): v is number => typeof v === "number");
        return known.length ? known.reduce((a, b) => a + b, 0) : null;
      }),
    };
  });
}

const STOCK_REFUSALS: [string, string][] = [
  ["rejectedWrites", "write pool"],
  ["pressureRejections", "indexing pressure"],
  ["rejectedSearches", "search pools"],
  ["breakerTrips", "breakers"],
];

/** Stock's refusals and those that features count, if they ever did. */
export function refusals(model: Model): [string, string][] {
  const features: [string, string][] = [];
  const seen = new Set<string>();
  for (const node of Object.values(model.last?.stats?.nodes ?? {})) {
    for (const [feature, report] of Object.entries(node.features)) {
      if (!feature.startsWith("guard.") || !report.on) continue;
      for (const [name, metric] of Object.entries(report.metrics)) {
        const key = `${feature}/${name}`;
        const timed = /seconds$/.test(metric.unit);
        if (metric.kind === "counter" && !timed && HELD_BACK.test(name) && !seen.has(key)) {
          seen.add(key);
          features.push([key, `${feature.slice(6)}: ${name.replaceAll("_", " ")}`]);
        }
      }
    }
  }
  return [...STOCK_REFUSALS, ...features];
}

const hasGc = (model: Model) => Object.keys(model.last?.gc?.nodes ?? {}).length > 0;

export const WRITING: PlotSpec[] = [
  {
    id: "ingest",
    title: "Ingest",
    unit: "documents a second, every copy of a shard counted",
    format: perSecond,
    curves: (m) => ofNodes(m, "indexed"),
    note: (m) => `cluster ${perSecond(m.sum("indexed"))}`,
  },
  {
    id: "waiting",
    title: "Oldest write not yet searchable",
    unit: "how long it waits; the latest index of each node",
    format: millis,
    curves: (m) => ofNodes(m, "waiting"),
    present: (m) => Object.keys(m.last?.freshness?.nodes ?? {}).length > 0,
  },
  {
    id: "refused",
    title: "Refusals and waits",
    unit: "a second, all nodes",
    format: perSecond,
    curves: (m) => causes(m, refusals(m)),
    note: (m) => `${count(Math.round(refusals(m).reduce((n, [f]) => n + (m.grown(f, 60) ?? 0), 0)))} in the last minute`,
  },
];

export const MEMORY: PlotSpec[] = [
  {
    id: "pauses",
    title: "Pauses",
    unit: "milliseconds a second in which every thread stands still",
    format: millis,
    curves: (m) => ofNodes(m, "pauseMillis"),
    present: hasGc,
  },
  {
    id: "stalls",
    title: "Allocation stalls",
    unit: "threads a second that wait for ZGC",
    format: perSecond,
    curves: (m) => ofNodes(m, "stalls"),
    present: (m) =>
      Object.values(m.last?.gc?.nodes ?? {}).some((n) => Object.keys(n.gc.collectors).some((c) => c.startsWith("ZGC"))),
  },
  {
    id: "heap",
    title: "Heap after collection",
    unit: "percent of its limit; what lives on",
    format: percent,
    top: 100,
    curves: (m) => ofNodes(m, hasGc(m) ? "heapAfterPercent" : "heapPercent"),
  },
  {
    id: "allocation",
    title: "Allocation",
    unit: "bytes a second",
    format: bytesPerSecond,
    curves: (m) => ofNodes(m, "allocated"),
    present: hasGc,
  },
];

export const STORAGE: PlotSpec[] = [
  {
    id: "merges",
    title: "Merges",
    unit: "bytes a second merged",
    format: bytesPerSecond,
    curves: (m) => ofNodes(m, "mergedBytes"),
    note: (m) => {
      const live = m.list().filter((n) => !n.gone);
      const running = live.reduce((n, s) => n + (s.gauges.merging ?? 0), 0);
      const size = live.reduce((n, s) => n + (s.gauges.mergingBytes ?? 0), 0);
      const held = m.grown("throttleMillis", 60) ?? 0;
      return `${running} running, ${bytes(size)}` + (held > 0 ? ` · held indexing back for ${millis(held)} in the last minute` : "");
    },
  },
  {
    id: "segments",
    title: "Segments",
    unit: "on each node",
    format: count,
    curves: (m) => ofNodes(m, "segments"),
  },
];

export const READING: PlotSpec[] = [
  {
    id: "searches",
    title: "Searches",
    unit: "query phases a second",
    format: perSecond,
    curves: (m) => ofNodes(m, "queries"),
    note: (m) => {
      const n = m.grown("queries", 60);
      const time = m.grown("queryMillis", 60);
      return n && time !== null ? `${millis(time / n)} each in the last minute, on average` : "";
    },
  },
  {
    id: "query-cache",
    title: "Query cache",
    unit: "percent of lookups that hit",
    format: percent,
    top: 100,
    curves: (m) => share(m, "queryCacheHits", "queryCacheMisses"),
    present: (m) => m.list().some((n) => (n.counters.queryCacheHits ?? 0) + (n.counters.queryCacheMisses ?? 0) > 0),
  },
  {
    id: "request-cache",
    title: "Request cache",
    unit: "percent of lookups that hit",
    format: percent,
    top: 100,
    curves: (m) => share(m, "requestCacheHits", "requestCacheMisses"),
    present: (m) => m.list().some((n) => (n.counters.requestCacheHits ?? 0) + (n.counters.requestCacheMisses ?? 0) > 0),
  },
];
