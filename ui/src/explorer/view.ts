// What the page looks at, as the part of its address behind #: a link gives the same view, and the part
// behind # never leaves the browser.

export interface View {
  index: string;
  /** "now-15m", an ISO time, or "" for no limit. */
  from: string;
  to: string;
  query: string;
  mode: "words" | "dsl";
  /** Field by which the histogram is grouped; "" its level, "-" nothing. */
  group: string;
  /** Number whose p50 and p99 are drawn; "" counts lines. */
  number: string;
  columns: string[];
  wrap: boolean;
  /** Lines from the first one on, instead of from the newest. */
  oldest: boolean;
  tab: "lines" | "patterns" | "sources" | "trace";
  trace: string;
  /** The field by which sources are counted; "" a well-known one. */
  source: string;
  /** The field that is the time; "" a well-known one. */
  time: string;
}

export const FIRST: View = {
  index: "", from: "now-15m", to: "now", query: "", mode: "words", group: "", number: "", columns: [], wrap: false, oldest: false, tab: "lines", trace: "", source: "", time: "",
};

const TABS = ["lines", "patterns", "sources", "trace"];

/** The view of an address; what it does not name is as at first. */
export function viewOf(hash: string): View {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const text = (name: string, otherwise: string): string => given.get(name) ?? otherwise;
  const tab = text("tab", "lines");
  return {
    index: text("index", ""), from: text("from", FIRST.from), to: text("to", FIRST.to), query: text("q", ""),
    mode: text("mode", "words") === "dsl" ? "dsl" : "words",
    group: text("group", ""), number: text("number", ""),
    columns: text("columns", "").split(",").filter(Boolean).slice(0, 20),
    wrap: text("wrap", "") === "1",
    oldest: text("sort", "") === "asc",
    tab: (TABS.includes(tab) ? tab : "lines") as View["tab"],
    trace: text("trace", ""),
    source: text("source", ""),
    time: text("time", ""),
  };
}

/** The address of a view; only what differs from the first one. */
export function hashOf(view: View): string {
  const given = new URLSearchParams();
  const put = (name: string, value: string, otherwise: string): void => {
    if (value !== otherwise) given.set(name, value);
  };
  put("index", view.index, "");
  put("from", view.from, FIRST.from);
  put("to", view.to, FIRST.to);
  put("q", view.query, "");
  put("mode", view.mode, "words");
  put("group", view.group, "");
  put("number", view.number, "");
  put("columns", view.columns.join(","), "");
  put("wrap", view.wrap ? "1" : "", "");
  put("sort", view.oldest ? "asc" : "", "");
  put("tab", view.tab, "lines");
  put("trace", view.trace, "");
  put("source", view.source, "");
  put("time", view.time, "");
  return `#${given}`;
}

const UNITS: Record<string, number> = { s: 1e3, m: 6e4, h: 36e5, d: 864e5, w: 6048e5 };

/** Milliseconds of a time as people type it; undefined where it is none. */
export function moment(text: string, now: number, utc: boolean): number | undefined {
  const relative = /^now(?:-(\d{1,6})([smhdw]))?$/.exec(text.trim());
  if (relative) return now - Number(relative[1] ?? 0) * (UNITS[relative[2] ?? "s"] ?? 0);
  let plain = text.trim().replace(" ", "T");
  if (/^\d{4}-\d\d-\d\d$/.test(plain)) plain += "T00:00";
  const zoned = /(Z|[+-]\d\d:?\d\d)$/.test(plain);
  const time = Date.parse(zoned || !utc ? plain : `${plain}Z`);
  return Number.isNaN(time) ? undefined : time;
}

export interface Span {
  from: number;
  to: number;
}

/** From and to in milliseconds; undefined where the view has no limit. */
export function span(view: View, now: number, utc: boolean): Span | undefined {
  const from = view.from ? moment(view.from, now, utc) : undefined;
  const to = view.to ? moment(view.to, now, utc) : now;
  return from === undefined || to === undefined || to <= from ? undefined : { from: Math.max(from, -LAST), to };
}

const STEPS = [1, 5, 10, 50, 100, 500, 1e3, 2e3, 5e3, 1e4, 15e3, 3e4, 6e4, 12e4, 3e5, 6e5, 9e5, 18e5, 36e5, 72e5, 108e5, 216e5, 432e5, 864e5, 1728e5, 6048e5, 2592e6, 31536e6];

/** Length of one bar so that a span has at most so many. */
export function step(range: Span, most: number): number {
  return STEPS.find((s) => (range.to - range.from) / s <= most) ?? Math.ceil((range.to - range.from) / most);
}

/** Milliseconds that a calendar of the browser still has. */
export const LAST = 8e15;

/** A time for people, to the millisecond or to what its digits give. */
export function stamp(ms: number, utc: boolean): string {
  if (!(Math.abs(ms) < LAST)) return "no time";
  const d = new Date(utc ? ms : ms - new Date(ms).getTimezoneOffset() * 60_000);
  return d.toISOString().replace("T", " ").replace("Z", "");
}
