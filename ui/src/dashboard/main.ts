// The page: asks all nodes once each few seconds and shows what needs somebody first.

import { ask, askDoctor, askFileSizes } from "./api.ts";
import { keep, kept, themeChoice } from "../shared/choices.ts";
import { fill, h, say } from "../shared/dom.ts";
import { bytes, clock, count, millis, percent, perSecond } from "../shared/format.ts";
import { DoctorPanel } from "./doctor.ts";
import { Model } from "./model.ts";
import { budgets, features, FilePanel, freshest, freshness, hotShards, nodeTable, requests, shareOfPromise, streams, topIndices } from "./panels.ts";
import { PlotPanel } from "./plots.ts";
import { MEMORY, READING, refusals, STORAGE, WRITING } from "./specs.ts";
import { findingList, findings, headline, WORDS, worst, type Finding, type State } from "./status.ts";

const model = new Model();
const files = new FilePanel();
const doctor = new DoctorPanel();
const writing = WRITING.map((s) => new PlotPanel(s));
const memory = MEMORY.map((s) => new PlotPanel(s));
const storage = STORAGE.map((s) => new PlotPanel(s));
const reading = READING.map((s) => new PlotPanel(s));
const plots = [...writing, ...memory, ...storage, ...reading];
const panels = [freshness, streams, budgets, files.panel, hotShards, topIndices, requests, features];

const FILES_EVERY = 60_000;
const DOCTOR_EVERY = 60_000;
let every = Number(kept("refresh") ?? 5000);
let unreachableSince = 0;
let filesAsked = 0;
let doctorAsked = 0;
let timer: number | undefined;
let asking = false;

// ---- the frame, which stands before the first answer

const cluster = h("span", { class: "cluster" });
const healthPill = h("span", { class: "pill", "data-state": "unknown" }, "…");
const age = h("span", { class: "muted age" });
const pause = h("button", { "aria-pressed": "false", onclick: () => choose(every ? 0 : 5000) }, "Pause");
const rate = h(
  "select",
  { id: "rate", onchange: () => choose(Number(rate.value)) },
  ...[[2000, "2 s"], [5000, "5 s"], [15000, "15 s"], [0, "paused"]].map(([ms, text]) => h("option", { value: ms as number }, text as string)),
);
const theme = themeChoice(() => plots.forEach((p) => p.repaint()));
const sentence = h("p", { class: "headline", role: "status", "aria-live": "polite" }, "Asking the nodes…");
const status = h("section", { class: "status", "data-state": "unknown", "aria-labelledby": "status-h" });
const list = h("div");
const tiles = h("dl", { class: "tiles" });
const nodes = h("div");
const examined = group("examined", "Examined", grid(doctor.panel));
examined.hidden = true;

fill(
  document.getElementById("top") as HTMLElement,
  h("h1", {}, "Millrace", cluster),
  healthPill,
  h("span", { class: "spring" }),
  age,
  h("label", { for: "rate" }, "every"),
  rate,
  pause,
  h("label", { for: "theme" }, "theme"),
  theme,
);
fill(status, h("h2", { id: "status-h", class: "sr" }, "Status"), sentence, list);
fill(
  document.getElementById("main") as HTMLElement,
  status,
  group("figures", "Key figures", tiles),
  group("nodes", "Nodes", nodes),
  examined,
  group("writing", "Writing", grid(...writing, freshness, streams)),
  group("busiest", "Busiest", grid(hotShards, topIndices, requests)),
  group("memory", "Memory and pauses", grid(...memory, budgets)),
  group("storage", "Storage", grid(...storage, files.panel)),
  group("reading", "Reading", grid(...reading)),
  group("counted", "Features", grid(features)),
  h("footer", {}, "The same figures for programs: ", ...links(["alarms", "freshness", "gc", "shards", "stats", "streams"]), "GET /_prometheus/metrics"),
);

function group(id: string, title: string, body: HTMLElement): HTMLElement {
  return h("section", { class: "group", "aria-labelledby": `${id}-h` }, h("h2", { id: `${id}-h` }, title), body);
}

function grid(...items: ({ element: HTMLElement } | undefined)[]): HTMLElement {
  return h("div", { class: "grid" }, ...items.map((i) => i?.element));
}

function links(paths: string[]): (Node | string)[] {
  return paths.flatMap((p) => [h("a", { href: `${p}?pretty` }, `GET /_millrace/${p}`), " · "]);
}

// ---- one round

async function round(): Promise<void> {
  if (asking) return;
  asking = true;
  const started = Date.now();
  try {
    const answers = await ask();
    const any = Object.entries(answers).some(([name, value]) => name !== "at" && value !== undefined);
    if (any) {
      unreachableSince = 0;
      model.add(answers);
      if (Date.now() - filesAsked >= FILES_EVERY && answers.nodes) {
        filesAsked = Date.now();
        void askFileSizes().then((sizes) => {
          if (sizes) {
            files.sizes = sizes;
            files.panel.update(model);
          }
        });
      }
      if (Date.now() - doctorAsked >= DOCTOR_EVERY) {
        doctorAsked = Date.now();
        void askDoctor().then((report) => {
          if (report !== undefined || !doctor.report) doctor.report = report; // a round that failed hides nothing
          doctor.panel.update(model);
          examined.hidden = doctor.panel.element.hidden;
        });
      }
    } else {
      unreachableSince ||= started;
    }
    show();
  } finally {
    asking = false;
    plan(started);
  }
}

