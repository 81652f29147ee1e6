// The page to look at logs: puts its parts together and connects them with the one state in app.ts.

import { themeChoice } from "../shared/choices.ts";
import { fill, h } from "../shared/dom.ts";
import { App } from "./app.ts";
import { Box } from "./box.ts";
import { Chart } from "./chart.ts";
import { exportLines } from "./export.ts";
import { Latest, replaced, words } from "./http.ts";
import type { Names } from "./indices.ts";
import { keyList, listen, type Key } from "./keys.ts";
import { Lines } from "./lines.ts";
import { showPatterns } from "./patterns.ts";
import { SavedViews } from "./saved.ts";
import { Sidebar } from "./sidebar.ts";
import { showSources } from "./sources.ts";
import { Tail } from "./tail.ts";
import { Times } from "./times.ts";
import { showTrace } from "./trace.ts";
import { FIRST, type View } from "./view.ts";

const app = new App();
const lines = new Lines(app, (edge) => app.change(app.view.oldest ? { from: edge } : { to: edge, from: app.view.from.startsWith("now") ? "" : app.view.from }));
const sidebar = new Sidebar({
  narrow: (field, value, not) => app.narrow(field, value, not),
  toggleColumn: (field) => app.toggleColumn(field),
  columns: () => app.view.columns,
  group: (field) => app.change({ group: field, number: "" }),
  time: (field) => app.change({ time: field }),
  scope: () => app.scope(),
});
const chart = new Chart(
  (from, to) => app.change({ from: new Date(from).toISOString(), to: new Date(to).toISOString() }),
  (value) => app.groupShown && app.narrow(app.groupShown, value, false),
  () => app.utc,
);
const saved = new SavedViews(() => app.view);
const times = new Times((from, to) => app.change({ from, to }), () => app.utc);
const box = new Box(search, { names: (part) => app.suggestNames(part), values: (field, part) => app.suggestValues(field, part) }, saved.element);
const tail = new Tail({
  scope: () => app.scope(),
  came: (rows, skipped, part) => {
    app.tell("tail", part);
    if (rows.length) showInstead();
    lines.came(rows, skipped);
  },
  failed: (e) => app.tell("tail", `The tail waits: ${words(e)}`),
});

// ---- controls

const press = (text: string, does: string, run: () => void, pressed?: boolean): HTMLButtonElement =>
  h("button", { title: does, "aria-pressed": pressed === undefined ? undefined : String(pressed), onclick: run }, text);

const index = h("input", { id: "index", type: "text", list: "indices", size: 22, spellcheck: "false", autocomplete: "off", onchange: () => app.change({ index: index.value.replace(/\s/g, "") || "*" }) });
const indices = h("datalist", { id: "indices" });
const mode = press("JSON", "The query as JSON of the search API", () => app.change(app.view.mode === "dsl" ? { mode: "words", query: "" } : { mode: "dsl", query: app.asJson(box.value) }, false), false);
const live = press("Live", "New lines as they come (l)", () => follow(!following), false);
const wrap = press("Wrap", "Long lines in full (w)", () => { app.change({ wrap: !app.view.wrap }, false); lines.list.refresh(true); }, false);
const oldest = press("Oldest first", "Begin with the oldest line, or with the newest (o)", () => app.change({ oldest: !app.view.oldest }), false);
const zone = press("Local", "Times in local time or UTC (z)", () => { app.setUtc(!app.utc); showZone(); });
const group = h("select", { id: "group", onchange: () => app.change({ group: group.value, number: "" }) });
const number = h("select", { id: "number", onchange: () => app.change({ number: number.value }) });
const theme = themeChoice(() => undefined);
const showFields = press("Fields", "The fields of these lines (f)", () => toggleFields(), true);
const instead = h("div.instead");
const tabPanel = h("div.panel", { role: "tabpanel", tabindex: 0, "aria-label": "Patterns, sources or trace" });
const content = h("div.content", instead, tabPanel, lines.element);
const work = h("div.work", sidebar.element, content);
let anyLines = true;
const TABS: [View["tab"], string][] = [["lines", "Lines"], ["patterns", "Patterns"], ["sources", "Sources"], ["trace", "Trace"]];
const tabs = h("div", { role: "tablist", "aria-label": "What to show" }, ...TABS.map(([tab, text]) =>
  h("button", { role: "tab", "data-tab": tab, onclick: () => show(tab) }, text)));
const exports = new Latest();
let saving = false;

function show(tab: View["tab"]): void {
  app.changeTab({ tab });
}

