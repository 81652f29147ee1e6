// What people type: words, "phrases", field:value, ranges, -not, OR, parentheses. The parser names the
// place of a mistake; it knows no server syntax, so that nothing typed can become a regular expression
// or a script.

/** A mistake in a query: what it is, and where from and to, in characters. */
export class Mistake extends Error {
  constructor(message: string, readonly from: number, readonly to: number) {
    super(message);
  }
}

export type Bound = { value: string; open: boolean } | undefined;

export type Query =
  | { kind: "all" }
  | { kind: "and" | "or"; of: Query[] }
  | { kind: "not"; of: Query }
  /** A phrase, a `word` without quotes or, with `pattern`, a word with * or ?; in every field where `field` is missing. */
  | { kind: "text"; field?: string; text: string; word?: boolean; pattern?: boolean; from: number; to: number }
  | { kind: "range"; field: string; low: Bound; high: Bound; from: number; to: number }
  | { kind: "exists"; field: string; from: number; to: number };

interface Token {
  kind: "(" | ")" | "and" | "or" | "not" | "field" | "compare" | "word" | "phrase" | "range";
  text: string;
  from: number;
  to: number;
  low?: Bound;
  high?: Bound;
  /** A word holds a * or ? that nobody escaped. */
  pattern?: boolean;
}

/** A name as it is typed: what is neither letter, digit nor one of _@.-/ stands behind a backslash. */
export const NAME = "(?:[\\p{L}_@]|\\\\[^\\p{L}])(?:[\\p{L}\\p{N}_@.\\-/]|\\\\[^\\p{L}])*";
const FIELD = new RegExp(`^${NAME}:`, "u");
const SPACE = /\s/;

function tokens(text: string): Token[] {
  const found: Token[] = [];
  let i = 0;
  while (i < text.length) {
    const c = text[i] as string;
    if (SPACE.test(c)) {
      i++;
      continue;
    }
    const last = found.at(-1);
    const behind = last?.to === i ? last.kind : "";
    const afterField = behind === "field";
    const from = i;
    if (c === "(" || c === ")") {
      found.push({ kind: c, text: c, from, to: ++i });
    } else if (c === '"') {
      const { value, end } = quoted(text, i);
      i = end;
      found.push({ kind: "phrase", text: value, from, to: i });
    } else if (afterField && /^[<>]=?/.test(text.slice(i, i + 2))) {
      const sign = (/^[<>]=?/.exec(text.slice(i, i + 2)) as RegExpExecArray)[0];
      i += sign.length;
      found.push({ kind: "compare", text: sign, from, to: i });
    } else if (afterField && (c === "[" || c === "{")) {
      const range = bracketed(text, i);
      i = range.to;
      found.push(range);
    } else if ((c === "-" || c === "!") && !afterField && behind !== "compare" && /^.[^\s)\-=<>!|]/.test(text.slice(i, i + 2))) {
      // -> and --name are text, >-5 is a number
      found.push({ kind: "not", text: c, from, to: ++i });
    } else {
      const name = afterField ? null : FIELD.exec(text.slice(i));
      // http://host is a word, not a field named http
      if (name && !text.startsWith("//", i + name[0].length)) {
        i += name[0].length;
        found.push({ kind: "field", text: plainName(name[0].slice(0, -1)), from, to: i });
      } else {
        const word = bare(text, i);
        i = word.to;
        found.push(word);
      }
    }
  }
  return found;
}

function bare(text: string, start: number): Token {
  let i = start;
  let value = "";
  let pattern = false;
  let escaped = false;
  let deep = 0;
  while (i < text.length) {
    const c = text[i] as string;
    if (c === "\\" && i + 1 < text.length && /[\s()"\\*?:\-]/.test(text[i + 1] as string)) {
      // in a pattern the reader of the pattern needs to know that it was escaped
      value += /[*?\\]/.test(text[i + 1] as string) ? `\\${text[i + 1]}` : text[i + 1];
      escaped = true;
      i += 2;
      continue;
    }
    // f(x) inside a word is text: only a parenthesis that the word did not open ends it
    if (c === "(" && i > start) deep++;
    else if (c === ")" && deep === 0) break;
    else if (c === ")") deep--;
    if (SPACE.test(c)) break;
    if (c === "*" || c === "?") pattern = true;
    value += c;
    i++;
  }
  const kind = escaped ? "word" : value === "AND" || value === "&&" ? "and" : value === "OR" || value === "||" ? "or" : value === "NOT" ? "not" : "word";
  if (!pattern) value = value.replace(/\\([*?\\])/g, "$1");
  return { kind, text: value, from: start, to: i, pattern };
}

function quoted(text: string, start: number): { value: string; end: number } {
  let value = "";
  for (let i = start + 1; i < text.length; i++) {
    const c = text[i] as string;
    if (c === "\\" && (text[i + 1] === '"' || text[i + 1] === "\\")) value += text[++i];
    else if (c === '"') return { value, end: i + 1 };
    else value += c;
  }
  throw new Mistake('This quote has no end: add a "', start, text.length);
}

function bracketed(text: string, start: number): Token {
  const end = text.slice(start).search(/[\]}]/);
  if (end < 0) throw new Mistake("This range has no end: write [low TO high]", start, text.length);
  const to = start + end + 1;
  const inside = text.slice(start + 1, to - 1);
  const parts = /^\s*(\S+)\s+TO\s+(\S+)\s*$/.exec(inside);
  if (!parts) throw new Mistake("A range is [low TO high], with * for an open end", start, to);
  const bound = (value: string, open: boolean): Bound =>
    value === "*" ? undefined : { value: value.replace(/^"(.*)"$/, "$1"), open };
  return {
    kind: "range", text: text.slice(start, to), from: start, to,
    low: bound(parts[1] as string, text[start] === "{"), high: bound(parts[2] as string, text[to - 1] === "}"),
  };
}

