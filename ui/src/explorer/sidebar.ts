// The fields beside the lines: which of the read lines have them, and on demand their top values over
// the whole time, each with a button that keeps or leaves out its lines.

import { bar, fill, h } from "../shared/dom.ts";
import { count, percent } from "../shared/format.ts";
import { fieldValue, leaves, textOf, type Row } from "./document.ts";
import type { Field } from "./field.ts";
import type { Fields } from "./fields.ts";
import { missing, replaced, words } from "./http.ts";
import { keepOrLeave } from "./pieces.ts";
import { topValues, type Scope } from "./search.ts";

export interface SidebarActions {
  narrow(field: string, value: string, not: boolean): void;
  toggleColumn(field: string): void;
  columns(): string[];
  group(field: string): void;
  time(field: string): void;
  scope(): Scope | undefined;
}

const MOST_SHOWN = 150;
const SAMPLE = 300;
const SIGNS: Record<string, string> = { keyword: "t", text: "T", match_only_text: "T", date: "◷", date_nanos: "◷", boolean: "✓", ip: "ip" };

export class Sidebar {
  readonly element: HTMLElement;
  readonly #search = h("input", { type: "search", id: "field-search", placeholder: "find a field", "aria-label": "Find a field", oninput: () => this.#draw() });
  readonly #list = h("div.fields");
  #fields: Fields | undefined;
  #rows: Row[] = [];
  readonly #open = new Map<string, HTMLElement>();
  #controller = new AbortController();

  constructor(private readonly actions: SidebarActions) {
    this.element = h("aside.sidebar", { id: "fields", "aria-label": "Fields" }, this.#search, this.#list);
  }

  focus(): void {
    this.#search.focus();
  }

  /** Shows what fields there are and which of these lines have them; closes top values of another search. */
  update(fields: Fields, rows: Row[]): void {
    this.#fields = fields;
    this.#rows = rows.slice(0, SAMPLE);
    this.#controller.abort();
    this.#controller = new AbortController();
    const again = [...this.#open.keys()];
    this.#open.clear();
    this.#draw();
    for (const name of again.slice(0, 3)) this.#toggle(name);
  }

  #counts(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const row of this.#rows) {
      for (const name of new Set(leaves(row.source, 500).map(([n]) => n))) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    return counts;
  }

  #draw(): void {
    if (!this.#fields) return;
    const wanted = this.#search.value.trim().toLowerCase();
    const counts = this.#counts();
    const known = new Map<string, Field | undefined>(this.#fields.list().map((f) => [f.name, f]));
    for (const name of counts.keys()) if (!known.has(name)) known.set(name, undefined);
    const names = [...known.keys()]
      .filter((n) => n.toLowerCase().includes(wanted))
      // message.keyword is message once more
      .filter((n) => !n.endsWith(".keyword") || !known.has(n.slice(0, -8)))
      .sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0) || (a < b ? -1 : 1));
    const items = names.slice(0, MOST_SHOWN).map((name) => this.#item(name, known.get(name), counts.get(name) ?? 0));
    const rest = names.length - MOST_SHOWN;
    fill(this.#list, ...items,
      rest > 0 ? h("p.note", `${count(rest)} more: type a part of the name.`) : null,
      names.length === 0 ? h("p.note", wanted ? `No field has ${wanted} in its name.` : "No fields yet.") : null,
      this.#fields.many ? h("p.note", "These indices have more fields than a page can list: well-known ones and those of the lines shown stand here; any other can be named in the query.") : null);
  }

  #item(name: string, field: Field | undefined, lines: number): HTMLElement {
    const type = field?.types.join(", ") ?? "";
    const values = this.#open.get(name);
    const head = h("button.field", { "aria-expanded": String(!!values), "data-none": lines ? undefined : "true", onclick: () => this.#toggle(name) },
      h("span.sign", { title: type, "aria-hidden": "true" }, SIGNS[field?.types[0] ?? ""] ?? (type ? "#" : "·")),
      h("bdi", name),
      lines ? h("span.muted", percent((100 * lines) / Math.max(1, this.#rows.length))) : null);
    return h("div", { "data-field": name }, head, values);
  }

  #toggle(name: string): void {
    const item = this.#list.querySelector(`[data-field="${CSS.escape(name)}"]`);
    const old = this.#open.get(name);
    item?.querySelector("button")?.setAttribute("aria-expanded", String(!old));
    if (old) {
      this.#open.delete(name);
      old.remove();
      return;
    }
    const body = h("div.values", h("p.note", "counting…"));
    this.#open.set(name, body);
    item?.append(body);
    void this.#count(name, body);
  }

  async #count(name: string, body: HTMLElement): Promise<void> {
    const countable = this.#fields?.countable(name);
    const scope = this.actions.scope();
    const column = this.actions.columns().includes(name);
    const tools = h("div.tools",
      h("button", { "aria-pressed": String(column), onclick: () => this.actions.toggleColumn(name) }, "Column"),
      countable ? h("button", { onclick: () => this.actions.group(countable) }, "Over time") : null,
      /^date/.test(this.#fields?.get(name)?.types[0] ?? "") ? h("button", { "aria-pressed": String(name === this.#fields?.time()?.name), onclick: () => this.actions.time(name) }, "As the time") : null);
    try {
      if (countable && scope) {
        const { buckets, total, others, answer } = await topValues(scope, countable, 10, this.#controller.signal);
        const part = missing(answer);
        fill(body, ...buckets.map((b) => this.#value(countable, b.key_as_string ?? String(b.key), b.doc_count, total)),
          h("p.note", buckets.length ? (others ? `${count(others)} with other values.` : "These are all values.") + (part ? ` ${part}` : "") : "No line in this time has a value."),
          tools);
      } else {
        fill(body, ...this.#inRows(name), tools);
      }
    } catch (e) {
      if (!replaced(e)) fill(body, h("p.note", words(e)), tools);
    }
  }

  /** A field whose values cannot be counted on the node: those of the lines that are here. */
  #inRows(name: string): HTMLElement[] {
    const counts = new Map<string, number>();
    for (const row of this.#rows) {
      // longer ones cannot be looked for, and take no buttons
      const text = textOf(fieldValue(row, name)).slice(0, 1001);
      if (text) counts.set(text, (counts.get(text) ?? 0) + 1);
    }
    const top = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 10);
    return [
      ...top.map(([value, n]) => this.#value(name, value, n, this.#rows.length)),
      h("p.note", `Of the ${this.#rows.length} newest lines here; this field cannot be counted on the node.`),
    ];
  }

  #value(field: string, text: string, n: number, total: number): HTMLElement {
    return h("div.top",
      h("bdi.name", { title: text.slice(0, 1000) }, text === "" ? "(empty)" : text.slice(0, 200)),
      h("span.n.muted", { title: count(n) }, total ? percent((100 * n) / total) : ""),
      ...(text.length <= 1000 && this.#fields?.findable(field) ? keepOrLeave(`with ${field} ${text.slice(0, 80)}`, (not) => this.actions.narrow(field, text, not)) : []),
      bar(total ? n / total : 0, "ok"));
  }
}
