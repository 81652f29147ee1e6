// Panels that are tables: nodes side by side, freshness, budgets, files, the busiest, requests, features.

import { at, num, type Answers, type Busy, type FeatureReport, type IndexFreshness } from "./api.ts";
import { bar, fill, h, table } from "../shared/dom.ts";
import { byUnit, bytes, clock, count, millis, percent, perSecond } from "../shared/format.ts";
import { merged, total, type Model, type NodeState } from "./model.ts";
import { swatch } from "./plots.ts";
import { WORDS, worst, type Finding, type State } from "./status.ts";

/** A panel whose content is built anew each round; hidden where it has none. */
export class Panel {
  readonly element: HTMLElement;
  private readonly body = h("div");
  private readonly note = h("p", { class: "note" });

  constructor(
    readonly id: string,
    title: string,
    unit: string,
    private readonly content: (model: Model) => { body: HTMLElement | null; note?: string },
    wide = false,
  ) {
    this.element = h(
      "section",
      { class: wide ? "panel wide" : "panel", id, "aria-labelledby": `${id}-h` },
      h("h3", { id: `${id}-h` }, title, h("span", { class: "unit" }, unit)),
      this.note,
      this.body,
    );
    this.element.hidden = true;
  }

  update(model: Model): void {
    const { body, note } = this.content(model);
    this.element.hidden = body === null;
    if (!body) return;
    this.note.textContent = note ?? "";
    // a table that somebody scrolled or stands in is filled, not replaced
    const old = this.body.firstElementChild;
    if (old?.classList.contains("scroll") && body.classList.contains("scroll")) {
      fill(old, ...body.childNodes);
    } else {
      keepOpen(old, body);
      fill(this.body, body);
    }
  }
}

/** Details that were open stay open, and the focus stays on the same summary. */
function keepOpen(old: Element | null, body: HTMLElement): void {
  if (!old) return;
  const focused = document.activeElement?.closest("details")?.dataset.key;
  for (const details of old.querySelectorAll<HTMLDetailsElement>("details[open]")) {
    const same = body.querySelector<HTMLDetailsElement>(`details[data-key="${CSS.escape(details.dataset.key ?? "")}"]`);
    if (same) same.open = true;
  }
  if (focused && old.contains(document.activeElement)) {
    const same = body.querySelector<HTMLElement>(`details[data-key="${CSS.escape(focused)}"] > summary`);
    if (same) queueMicrotask(() => same.focus());
  }
}

function level(share: number, warn: number, bad: number): State {
  return share >= bad ? "critical" : share >= warn ? "warning" : "ok";
}

function gauge(share: number, text: string, warn = 0.75, bad = 0.9): HTMLElement {
  return h("span", { class: "gauge" }, bar(share, level(share, warn, bad)), text);
}

/** The nodes side by side. */
export function nodeTable(model: Model, found: Finding[]): HTMLElement {
  const rows = model.list().map((node: NodeState) => {
    const g = node.gauges;
    const alarms = Object.entries(model.last?.alarms?.nodes?.[node.id]?.alarms ?? {}).filter(([, a]) => a.firing);
    const state: State = node.gone ? "critical" : worst(found, alarms.map(([name]) => name));
    const name = h("span", { class: "node" }, swatch(node.order), node.name);
    const pill = h("span", { class: "pill", "data-state": state }, node.gone ? `gone ${clock(node.seen)}` : WORDS[state]);
    if (node.gone) return [name, pill, "–", "–", "–", "–", "–", "–", "–", "–", "–"];
    const rejected =
      (node.rates.rejectedWrites ?? 0) + (node.rates.pressureRejections ?? 0) + (node.rates.rejectedSearches ?? 0);
    const disk = g.diskTotal ? 1 - (g.diskFree ?? 0) / g.diskTotal : 0;
    return [
      name,
      pill,
      gauge((g.cpu ?? 0) / 100, percent(g.cpu), 0.85, 0.95),
      gauge((g.heapPercent ?? 0) / 100, percent(g.heapPercent), 2, 2),
      perSecond(node.rates.indexed),
      perSecond(node.rates.queries),
      perSecond(rejected),
      `${count(g.writeActive)} / ${count(g.writeQueue)}`,
      model.last?.gc?.nodes?.[node.id] ? millis(node.rates.pauseMillis) : "–",
      count(g.segments),
      gauge(disk, `${bytes(g.diskFree)} free`, 0.85, 0.9),
    ];
  });
  return table(
    "Nodes side by side",
    [
      { head: "node" },
      { head: "state" },
      { head: "CPU" },
      { head: "heap in use" },
      { head: "indexed", number: true },
      { head: "queries", number: true },
      { head: "refused", number: true },
      { head: "writes active / waiting", number: true },
      { head: "pauses, of each second", number: true },
      { head: "segments", number: true },
      { head: "disk" },
    ],
    rows,
  );
}