/**
 * Reads a query.
 *
 * @throws Mistake with the place
 */
export function read(text: string): Query {
  const all = tokens(text);
  let at = 0;
  let depth = 0;

  function or(field?: string): Query {
    const of = [and(field)];
    while (all[at]?.kind === "or") {
      at++;
      of.push(and(field));
    }
    return of.length === 1 ? (of[0] as Query) : { kind: "or", of };
  }

  function and(field?: string): Query {
    const of = [not(field)];
    for (let token = all[at]; token && token.kind !== "or" && token.kind !== ")"; token = all[at]) {
      if (token.kind === "and") at++;
      of.push(not(field));
    }
    return of.length === 1 ? (of[0] as Query) : { kind: "and", of };
  }

  function not(field?: string): Query {
    if (all[at]?.kind === "not") {
      at++;
      return { kind: "not", of: not(field) };
    }
    return one(field);
  }

  function one(field?: string): Query {
    const token = all[at++];
    if (!token) {
      const last = all.at(-1);
      throw new Mistake(last ? `Something is missing after ${last.text}` : "Something is missing", last?.from ?? 0, last?.to ?? text.length);
    }
    const { from, to } = token;
    switch (token.kind) {
      case "(": {
        if (++depth > 50) throw new Mistake("Parentheses are nested more than 50 deep", from, to);
        if (all[at]?.kind === ")") throw new Mistake("There is nothing between these parentheses", from, all[at]?.to ?? to);
        const inner = or(field);
        if (all[at]?.kind !== ")") throw new Mistake("This parenthesis has no end: add a )", from, to);
        at++;
        depth--;
        return inner;
      }
      case "field": {
        if (field !== undefined) throw new Mistake(`A field inside the values of ${field}: put it outside the parentheses`, from, to);
        return value(token);
      }
      case "word":
      case "phrase":
        if (token.kind === "word" && /^\*+$/.test(token.text)) return field ? { kind: "exists", field, from, to } : { kind: "all" };
        if (!token.text.trim() && field === undefined) throw new Mistake("There is nothing between these quotes", from, to);
        return { kind: "text", field, text: token.text, word: token.kind === "word", pattern: token.pattern, from, to };
      default:
        throw new Mistake(
          token.kind === ")" ? "This parenthesis closes nothing: remove it, or put it in quotes"
            : `${token.text} needs something before and after it; put it in quotes to look for the word`, from, to);
    }
  }

  function value(name: Token): Query {
    const field = name.text;
    const token = all[at];
    if (!token || token.from !== name.to) {
      throw new Mistake(`Which ${field}? Write ${field}:value, or ${field}:* for any; a text with a colon needs quotes`, name.from, name.to);
    }
    const { from } = name;
    if (token.kind === "compare") {
      const bound = all[++at];
      if (!bound || bound.from !== token.to || (bound.kind !== "word" && bound.kind !== "phrase")) {
        throw new Mistake(`${field}${":"}${token.text} needs a value right behind it`, from, token.to);
      }
      at++;
      const limit = { value: bound.text, open: token.text.length === 1 };
      const up = token.text[0] === ">";
      return { kind: "range", field, low: up ? limit : undefined, high: up ? undefined : limit, from, to: bound.to };
    }
    if (token.kind === "range") {
      at++;
      return { kind: "range", field, low: token.low, high: token.high, from, to: token.to };
    }
    if (token.kind === "not" || token.kind === "field" || token.kind === "and" || token.kind === "or") {
      throw new Mistake(`What stands behind ${field}: is no value; put it in quotes`, from, token.to);
    }
    const of = one(field);
    if (of.kind === "text" || of.kind === "exists") of.from = from;
    return of;
  }

  if (!all.length) return { kind: "all" };
  const query = or();
  const rest = all[at];
  if (rest) throw new Mistake("This parenthesis closes nothing: remove it, or put it in quotes", rest.from, rest.to);
  return query;
}

/** A name without the backslashes of what was typed. */
export function plainName(typed: string): string {
  return typed.replace(/\\(.)/gsu, "$1");
}

/** A name as one would type it. */
export function typedName(name: string): string {
  return name.replace(/^[\p{N}.\-/]|[^\p{L}\p{N}_@.\-/]/gu, "\\$&");
}

/** A clause as one would type it. */
export function clause(field: string, value: string, not = false): string {
  const plain = /^[\p{L}\p{N}_./@][\p{L}\p{N}_./@\-]*$/u.test(value) && !/^(AND|OR|NOT)$/.test(value);
  return `${not ? "-" : ""}${typedName(field)}:${plain ? value : `"${value.replace(/["\\]/g, "\\$&")}"`}`;
}

/** A query with a clause added; without it where it stands there already, and with it where its opposite does. */
export function added(query: string, addition: string): string {
  const opposite = addition.startsWith("-") ? addition.slice(1) : `-${addition}`;
  const around = (part: string): RegExp =>
    new RegExp(`(^|\\s)${part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?=\\s|$)`);
  if (around(addition).test(query)) return query;
  let text = query.trim();
  if (around(opposite).test(text)) text = text.replace(around(opposite), "").trim();
  // a OR b and c is not (a OR b) and c
  if (/(^|\s)(OR|\|\|)(\s|$)/.test(text)) text = `(${text})`;
  return text ? `${text} ${addition}` : addition;
}

/** Every part of a query, outermost first, and whether it is negated. */
export function* parts(query: Query, negated = false): Generator<[Query, boolean]> {
  yield [query, negated];
  if (query.kind === "and" || query.kind === "or") for (const each of query.of) yield* parts(each, negated);
  else if (query.kind === "not") yield* parts(query.of, !negated);
}
