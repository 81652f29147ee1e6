// One line of the list, and the document that opens in its place.

import { fill, h } from "../shared/dom.ts";
import { written } from "../shared/json.ts";
import { fieldValue, leaves, levelOf, messageOf, oneLine, textOf, type Row } from "./document.ts";
import type { Fields } from "./fields.ts";
import { marked, type Marks } from "./marks.ts";
import { keepOrLeave, small, tint } from "./pieces.ts";
import { longText, tree } from "./tree.ts";
import { stamp, type View } from "./view.ts";

/** What rows need to know of the page, and what they ask it to do. */
export interface RowContext {
  readonly view: View;
  readonly fields: Fields;
  readonly marks: Marks;
  readonly utc: boolean;
  /** Ends with the next search. */
  readonly signal: AbortSignal;
  isOpen(row: Row): boolean;
  toggle(row: Row): void;
  /** Adds field:value to the query, or -field:value. */
  narrow(field: string, value: string, not: boolean): void;
  toggleColumn(field: string): void;
  openTrace(id: string): void;
  /** Lines around one, for the place below it. */
  neighbours(row: Row): HTMLElement;
  copy(text: string, what: string): void;
}

/** Signs that run from right to left, or turn what stands beside them. */
const TURNS = /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufefc\ud802\ud803\ud83a\ud83b]/;
const MOST_PAIRS = 10;
const MOST_LEAVES = 400;

/** What other views ask the page to do. */
export interface Changes {
  change(change: Partial<View>): void;
  /** Changes a tab alone: the lines stay. */
  changeTab(change: Partial<View>): void;
}

/** One line. */
export function rowElement(row: Row, context: RowContext): HTMLElement {
  const open = context.isOpen(row);
  // whoever marks text does not want it to open
  const line = lineElement(row, context, () => getSelection()?.toString() || context.toggle(row));
  const article = h("article", { class: context.view.wrap ? "row wrap" : "row", tabindex: -1, "aria-label": label(row, context), "data-key": row.key, "data-open": open ? "true" : undefined }, line);
  if (open) article.append(opened(row, context));
  return article;
}

function label(row: Row, context: RowContext): string {
  const level = levelOf(levelValue(row, context.fields));
  return `${Number.isNaN(row.ms) ? "" : stamp(row.ms, context.utc)} ${level} ${oneLine(messageOf(row, context.fields.message()), 200)}`.trim();
}

function levelValue(row: Row, fields: Fields): unknown {
  const name = fields.level();
  return name === undefined ? undefined : fieldValue(row, name);
}

/** Time, level, chosen columns and message of a line. */
export function lineElement(row: Row, context: RowContext, onclick?: () => void): HTMLElement {
  const { view, fields, marks } = context;
  const level = levelValue(row, fields);
  const kind = levelOf(level);
  const most = view.wrap ? 4000 : 600;
  const messageField = fields.message();
  const out = h("div.line", { "data-level": kind || undefined, onclick });
  if (kind) tint(out, kind);
  if (fields.time()) out.append(h("time", stamp(row.ms, context.utc)));
  if (level !== undefined && level !== null) {
    out.append(marked(oneLine(textOf(level), 8), marks, fields.level(), "level"));
  }
  for (const column of view.columns) {
    out.append(h("span.cell", { title: column }, marked(oneLine(textOf(fieldValue(row, column)) || "–", 200), marks, column)));
  }
  out.append(marked(oneLine(messageOf(row, messageField), most), marks, messageField, "message"));
  if (!view.columns.length && !view.wrap) {
    const known = new Set([messageField, fields.level(), fields.level()?.replace(/\.keyword$/, ""), fields.time()?.name]);
    const pairs = h("span.pairs");
    let plain = "";
    for (const [name, value] of leaves(row.source, MOST_PAIRS + 4).filter(([n]) => !known.has(n)).slice(0, MOST_PAIRS)) {
      const text = oneLine(textOf(value), 60);
      plain += `${name}=`;
      // an element only where one is needed: these are most of what a row that scrolls into sight is made of
      if (marks.everywhere || marks.byField.size || TURNS.test(name + text)) {
        pairs.append(plain, marked(text, marks, name));
        plain = " ";
      } else plain += `${text} `;
    }
    pairs.append(plain);
    out.append(pairs);
  }
  return out;
}

function opened(row: Row, context: RowContext): HTMLElement {
  const traceField = context.fields.trace();
  const trace = traceField ? textOf(fieldValue(row, traceField)) : "";
  const [around, place] = opener("Lines around", () => context.neighbours(row));
  const [asJson, json] = opener("JSON", () => tree(row.source, 2));
  const all = leaves(row.source, MOST_LEAVES);
  return h(
    "div.opened",
    h("div.tools",
      around,
      trace ? h("button", { onclick: () => context.openTrace(trace) }, "Trace") : null,
      asJson,
      h("button", { onclick: () => context.copy(written(row.source, 2), "The document") }, "Copy"),
      h("span.muted", row.index, " ", h("bdi", row.id))),
    place,
    h("table", { "aria-label": "Fields of this line" },
      h("tbody", ...all.map(([name, value]) => fieldRow(name, value, context)))),
    all.length >= MOST_LEAVES ? h("p.note", `The first ${MOST_LEAVES} values; JSON shows the others.`) : null,
    json,
  );
}

/** A button that opens and closes a place. */
function opener(text: string, make: () => HTMLElement): [HTMLElement, HTMLElement] {
  const place = h("div");
  const button = h("button", {
    "aria-expanded": "false",
    onclick: () => {
      const on = !place.childElementCount;
      button.setAttribute("aria-expanded", String(on));
      fill(place, on && make());
    },
  }, text);
  return [button, place];
}

function fieldRow(name: string, value: unknown, context: RowContext): HTMLElement {
  const text = textOf(value);
  // what indices keep beside a text is usually cut off, or missing, beyond 256 signs
  const target = (text.length > 256 ? undefined : context.fields.countable(name)) ?? name;
  const usable = text.length <= 1000 && context.fields.findable(target);
  const chosen = context.view.columns.includes(name);
  return h("tr",
    h("td.do",
      ...(usable ? keepOrLeave(`with this ${name}`, (not) => context.narrow(target, text, not)) : []),
      small("▥", `${name} as a column`, () => context.toggleColumn(name), chosen)),
    h("th", { scope: "row" }, name),
    h("td.value", longText(text, (t) => marked(t, context.marks, name))));
}