function plan(started: number): void {
  clearTimeout(timer);
  if (!every || document.visibilityState === "hidden") return;
  // the second round comes soon, because rates need two
  const wait = model.times.length === 1 && !unreachableSince ? 1500 : every;
  timer = window.setTimeout(() => void round(), Math.max(250, started + wait - Date.now()));
}

function show(): void {
  const found = findings(model);
  const lead = unreachableSince
    ? { state: "critical" as State, text: `No answer from this node since ${clock(unreachableSince)}; trying again. What stands below is old.` }
    : headline(found, model);
  say(sentence, lead.text);
  status.dataset.state = lead.state;
  document.body.classList.toggle("stale", unreachableSince > 0);
  const mark = lead.state === "critical" ? "● " : lead.state === "warning" ? "○ " : "";
  document.title = `${mark}${model.last?.health?.cluster_name ?? ""} Millrace`.trim();
  say(cluster, model.last?.health?.cluster_name ?? model.last?.stats?.cluster_name ?? "");
  const health = model.last?.health;
  if (health) {
    healthPill.dataset.state = health.status === "green" ? "ok" : health.status === "red" ? "critical" : "warning";
    const lonely = health.status === "yellow" && health.number_of_data_nodes === 1;
    if (lonely) healthPill.dataset.state = "ok";
    say(healthPill, `${health.status}, ${health.number_of_nodes} ${health.number_of_nodes === 1 ? "node" : "nodes"}` +
      (lonely ? ", replicas wait for a second one" : ""));
  }
  if (model.last) say(age, `as of ${clock(model.last.at)}`);
  fill(list, found.length ? findingList(found) : null);
  showTiles(found);
  fill(nodes, model.nodes.size ? nodeTable(model, found) : h("p", { class: "muted" }, "No node has answered yet."));
  if (model.times.length) {
    for (const panel of panels) panel.update(model);
    for (const plot of plots) plot.update(model);
  }
}

function showTiles(found: Finding[]): void {
  const live = model.list().filter((n) => !n.gone);
  const gc = Object.values(model.last?.gc?.nodes ?? {});
  const fresh = [...freshest(model.last)].filter(([, f]) => !f.search_idle && f.target_in_millis >= 0)
    .sort(([, a], [, b]) => shareOfPromise(b) - shareOfPromise(a))[0];
  const heap = top(live.map((n) => ({ name: n.name, value: n.gauges.heapAfterPercent ?? n.gauges.heapPercent ?? 0 })));
  const disk = top(live.filter((n) => n.gauges.diskTotal).map((n) => ({ name: n.name, value: 1 - (n.gauges.diskFree ?? 0) / (n.gauges.diskTotal ?? 1), free: n.gauges.diskFree })));
  const longest = Math.max(0, ...gc.map((n) => n.pauses.max_in_micros / 1000));
  const refused = refusals(model).reduce((n, [figure]) => n + (model.grown(figure, 60) ?? 0), 0);
  const docs = live.reduce((n, s) => n + (s.gauges.docs ?? 0), 0);
  const store = live.reduce((n, s) => n + (s.gauges.store ?? 0), 0);
  const known = model.times.length > 0;
  fill(
    tiles,
    tile("Indexed", known ? perSecond(model.sum("indexed")) : "–", "every copy counted", "ok"),
    tile("Queries", known ? perSecond(model.sum("queries")) : "–", "query phases", "ok"),
    tile("Oldest write waits", fresh ? millis(fresh[1].waiting_in_millis) : "–",
      fresh ? `${short(fresh[0])}, promised ${millis(fresh[1].target_in_millis)}` : "no index has a promise", worst(found, ["refresh_lag"])),
    tile("Refused or held", known ? count(Math.round(refused)) : "–", "in the last minute",
      worst(found, ["rejected_writes", "rejected_searches", "breaker_trips"])),
    tile("Paused", gc.length ? millis(model.grown("pauseMillis", 60)) : "–",
      gc.length ? `in the last minute; longest since start ${millis(longest)}` : "observe.gc is off",
      worst(found, ["allocation_stalls", "full_collections"])),
    tile("Heap that lives on", heap ? percent(heap.value) : "–", heap?.name ?? "", worst(found, ["heap_high"])),
    tile("Fullest disk", disk ? percent(100 * disk.value) : "–", disk ? `${disk.name}, ${bytes(disk.free)} free` : "", worst(found, ["disk"])),
    tile("Stored", known ? bytes(store) : "–", `${count(docs)} documents, every copy counted`, worst(found, ["merge_debt"])),
  );
}

function top<T extends { value: number }>(items: T[]): T | undefined {
  return items.reduce<T | undefined>((most, item) => (most && most.value >= item.value ? most : item), undefined);
}

function short(name: string): string {
  return name.length > 28 ? `${name.slice(0, 26)}…` : name;
}

function tile(name: string, value: string, note: string, state: State): HTMLElement {
  return h("div", { class: "tile", "data-state": state }, h("dt", {}, name),
    h("dd", { class: "value" }, value, state === "ok" ? null : h("span", { class: "sr" }, ` (${WORDS[state]})`)),
    h("dd", { class: "muted" }, note || " "));
}

// ---- choices

function choose(millisBetween: number): void {
  every = millisBetween;
  if (every) keep("refresh", String(every));
  rate.value = String(every);
  pause.setAttribute("aria-pressed", String(!every));
  say(pause, every ? "Pause" : "Go on");
  clearTimeout(timer);
  if (every) void round();
}

if (![2000, 5000, 15000].includes(every)) every = 5000;
rate.value = String(every);
new ResizeObserver(() => plots.forEach((p) => p.fit())).observe(document.body);
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible" && every) void round();
});
showTiles([]);
void round();
