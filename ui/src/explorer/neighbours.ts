// The lines before and after one, in its place: from everywhere, or only from where it came from.

import { fill, h } from "../shared/dom.ts";
import { fieldValue, rowOf, textOf, type Row } from "./document.ts";
import { missing, replaced, words } from "./http.ts";
import { note } from "./pieces.ts";
import { lineElement, type RowContext } from "./row.ts";
import { bounded, order, search, type Scope } from "./search.ts";
import type { Dsl } from "./dsl.ts";

const STEP = 10;

/** Lines around a row, newest first as in the list. */
export function neighbours(row: Row, scope: Scope, context: RowContext): HTMLElement {
  const body = h("div");
  const time = scope.time;
  if (!time || !row.time) {
    return h("p.note", "Lines around one need a time field, and this line has no time.");
  }
  const sources = context.fields.sources().map((name) => [name, textOf([fieldValue(row, name)].flat()[0])] as const).filter(([, v]) => v && v.length < 200);
  let same = sources.length > 0;
  const newer: Row[] = [];
  const older: Row[] = [];
  const said = note();

  const ask = async (direction: "asc" | "desc"): Promise<void> => {
    const side = direction === "asc" ? newer : older;
    const edge = side.at(-1) ?? row;
    const seen = new Set([row.key, ...newer.map((r) => r.key), ...older.map((r) => r.key)]);
    const filter: Dsl[] = [{ range: { [time.name]: { [direction === "asc" ? "gte" : "lte"]: edge.time, format: "strict_date_optional_time_nanos||epoch_millis" } } }];
    if (same) filter.push(...sources.map(([field, value]) => ({ match_phrase: { [field]: value } })));
    // lines of the very same time are asked for again, so there is room for them
    for (let size = STEP + 1; size <= 10_000; size *= 8) {
      const answer = await search(scope.index, { size, track_total_hits: false, sort: order(time, direction), query: bounded({ ...scope, query: { bool: { filter } }, span: undefined }) }, { signal: context.signal });
      const fresh = answer.hits.hits.map((hit) => rowOf(hit, time)).filter((r) => !seen.has(r.key));
      side.push(...fresh.slice(0, STEP));
      said.textContent = missing(answer);
      if (fresh.length >= STEP || answer.hits.hits.length < (answer.asked ?? size)) return;
    }
  };

  const line = (each: Row): HTMLElement => {
    const element = lineElement(each, context);
    if (each === row) element.setAttribute("aria-current", "true");
    return element;
  };
  const more = (direction: "asc" | "desc", text: string): HTMLElement =>
    h("button", { onclick: () => void load(() => ask(direction)) }, text);
  const draw = (): void => fill(body,
    sources.length ? h("label.check", choice, `only ${sources.map(([f, v]) => `${f} ${v}`).join(", ")}`) : null,
    more("asc", "More after"), ...[...newer].reverse().map(line), line(row), ...older.map(line), more("desc", "More before"), said);
  const load = async (run: () => Promise<unknown>): Promise<void> => {
    try {
      await run();
      draw();
    } catch (e) {
      draw();
      if (!replaced(e)) said.textContent = words(e);
    }
  };
  const both = (): Promise<unknown> => ask("asc").then(() => ask("desc"));
  const choice = h("input", {
    type: "checkbox", checked: same,
    onchange: () => {
      same = choice.checked;
      newer.length = older.length = 0;
      void load(both);
    },
  });
  void load(both);
  return h("section.around", { "aria-label": "Lines around this one" }, body);
}
