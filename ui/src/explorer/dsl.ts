// A query as the search API takes it. Only queries that cost what they look like: no scripts, no
// regular expressions; every one of them gets its bounds in search.ts.

import { parsed, written } from "../shared/json.ts";
import { levelOf } from "./document.ts";
import { NUMBERS, type Field } from "./field.ts";
import type { Fields } from "./fields.ts";
import { Mistake, parts, type Query } from "./query.ts";

export type Dsl = Record<string, unknown>;

/** Most fields that a word without a field is looked for in. */
export const MOST_WORD_FIELDS = 300;

/** Most characters of a word that is found in either case: beyond them it is no level and no name, and costs a node memory. */
const MOST_EITHER_CASE = 100;

/** A query for these fields. */
export function dsl(query: Query, fields: Fields): Dsl {
  const path = "field" in query && query.field !== undefined ? fields.nested(query.field) : undefined;
  return path ? { nested: { path, ignore_unmapped: true, query: plain(query, fields) } } : plain(query, fields);
}

function plain(query: Query, fields: Fields): Dsl {
  switch (query.kind) {
    case "all":
      return { match_all: {} };
    case "and":
      return { bool: { filter: query.of.map((q) => dsl(q, fields)) } };
    case "or":
      return { bool: { should: query.of.map((q) => dsl(q, fields)), minimum_should_match: 1 } };
    case "not":
      return { bool: { must_not: [dsl(query.of, fields)] } };
    case "exists":
      return { exists: { field: query.field } };
    case "range": {
      const range: Dsl = {};
      if (query.low) range[query.low.open ? "gt" : "gte"] = query.low.value;
      if (query.high) range[query.high.open ? "lt" : "lte"] = query.high.value;
      return { range: { [query.field]: range } };
    }
    case "text": {
      const { field, text, pattern } = query;
      const where = field ? [field] : fields.forWords(MOST_WORD_FIELDS);
      // level:error is looked for by those whose lines say ERROR: only quotes mean one case
      const name = query.word && text.length <= MOST_EITHER_CASE ? (field ?? (levelOf(text) && fields.level())) : undefined;
      const eitherCase = name && fields.get(name)?.types.every((t) => t === "keyword") ? { [pattern ? "wildcard" : "term"]: { [name]: { value: text, case_insensitive: true } } } : undefined;
      if (field && eitherCase) return eitherCase;
      if (pattern) {
        return { query_string: { query: escaped(text), fields: where, lenient: true, allow_leading_wildcard: true } };
      }
      // a phrase: what was typed in one piece stands in one piece; of one token it is a plain term
      const phrase = field
        ? { match_phrase: { [field]: text } }
        : { multi_match: { query: text, fields: where, type: "phrase", lenient: true, zero_terms_query: "all" } };
      return eitherCase ? { bool: { should: [phrase, eitherCase], minimum_should_match: 1 } } : phrase;
    }
  }
}

/** A pattern for query_string in which only its * and ? mean something. */
function escaped(pattern: string): string {
  return pattern.replace(/\\([*?\\])|([+\-=&|><!(){}[\]^"~:\\/\s])/g, (found, kept: string | undefined) =>
    kept ? `\\${kept}` : found === "<" || found === ">" ? "?" : `\\${found}`);
}

/**
 * What is wrong with a query for these fields, before anybody is asked.
 *
 * @throws Mistake where a value is none of its field's type
 */
export function check(query: Query, fields: Fields): string[] {
  const notes: string[] = [];
  for (const [part] of parts(query)) {
    if (!("field" in part) || part.field === undefined) continue;
    const field = fields.get(part.field);
    if (!field) {
      if (fields.complete && !fields.mayHold(part.field)) notes.push(unknown(part.field, fields));
      continue;
    }
    if (part.kind === "text" && part.pattern && field.types.every((t) => NUMBERS.includes(t) || /^(date|ip$|boolean)/.test(t))) {
      throw new Mistake(`${field.name} is no text (${field.types.join(", ")}), so * and ? find nothing in it: write ${field.name}:[low TO high], with * for an open end`, part.from, part.to);
    }
    const values = part.kind === "text" && !part.pattern ? [part.text] : part.kind === "range" ? [part.low?.value, part.high?.value] : [];
    for (const value of values) {
      const wrong = value === undefined ? undefined : misfit(field, value);
      if (wrong) throw new Mistake(wrong, part.from, part.to);
    }
  }
  return notes;
}

function unknown(name: string, fields: Fields): string {
  const near = fields.near(name);
  return `No field is called ${name}` + (near ? `; did you mean ${near}?` : "; put the text in quotes to look for it as text.");
}

function misfit(field: Field, value: string): string | undefined {
  if (field.types.length !== 1) return undefined;
  const type = field.types[0] as string;
  if (NUMBERS.includes(type) && !/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(value)) {
    return `${field.name} holds numbers (${type}), and ${value} is none`;
  }
  if (type === "boolean" && !["true", "false"].includes(value)) return `${field.name} is true or false, not ${value}`;
  if (type === "ip" && !/^[\da-fA-F.:]+(\/\d+)?$/.test(value)) {
    return `${field.name} holds addresses: write 10.0.0.1 or 10.0.0.0/8, not ${value}`;
  }
  return undefined;
}

/**
 * A raw query.
 *
 * @throws Mistake where it is no JSON object
 */
export function raw(text: string): Dsl {
  if (!text.trim()) return { match_all: {} };
  let json: unknown;
  try {
    json = parsed(text);
  } catch (e) {
    const place = Number(/position (\d+)/.exec(String(e))?.[1] ?? 0);
    throw new Mistake(`This is no JSON: ${e instanceof Error ? e.message : String(e)}`, place, text.length);
  }
  if (!json || typeof json !== "object" || Array.isArray(json)) throw new Mistake('A query is an object, such as {"term":{"level":"ERROR"}}', 0, text.length);
  const query = json as Dsl;
  // a whole search body, as one pastes it: its query counts
  return Object.keys(query).every((k) => k !== "query") ? query : (query.query as Dsl);
}

/** A raw query with a filter added. */
export function narrowed(text: string, by: Dsl, not: boolean): string {
  const query = raw(text);
  return written({ bool: not ? { filter: [query], must_not: [by] } : { filter: [query, by] } }, 2);
}