function save(kind: "csv" | "ndjson"): void {
  const scope = app.scope();
  if (!scope) return app.toast.show("There is nothing to save.");
  const signal = exports.next();
  saving = !saving;
  if (!saving) return app.toast.show("Saving has stopped.");
  exportLines(scope, kind, kind === "csv" ? app.view.columns : [], (text) => app.toast.show(text), signal)
    .catch((e) => { if (!replaced(e)) app.toast.show(`Not saved: ${words(e)}`); })
    .finally(() => { if (!signal.aborted) saving = false; });
}

/** Fills the panel of a tab; the lines stay behind it as they are. */
function showTab(view: View, signal: AbortSignal): void {
  const scope = app.scope();
  arrange(view);
  if (view.tab === "lines" || !scope) return;
  const shown = view.tab === "patterns" ? showPatterns(tabPanel, scope, app, signal)
    : view.tab === "sources" ? showSources(tabPanel, scope, app, signal)
      : showTrace(tabPanel, view.trace, scope, app, signal, () => show("lines"));
  shown.catch((e) => { if (!replaced(e)) fill(tabPanel, h("p.problem", { role: "alert" }, words(e) + app.recover(e, signal))); });
}

function showInstead(element?: HTMLElement): void {
  anyLines = !element;
  fill(instead, element);
  arrange(app.view);
}

function arrange(view: View): void {
  tabPanel.hidden = view.tab === "lines";
  instead.hidden = view.tab !== "lines" || anyLines;
  lines.element.hidden = view.tab !== "lines" || !anyLines;
  for (const tab of tabs.children) tab.setAttribute("aria-selected", String((tab as HTMLElement).dataset.tab === view.tab));
}

function search(): void {
  const before = app.view.query;
  if (box.value.trim() === before) void app.run();
  else app.change({ query: box.value.trim() });
}

/** What the user wants; the tail rests while a search is being replaced. */
let following = false;

function follow(on: boolean): void {
  if (on && !app.fields.time()) return app.toast.show("Without a time field there is no order in which lines come.");
  following = on;
  app.tell("tail", "");
  live.setAttribute("aria-pressed", String(on));
  lines.follow = on;
  // new lines come at the top, after those of now
  const over = app.view.to && app.view.to !== "now";
  if (on && (over || app.view.oldest)) app.change({ oldest: false, ...(over ? { from: FIRST.from, to: FIRST.to } : {}) });
  if (on) tail.start(lines.rows);
  else tail.stop();
}

function toggleFields(): void {
  const on = document.body.classList.toggle("no-fields");
  showFields.setAttribute("aria-pressed", String(!on));
}

function showZone(): void {
  zone.textContent = app.utc ? "UTC" : "Local";
}

const keys: Key[] = [
  { key: "/", does: "to the query", run: () => box.focus() },
  { key: "j", does: "next line", run: () => lines.list.go(lines.list.current + 1) },
  { key: "k", does: "line before", run: () => lines.list.go(lines.list.current - 1) },
  { key: "Enter", does: "open or close the line", run: () => toggleCurrent() },
  { key: "n", does: "lines around this one", run: () => inCurrent("Lines around") },
  { key: "t", does: "trace of this line", run: () => inCurrent("Trace") },
  { key: "h", does: "to the bars", run: () => chart.element.querySelector<HTMLElement>("[role=slider]")?.focus() },
  { key: "f", does: "find a field", run: () => { document.body.classList.remove("no-fields"); sidebar.focus(); } },
  { key: "d", does: "choose a time", run: () => times.focus() },
  { key: "l", does: "follow new lines, or stop", run: () => follow(!following) },
  { key: "r", does: "search again", run: () => void app.run() },
  { key: "w", does: "wrap long lines", run: () => wrap.click() },
  { key: "o", does: "oldest lines first, or newest", run: () => oldest.click() },
  { key: "z", does: "local time or UTC", run: () => zone.click() },
  { key: "1", does: "lines", run: () => show("lines") },
  { key: "2", does: "patterns", run: () => show("patterns") },
  { key: "3", does: "sources: who writes most", run: () => show("sources") },
  { key: "s", does: "favourites and queries before", run: () => saved.toggle() },
  { key: "c", does: "copy the search as curl", run: () => app.copyCurl() },
  { key: "Escape", name: "Esc", does: "close what is open", run: () => escape() },
  { key: "?", does: "this list", run: () => dialog.showModal() },
];
const dialog = keyList(keys);

function toggleCurrent(): void {
  const row = lines.list.at(lines.list.current);
  if (row) lines.toggle(row);
}

/** Presses a button of the line that the keyboard is at, opening it where it is closed. */
function inCurrent(text: string): void {
  const row = lines.list.at(lines.list.current);
  if (!row) return lines.list.go(0);
  if (!lines.opened.has(row.key)) lines.toggle(row);
  const article = lines.list.element.querySelector(`[data-key="${CSS.escape(row.key)}"]`);
  [...(article?.querySelectorAll("button") ?? [])].find((b) => b.textContent === text)?.click();
}