/** The wait as a share of the promise and a second of grace, as the nodes judge it; 0 where none is kept. */
export const shareOfPromise = (f: IndexFreshness): number =>
  f.target_in_millis > 0 && !f.search_idle ? f.waiting_in_millis / (f.target_in_millis + 1000) : 0;

/** Late first, then nearest to the promise, idle last: the order of the nodes themselves. */
const nearest = (a: IndexFreshness, b: IndexFreshness): number =>
  Number(a.search_idle) - Number(b.search_idle) || shareOfPromise(b) - shareOfPromise(a) ||
  b.waiting_in_millis - a.waiting_in_millis;

/** Freshness of an index over all nodes: wait and promise of the node that is nearest to its promise. */
export function freshest(answers: Answers | undefined): Map<string, IndexFreshness> {
  const all = new Map<string, IndexFreshness>();
  for (const node of Object.values(answers?.freshness?.nodes ?? {})) {
    for (const [index, f] of Object.entries(node.indices ?? {})) {
      const other = all.get(index);
      all.set(index, !other ? f : {
        ...(nearest(f, other) < 0 ? f : other),
        last_wait_in_millis: Math.max(other.last_wait_in_millis, f.last_wait_in_millis),
        waits: f.waits.p99_in_micros > other.waits.p99_in_micros ? f.waits : other.waits,
      });
    }
  }
  return all;
}

/** 5 s while searched (logs). */
function promise(f: IndexFreshness): string {
  if (f.target_in_millis < 0) return "none";
  const searched = f.target_setting === "index.millrace.freshness" ? " while searched" : "";
  return `${millis(f.target_in_millis)}${searched}${f.profile !== "none" ? ` (${f.profile})` : ""}`;
}

/** How many are late, of how many; and that nodes name only some of theirs, where they do. */
function lateness(m: Model, late: number, named: number): string {
  const cut = Object.values(m.last?.freshness?.nodes ?? {}).filter((n) => n.indices_total > n.indices_shown);
  if (!cut.length) return late ? `${late} of ${named} indices are late` : `none of ${named} indices is late`;
  const atLeast = Math.max(late, ...cut.map((n) => n.indices_late));
  const shown = Math.max(...cut.map((n) => n.indices_shown));
  const total = Math.max(...cut.map((n) => n.indices_total));
  return `${atLeast ? `at least ${count(atLeast)} late` : "none is late"}; ` +
    `each node names the ${count(shown)} nearest to their promise of up to ${count(total)}`;
}

export const freshness = new Panel("freshness", "Freshness", "from a write to its search, beside the promise", (m) => {
  const all = [...freshest(m.last)].filter(([, f]) => f.waits.count > 0 || f.waiting_in_millis > 0);
  if (!m.last?.freshness) return { body: null };
  if (!all.length) {
    const cut = Object.values(m.last.freshness.nodes ?? {}).some((n) => n.indices_total > n.indices_shown);
    return cut
      ? { note: lateness(m, 0, 0), body: h("p", { class: "muted" }, "None of the indices that the nodes name was written to (millrace.observe.freshness.indices).") }
      : { body: h("p", { class: "muted" }, "Nothing was written since the shards opened.") };
  }
  all.sort(([a, x], [b, y]) => nearest(x, y) || y.last_wait_in_millis - x.last_wait_in_millis || a.localeCompare(b));
  return {
    note: lateness(m, all.filter(([, f]) => f.late).length, all.length),
    body: table(
      "Freshness of indices, the latest first",
      [
        { head: "index" },
        { head: "oldest write waits" },
        { head: "promise", number: true },
        { head: "last wait", number: true },
        { head: "99 of 100 within", number: true },
        { head: "state" },
      ],
      all.slice(0, 8).map(([index, f]) => {
        const promised = f.target_in_millis >= 0;
        const state: State = f.late ? "warning" : "ok";
        return [
          h("span", { class: "name", title: index }, index),
          promised
            ? h("span", { class: "gauge" }, bar(f.waiting_in_millis / Math.max(1, f.target_in_millis), state), millis(f.waiting_in_millis))
            : millis(f.waiting_in_millis),
          promise(f),
          millis(f.last_wait_in_millis),
          millis(f.waits.p99_in_micros / 1000),
          h("span", { class: "pill", "data-state": f.search_idle ? "unknown" : state },
            f.late ? "late" : f.search_idle ? "idle: nobody searches" : promised ? "in time" : "no promise"),
        ];
      }),
    ),
  };
}, true);

