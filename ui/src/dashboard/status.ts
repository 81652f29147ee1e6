// What needs somebody, before everything else.

import type { AlarmReport } from "./api.ts";
import { h } from "../shared/dom.ts";
import { clock, count } from "../shared/format.ts";
import type { Model } from "./model.ts";

export type State = "ok" | "warning" | "critical" | "unknown";

export interface Finding {
  state: State;
  /** Of which alarm; for the tiles. */
  alarm: string;
  what: string;
  where: string;
  since?: number;
  figures?: string;
  action: string;
}

const RANK: Record<State, number> = { critical: 0, warning: 1, unknown: 2, ok: 3 };

/** Alarms of all nodes, one finding for each kind, and what alarms cannot say: nodes that are gone. */
export function findings(model: Model): Finding[] {
  const found: Finding[] = [];
  const kinds = new Map<string, { alarm: AlarmReport; nodes: string[] }>();
  for (const [id, node] of Object.entries(model.last?.alarms?.nodes ?? {})) {
    if (model.nodes.get(id)?.gone) continue;
    for (const [name, alarm] of Object.entries(node.alarms ?? {})) {
      if (!alarm.firing) continue;
      const kind = kinds.get(name);
      if (!kind) kinds.set(name, { alarm, nodes: [node.name] });
      else {
        kind.nodes.push(node.name);
        if (alarm.value > kind.alarm.value) kind.alarm = alarm;
      }
    }
  }
  for (const [name, { alarm, nodes }] of kinds) {
    found.push({
      state: alarm.severity,
      alarm: name,
      what: alarm.what,
      where: some(nodes),
      since: alarm.since_in_millis,
      figures: `${count(alarm.value)}, threshold ${count(alarm.threshold)}`,
      action: alarm.action,
    });
  }
  const gone = model.list().filter((n) => n.gone);
  if (gone.length) {
    found.push({
      state: "critical",
      alarm: "node_gone",
      what: gone.length === 1 ? "A node is gone" : `${gone.length} nodes are gone`,
      where: some(gone.map((n) => n.name)),
      since: Math.min(...gone.map((n) => n.seen)),
      action: "Look at its process and the end of its log; start it again before the disks of the others fill",
    });
  }
  const health = model.last?.health;
  if (health?.discovered_cluster_manager === false) {
    found.push({
      state: "critical",
      alarm: "no_manager",
      what: "The cluster has no manager: nothing can be created, moved or healed",
      where: "cluster",
      action: "Bring back a majority of the nodes that may be managers; see GET _cluster/health",
    });
  }
  if (health?.status === "red") {
    found.push({
      state: "critical",
      alarm: "health",
      what: "Primary shards are missing: part of the data cannot be searched or written",
      where: "cluster",
      action: "GET _cluster/allocation/explain says why; start the node that holds them",
    });
  } else if (health?.status === "yellow" && health.number_of_data_nodes > 1) {
    found.push({
      state: "warning",
      alarm: "health",
      what: `${health.unassigned_shards + health.initializing_shards} replica shards are not in place yet`,
      where: "cluster",
      action: "Wait while they initialize; if it stays, GET _cluster/allocation/explain says why",
    });
  }
  const warnings = new Set([...(model.last?.stats?.warnings ?? []), ...(model.last?.alarms?.warnings ?? [])]);
  for (const warning of warnings) {
    found.push({ state: "warning", alarm: "plugin", what: warning, where: "cluster", action: "" });
  }
  return found.sort((a, b) => RANK[a.state] - RANK[b.state]);
}

function some(names: string[]): string {
  const first = [...names].sort().slice(0, 4).join(", ");
  return names.length > 4 ? `${first} and ${names.length - 4} more` : first;
}

/** The worst state among findings of these alarms. */
export function worst(found: Finding[], alarms: string[]): State {
  return found
    .filter((f) => alarms.includes(f.alarm))
    .reduce<State>((state, f) => (RANK[f.state] < RANK[state] ? f.state : state), "ok");
}

/** One sentence over everything. */
export function headline(found: Finding[], model: Model): { state: State; text: string } {
  if (!model.times.length) return { state: "unknown", text: "Asking the nodes…" };
  const critical = found.filter((f) => f.state === "critical").length;
  const warning = found.filter((f) => f.state === "warning").length;
  const things = (n: number, verb: [string, string]) => `${n} ${n === 1 ? `thing ${verb[0]}` : `things ${verb[1]}`}`;
  if (critical) {
    const more = warning ? `, and ${things(warning, ["is", "are"])} worth a look` : "";
    return { state: "critical", text: `${things(critical, ["needs", "need"])} somebody now${more}` };
  }
  if (warning) return { state: "warning", text: `${things(warning, ["is", "are"])} worth a look` };
  if (!Object.values(model.last?.alarms?.nodes ?? {}).some((n) => Object.keys(n.alarms ?? {}).length)) {
    return { state: "unknown", text: "No node judges itself: the alarms are off, or have just started" };
  }
  return { state: "ok", text: "All is well" };
}

export const WORDS: Record<State, string> = { ok: "ok", warning: "warning", critical: "critical", unknown: "unknown" };

/** The list below the headline. */
export function findingList(found: Finding[]): HTMLElement {
  return h(
    "ul",
    { class: "findings" },
    ...found.map((f) =>
      h(
        "li",
        { "data-state": f.state },
        h(
          "p",
          { class: "what" },
          h("span", { class: "pill", "data-state": f.state }, WORDS[f.state]),
          h("strong", {}, f.what),
          h("span", { class: "where" }, f.where),
          f.since ? h("span", { class: "muted" }, `since ${clock(f.since)}`) : null,
          f.figures ? h("span", { class: "muted" }, f.figures) : null,
        ),
        f.action ? h("p", { class: "action" }, h("b", {}, "What to do: "), f.action) : null,
      ),
    ),
  );
}
