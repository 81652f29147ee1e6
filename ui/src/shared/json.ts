// What nodes answer: JSON whose shape is known in parts, and whose whole numbers may have more digits
// than a number of JavaScript.

export interface Json {
  [name: string]: Json | Json[] | string | number | boolean | null | undefined;
}

/** The value at a path. */
export function at(json: Json | undefined, ...path: string[]): Json[string] {
  let here: Json[string] = json;
  for (const step of path) {
    if (!here || typeof here !== "object" || Array.isArray(here)) return undefined;
    here = here[step];
  }
  return here;
}

/** The number at a path; 0 where there is none. */
export function num(json: Json | undefined, ...path: string[]): number {
  const value = at(json, ...path);
  return typeof value === "number" ? value : 0;
}

/** A whole number that a number of JavaScript would round, by its digits. */
export class Long {
  constructor(readonly digits: string) {}

  toString(): string {
    return this.digits;
  }
}

const MARK = "\u0001long:";
const LONG_SOMEWHERE = /[:[,]\s*-?\d{16}/;
const STRING_OR_LONG = /"(?:[^"\\]|\\.)*"|-?\d{16,}(?![\d.eE])/g;

/** As JSON.parse, but a whole number that would be rounded becomes a {@link Long}. */
export function parsed(text: string): unknown {
  if (!LONG_SOMEWHERE.test(text)) return JSON.parse(text);
  const marked = text.replace(STRING_OR_LONG, (found) =>
    found.startsWith('"') || Number.isSafeInteger(Number(found)) ? found : `"\\u0001long:${found}"`);
  return JSON.parse(marked, (_, value: unknown) =>
    typeof value === "string" && value.startsWith(MARK) ? new Long(value.slice(MARK.length)) : value);
}

/** As JSON.stringify, with every {@link Long} by its digits. */
export function written(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, (_, v: unknown) => (v instanceof Long ? MARK + v.digits : v), indent);
  return text.includes("\\u0001long:") ? text.replace(/"\\u0001long:(-?\d+)"/g, "$1") : text;
}
