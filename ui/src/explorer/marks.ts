// What of a text the query asked for. Marked in the browser: highlighting on the node analyses every
// line once more and refuses documents beyond a million characters.

import { h } from "../shared/dom.ts";
import { upright } from "./pieces.ts";
import { parts, type Query } from "./query.ts";

export interface Marks {
  /** In every text. */
  everywhere?: RegExp;
  byField: Map<string, RegExp>;
}

/** A typed text as what matches it: its tokens, whatever stands between them. */
function pattern(text: string, wild: boolean): string {
  if (wild) {
    return text.replace(/\\([*?\\])|([*?])|([.+^${}()|[\]\\])/g, (_, kept: string | undefined, sign: string | undefined, other: string | undefined) =>
      kept ? `\\${kept}` : sign === "*" ? "[^\\s\"]*" : sign === "?" ? "\\S" : `\\${other}`);
  }
  const tokens = text.match(/[\p{L}\p{N}_]+/gu);
  return tokens ? tokens.map((t) => t.replace(/_/g, "[_\\W]?")).join("[^\\p{L}\\p{N}]+") : text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
}

/** The marks of a query: everything it wants, nothing that it excludes. */
export function marksOf(query: Query): Marks {
  const everywhere: string[] = [];
  const named = new Map<string, string[]>();
  for (const [part, negated] of parts(query)) {
    if (negated || part.kind !== "text" || part.text.length > 500) continue;
    const source = pattern(part.text, part.pattern === true);
    if (!source) continue;
    if (part.field === undefined) everywhere.push(source);
    else named.set(part.field, [...(named.get(part.field) ?? []), source]);
  }
  const regex = (sources: string[]): RegExp | undefined => {
    try {
      return sources.length ? new RegExp(`(?<![\\p{L}\\p{N}])(?:${sources.slice(0, 50).join("|")})`, "giu") : undefined;
    } catch {
      return undefined;
    }
  };
  const byField = new Map<string, RegExp>();
  for (const [field, sources] of named) {
    const made = regex([...sources, ...everywhere]);
    if (made) byField.set(field.replace(/\.keyword$/, ""), made);
  }
  return { everywhere: regex(everywhere), byField };
}

/** A text with its marks, kept apart from what stands beside it: right to left stays in its place. */
export function marked(given: string, marks: Marks, field?: string, className?: string): HTMLElement {
  const text = upright(given);
  const regex = (field !== undefined ? marks.byField.get(field.replace(/\.keyword$/, "")) : undefined) ?? marks.everywhere;
  const out = h("bdi", { class: className });
  if (!regex) {
    out.textContent = text;
    return out;
  }
  let end = 0;
  regex.lastIndex = 0;
  for (let found = regex.exec(text), n = 0; found && n < 200; found = regex.exec(text), n++) {
    if (!found[0]) break;
    out.append(text.slice(end, found.index), h("mark", found[0]));
    end = found.index + found[0].length;
  }
  out.append(text.slice(end));
  return out;
}