export const budgets = new Panel("budgets", "Budgets", "memory that requests may hold, the fullest node", (m) => {
  const worstOf = new Map<string, { used: number; limit: number; node: string }>();
  const take = (name: string, used: number, limit: number, node: string) => {
    const old = worstOf.get(name);
    if (limit > 0 && (!old || used / limit > old.used / old.limit)) worstOf.set(name, { used, limit, node });
  };
  for (const [id, node] of Object.entries(m.last?.nodes?.nodes ?? {})) {
    const name = m.nodes.get(id)?.name ?? id;
    take("indexing pressure", num(node, "indexing_pressure", "memory", "current", "all_in_bytes"),
      num(node, "indexing_pressure", "memory", "limit_in_bytes"), name);
    const breakers = at(node, "breakers");
    if (breakers && typeof breakers === "object" && !Array.isArray(breakers)) {
      for (const breaker of Object.keys(breakers)) {
        take(`breaker ${breaker}`, num(breakers, breaker, "estimated_size_in_bytes"),
          num(breakers, breaker, "limit_size_in_bytes"), name);
      }
    }
    // features name them x and x_limit, or used and limit
    for (const [feature, report] of Object.entries(m.last?.stats?.nodes?.[id]?.features ?? {})) {
      if (!report.on) continue;
      for (const [metric, limit] of Object.entries(report.metrics)) {
        const stem = /^(?:(.*)_)?(?:limit|budget|capacity)$/.exec(metric)?.[1];
        if (!/(?:^|_)(?:limit|budget|capacity)$/.test(metric) || limit.kind !== "gauge") continue;
        const used = [stem, `${stem}_used`, `${stem}_held`, "used", "held", "in_use", "current", "size"]
          .map((n) => (n ? report.metrics[n] : undefined))
          .find((r) => r?.kind === "gauge" && r.unit === limit.unit);
        if (used) take(`${feature}${stem ? ` ${stem.replaceAll("_", " ")}` : ""}`, total(used), total(limit), name);
      }
    }
  }
  if (!worstOf.size) return { body: null };
  const rows = [...worstOf].sort(([, a], [, b]) => b.used / b.limit - a.used / a.limit);
  return {
    body: table(
      "Budgets, the fullest first",
      [{ head: "budget" }, { head: "in use" }, { head: "limit", number: true }, { head: "node" }],
      rows.slice(0, 10).map(([name, b]) => [
        name, gauge(b.used / b.limit, `${percent((100 * b.used) / b.limit)} · ${bytes(b.used)}`), bytes(b.limit), b.node]),
    ),
  };
});

/** What each index that reads a stream says of itself, by the metric's name; all nodes together. */
function streamFigures(m: Model): Map<string, Record<string, number>> {
  const byIndex = new Map<string, Record<string, number>>();
  for (const [id, node] of Object.entries(m.last?.stats?.nodes ?? {})) {
    if (m.nodes.get(id)?.gone) continue;
    for (const [name, metric] of Object.entries(node.features["pipelines.streams"]?.metrics ?? {})) {
      for (const { labels, value } of metric.samples ?? []) {
        const index = labels.index;
        if (!index) continue;
        const row = byIndex.get(index) ?? {};
        row[name] = row[name] === undefined ? value : merged(metric, row[name], value);
        byIndex.set(index, row);
      }
    }
  }
  return byIndex;
}

export const streams = new Panel("streams", "Streams", "where records wait on their way into an index", (m) => {
  const rows = [...streamFigures(m)].sort(([, a], [, b]) =>
    (b.stopped_shards ?? 0) - (a.stopped_shards ?? 0) || (b.lag ?? 0) - (a.lag ?? 0));
  if (!rows.length) return { body: null };
  return {
    note: rows.length > 10 ? `the 10 furthest behind of ${rows.length}` : "",
    body: table("Streams, the furthest behind first",
      [{ head: "index" }, { head: "state" }, { head: "in the stream", number: true }, { head: "fetching", number: true },
        { head: "queue", number: true }, { head: "not found yet", number: true }, { head: "dropped", number: true }],
      rows.slice(0, 10).map(([index, f]) => {
        const [state, word]: [State, string] = f.stopped_shards ? ["critical", `${count(f.stopped_shards)} shards stopped`]
          : f.paused_shards ? ["unknown", "paused"] : ["ok", "reading"];
        return [h("span", { class: "name", title: index }, index), h("span", { class: "pill", "data-state": state }, word),
          f.lag === undefined ? "?" : count(f.lag), millis(f.fetch_delay), millis(f.queue_delay), millis(f.search_delay), count(f.dropped)];
      })),
  };
});