function escape(): void {
  if (!saved.element.hidden) return saved.toggle();
  if (app.view.tab !== "lines") return show("lines");
  const row = lines.list.at(lines.list.current);
  if (row && lines.opened.has(row.key)) lines.toggle(row);
}

lines.list.element.addEventListener("focusin", (e) => {
  const at = lines.list.indexOf(e.target as Element);
  if (at >= 0) lines.list.current = at;
});
lines.list.element.addEventListener("keydown", (e) => {
  const move: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20 };
  if (!(e.key in move) || (e.target as Element).matches("button, input, summary")) return;
  e.preventDefault();
  lines.list.go(lines.list.current + (move[e.key] as number));
});

// ---- the frame

fill(
  document.getElementById("top") as HTMLElement,
  h("h1", "Logs"),
  h("a", { href: "./", class: "muted" }, "Dashboard"),
  h("label", { for: "index" }, "in"), index, indices,
  times.element,
  press("↻", "Search again (r)", () => void app.run()),
  live,
  h("span.spring"),
  zone,
  h("label", { for: "theme" }, "theme"), theme,
  press("?", "Keys (?)", () => dialog.showModal()),
);
fill(
  document.getElementById("main") as HTMLElement,
  h("div.ask",
    box.element,
    h("div.tools",
      press("Search", "Search (Enter)", search), mode,
      press("★", "Favourites and queries before (s)", () => saved.toggle()),
      press("Link", "Copy the address of this view, with its times fixed", () => app.copyLink()),
      press("curl", "Copy the search as a curl command (c)", () => app.copyCurl()),
      press("CSV", "Save what was found as CSV, or stop saving", () => save("csv")),
      press("NDJSON", "Save what was found as NDJSON, or stop saving", () => save("ndjson")))),
  app.problem,
  h("div.over", tabs, app.status, h("span.spring"),
    h("label", { for: "group" }, "bars by"), group, h("label", { for: "number" }, "or p50, p99 of"), number,
    oldest, wrap, showFields),
  chart.element,
  work,
);
document.body.append(app.toast.element, dialog);
app.problem.hidden = true;
listen(keys);
showZone();
if (innerWidth < 760) toggleFields();

/** The query that the box was given last. */
let asked = "";

function showView(view: View): void {
  if (document.activeElement !== index) index.value = view.index;
  // what somebody types while answers come stays
  if (asked !== view.query || mode.getAttribute("aria-pressed") !== String(view.mode === "dsl")) box.show((asked = view.query), view.mode);
  mode.setAttribute("aria-pressed", String(view.mode === "dsl"));
  wrap.setAttribute("aria-pressed", String(view.wrap));
  oldest.setAttribute("aria-pressed", String(view.oldest));
  times.show(view);
  document.title = `${view.query || view.index || "Logs"} · Millrace`;
  const countable = app.fields.list().filter((f) => f.name === app.fields.countable(f.name) && !/date/.test(f.types[0] ?? "")).map((f) => f.name).slice(0, 300);
  choices(group, view.group, [["", "level"], ["-", "nothing"], ...countable.map((n): [string, string] => [n, n])]);
  choices(number, view.number, [["", "–"], ...app.fields.numbers().slice(0, 300).map((n): [string, string] => [n, n])]);
}

function choices(select: HTMLSelectElement, value: string, options: [string, string][]): void {
  const all = options.some(([v]) => v === value) ? options : [...options, [value, value] as [string, string]];
  if (select.options.length !== all.length || select.value !== value) fill(select, ...all.map(([v, text]) => h("option", { value: v }, text)));
  select.value = value;
}

app.start({
  loadLines: async (scope, signal) => {
    if (scope.oldest && following) follow(false);
    tail.stop();
    lines.follow = false;
    try {
      return await lines.load(scope, signal);
    } finally {
      // also after one that failed: the tail goes on when the node answers again
      if (following && scope.time && !signal.aborted) {
        lines.follow = true;
        tail.start(lines.rows);
      }
    }
  },
  clearLines: () => { lines.clear(); fill(tabPanel); },
  rows: () => lines.rows,
  toggle: (row) => lines.toggle(row),
  isOpen: (row) => lines.opened.has(row.key),
  refreshRows: (measureAnew) => lines.list.refresh(measureAnew),
  showTimeline: (t, can) => chart.show(t, can),
  showFields: (fields, rows) => { sidebar.update(fields, rows); showView(app.view); },
  showMistake: (mistake) => box.tell(mistake),
  showNames: (names: Names) => fill(indices, ...[...names.patterns, ...names.names].slice(0, 500).map((n) => h("option", { value: n }))),
  showView,
  showInstead,
  showTab,
  remember: (view) => saved.remember(view),
});
addEventListener("pagehide", () => lines.close());