/** Lucene's files by what they hold. */
const FILES: [string, RegExp][] = [
  ["stored documents", /^(fdt|fdx|fdm)$|source|stored/],
  ["doc values", /^(dvd|dvm)$/],
  ["terms", /^(tim|tip|tmd)$/],
  ["postings", /^(doc|psm)$/],
  ["positions", /^(pos|pay)$/],
  ["points", /^(kdd|kdi|kdm)$/],
  ["norms", /^(nvd|nvm)$/],
  ["vectors", /^(vec|vem|vex|veq|vemf|vemq|tvd|tvx|tvm)$/],
  ["compound files", /^(cfs|cfe)$/],
];

export class FilePanel {
  sizes: Map<string, number> | undefined;
  readonly panel = new Panel("files", "Storage by file type", "bytes, every copy of a shard counted", () => {
    if (!this.sizes?.size) return { body: null };
    const groups = new Map<string, number>();
    for (const [type, size] of this.sizes) {
      const group = FILES.find(([, pattern]) => pattern.test(type))?.[0] ?? `.${type}`;
      groups.set(group, (groups.get(group) ?? 0) + size);
    }
    const sum = [...groups.values()].reduce((a, b) => a + b, 0) || 1;
    const rows = [...groups].sort(([, a], [, b]) => b - a).slice(0, 12);
    return {
      note: `${bytes(sum)} in segments · asked once a minute`,
      body: table("Storage by file type, the largest first",
        [{ head: "holds" }, { head: "share" }, { head: "size", number: true }],
        rows.map(([group, size]) => [group, h("span", { class: "gauge" }, bar(size / sum, "plain"), percent((100 * size) / sum)), bytes(size)])),
    };
  });
}

function busiest(m: Model, list: (node: { shards: Busy[]; indices: Busy[] }) => Busy[]): (Busy & { node: string })[] {
  return Object.entries(m.last?.shards?.nodes ?? {})
    .filter(([id]) => !m.nodes.get(id)?.gone)
    .flatMap(([, node]) => list(node).map((b) => ({ ...b, node: node.name })))
    .sort((a, b) => b.index_millis_per_second + b.query_millis_per_second - a.index_millis_per_second - a.query_millis_per_second);
}

const NOTHING_BUSY = "Nothing was indexed or searched between the last two looks.";

export const hotShards = new Panel("hot-shards", "Hot shards", "thread time for each second that passes", (m) => {
  if (!m.last?.shards) return { body: null };
  const rows = busiest(m, (n) => n.shards).slice(0, 10);
  if (!rows.length) return { body: h("p", { class: "muted" }, NOTHING_BUSY) };
  const most = Math.max(...rows.map((b) => b.index_millis_per_second + b.query_millis_per_second), 1);
  return {
    body: table("Hot shards, the busiest first",
      [{ head: "shard" }, { head: "node" }, { head: "busy" }, { head: "indexed", number: true }, { head: "queries", number: true }, { head: "size", number: true }],
      rows.map((b) => [
        h("span", { class: "name", title: b.index }, `${b.index} / ${b.shard}${b.primary ? "" : " (replica)"}`),
        b.node,
        h("span", { class: "gauge" }, bar((b.index_millis_per_second + b.query_millis_per_second) / most, "plain"),
          millis(b.index_millis_per_second + b.query_millis_per_second)),
        perSecond(b.indexed_per_second), perSecond(b.queries_per_second), bytes(b.size_in_bytes),
      ])),
  };
});

export const topIndices = new Panel("top-indices", "Top indices", "all nodes together", (m) => {
  if (!m.last?.shards) return { body: null };
  const sums = new Map<string, Busy>();
  for (const b of busiest(m, (n) => n.indices)) {
    const old = sums.get(b.index);
    if (!old) sums.set(b.index, { ...b });
    else {
      old.indexed_per_second += b.indexed_per_second;
      old.index_millis_per_second += b.index_millis_per_second;
      old.queries_per_second += b.queries_per_second;
      old.query_millis_per_second += b.query_millis_per_second;
    }
  }
  const shards = Object.values(m.last.shards.nodes ?? {}).reduce((n, s) => n + s.shards_total, 0);
  const named = Math.max(0, ...Object.values(m.last.shards.nodes ?? {}).map((s) => s.indices.length));
  const note = `${count(shards)} shards on all nodes${shards > named ? `; each node names its ${count(named)} busiest indices` : ""}`;
  const rows = [...sums.values()].slice(0, 10);
  if (!rows.length) return { note, body: h("p", { class: "muted" }, NOTHING_BUSY) };
  return {
    note,
    body: table("Top indices, the busiest first",
      [{ head: "index" }, { head: "indexed", number: true }, { head: "time indexing", number: true }, { head: "queries", number: true }, { head: "time searching", number: true }],
      rows.map((b) => [h("span", { class: "name", title: b.index }, b.index), perSecond(b.indexed_per_second),
        millis(b.index_millis_per_second), perSecond(b.queries_per_second), millis(b.query_millis_per_second)])),
  };
});

export const requests = new Panel("requests", "Slow and cancelled requests", "running now for a second or longer", (m) => {
  if (!m.last?.tasks) return { body: null };
  const slow = (m.last.tasks.tasks ?? [])
    .filter((t) => t.running_time_in_nanos >= 1e9 || t.cancelled)
    .sort((a, b) => b.running_time_in_nanos - a.running_time_in_nanos);
  if (!slow.length) return { body: h("p", { class: "muted" }, "No search, bulk, reindex or forced merge runs for longer than a second.") };
  return {
    note: slow.length > 10 ? `the 10 longest of ${slow.length}` : "",
    body: table("Slow and cancelled requests, the longest first",
      [{ head: "task" }, { head: "runs for", number: true }, { head: "what" }, { head: "node" }, { head: "state" }, { head: "request" }],
      slow.slice(0, 10).map((t) => [
        h("code", {}, `${t.node}:${t.id}`),
        millis(t.running_time_in_nanos / 1e6),
        t.action.replace(/^indices:(data|admin)\//, ""),
        m.nodes.get(t.node)?.name ?? t.node,
        h("span", { class: "pill", "data-state": t.cancelled ? "warning" : "unknown" }, t.cancelled ? "being cancelled" : "running"),
        h("span", { class: "request", title: t.description ?? "" }, (t.description ?? "").slice(0, 300)),
      ])),
  };
}, true);

/** Every metric of every feature that is on, whatever it is: new ones appear by themselves. */
export const features = new Panel("features", "Features", "everything they count, all nodes together", (m) => {
  const all = new Map<string, { report: FeatureReport; on: number; off: number }>();
  for (const node of Object.values(m.last?.stats?.nodes ?? {})) {
    for (const [id, report] of Object.entries(node.features)) {
      const feature = all.get(id) ?? { report: { on: report.on, metrics: {} }, on: 0, off: 0 };
      if (report.on) feature.on++;
      else feature.off++;
      for (const [name, metric] of Object.entries(report.metrics)) {
        const old = feature.report.metrics[name];
        const value = total(metric);
        feature.report.metrics[name] = { unit: metric.unit, kind: metric.kind, merge: metric.merge,
          value: old ? merged(metric, total(old), value) : value };
      }
      all.set(id, feature);
    }
  }
  if (!all.size) return { body: null };
  const on = [...all].filter(([, f]) => f.on);
  const off = [...all].filter(([, f]) => !f.on).map(([id]) => id);
  const body = h("div", { class: "features" }, ...on.map(([id, f]) => {
    const metrics = Object.entries(f.report.metrics);
    const rows = metrics.map(([name, metric]) => {
      const rate = metric.kind === "counter" ? m.sum(`${id}/${name}`) : null;
      return [name.replaceAll("_", " ") + (metric.merge === "max" ? " (the largest)" : ""), byUnit(metric.unit, metric.value ?? 0),
        rate === null ? "" : `${byUnit(metric.unit, rate)} a second`];
    });
    const where = f.off ? `on on ${f.on} of ${f.on + f.off} nodes` : `${metrics.length} ${metrics.length === 1 ? "figure" : "figures"}`;
    return h("details", { "data-key": id }, h("summary", {}, h("code", {}, id), h("span", { class: "muted" }, where)),
      rows.length ? table(id, [{ head: "metric" }, { head: "now", number: true }, { head: "moves", number: true }], rows)
        : h("p", { class: "muted" }, "It counts nothing."));
  }));
  return { note: off.length ? `off: ${off.join(", ")}` : "", body };
}, true);
