// What people type, as what is searched; no page is needed.

import { expect, test } from "@playwright/test";
import { levelOf } from "../src/explorer/document.ts";
import { check, dsl, narrowed, raw } from "../src/explorer/dsl.ts";
import { cell } from "../src/explorer/export.ts";
import { Fields } from "../src/explorer/fields.ts";
import { added, clause, Mistake, read } from "../src/explorer/query.ts";
import { phrases, templates } from "../src/explorer/templates.ts";
import { hashOf, moment, span, step, viewOf, FIRST } from "../src/explorer/view.ts";
import { Long, parsed, written } from "../src/shared/json.ts";

function fields(types: Record<string, string>): Fields {
  const made = new Fields();
  made.add({ fields: Object.fromEntries(Object.entries(types).map(([name, type]) => [name, { [type]: { type, searchable: true, aggregatable: type !== "text" } }])) });
  made.complete = true;
  return made;
}

const FIELDS = fields({ message: "text", level: "keyword", status: "long", ip: "ip", ok: "boolean", "@timestamp": "date", labels: "flat_object" });
const of = (text: string): unknown => dsl(read(text), FIELDS);
const either = (field: string, value: string, kind = "term"): unknown => ({ [kind]: { [field]: { value, case_insensitive: true } } });
const word = (query: string): unknown => ({ multi_match: { query, fields: ["*"], type: "phrase", lenient: true, zero_terms_query: "all" } });

test("words, phrases, fields, ranges, minus, or, parentheses", () => {
  expect(of("")).toEqual({ match_all: {} });
  expect(of("timeout")).toEqual(word("timeout"));
  expect(of('"connection reset"')).toEqual(word("connection reset"));
  expect(of("a b")).toEqual({ bool: { filter: [word("a"), word("b")] } });
  expect(of("a OR b c")).toEqual({ bool: { should: [word("a"), { bool: { filter: [word("b"), word("c")] } }], minimum_should_match: 1 } });
  expect(of("-a")).toEqual({ bool: { must_not: [word("a")] } });
  expect(of("status:>=-5")).toEqual({ range: { status: { gte: "-5" } } });
  expect(of("NOT a")).toEqual(of("-a"));
  expect(of("level:ERROR")).toEqual(either("level", "ERROR"));
  expect(of('level:"ERROR"')).toEqual({ match_phrase: { level: "ERROR" } });
  expect(of('level:"a b"')).toEqual({ match_phrase: { level: "a b" } });
  expect(of("level:(A OR B)")).toEqual({ bool: { should: [either("level", "A"), either("level", "B")], minimum_should_match: 1 } });
  expect(of("status:>500")).toEqual({ range: { status: { gt: "500" } } });
  expect(of("status:<=500")).toEqual({ range: { status: { lte: "500" } } });
  expect(of("status:[400 TO 499}")).toEqual({ range: { status: { gte: "400", lt: "499" } } });
  expect(of("status:[400 TO *]")).toEqual({ range: { status: { gte: "400" } } });
  expect(of("level:*")).toEqual({ exists: { field: "level" } });
  expect(of("-level:*")).toEqual({ bool: { must_not: [{ exists: { field: "level" } }] } });
  expect(of("status:-1")).toEqual({ match_phrase: { status: "-1" } });
});

test("a word without quotes is found in either case: of a keyword, and the name of a level among the levels", () => {
  expect(of("level:err*")).toEqual(either("level", "err*", "wildcard"));
  for (const level of ["error", "Warn", "INFO"]) {
    expect(of(level)).toEqual({ bool: { should: [word(level), either("level", level)], minimum_should_match: 1 } });
    expect(of(`"${level}"`)).toEqual(word(level));
  }
  // a text is found in either case anyway, a number has none, and nobody types so long a name
  expect(of("message:Error")).toEqual({ match_phrase: { message: "Error" } });
  expect(of("status:500")).toEqual({ match_phrase: { status: "500" } });
  expect(of(`level:${"x".repeat(101)}`)).toEqual({ match_phrase: { level: "x".repeat(101) } });
  // where one index holds text under that name, a term would miss its lines
  const mixed = new Fields();
  mixed.add({ fields: { level: { keyword: { type: "keyword", searchable: true, aggregatable: true }, text: { type: "text", searchable: true, aggregatable: false } } } });
  expect(dsl(read("level:error"), mixed)).toEqual({ match_phrase: { level: "error" } });
});

test("what stands in log lines is text: addresses, paths, times, code", () => {
  for (const text of ["http://host/x?y=1", "/var/log/app.log", "12:30:45", "10.0.0.1:9200", "f(x)", "a/b", "[error]", "{}", "user@host", "key=value", "C++", "~5", "^top", "a&&b", "->", "--verbose", "!=", "|"]) {
    const typed = of(text) as { multi_match?: { query: string }; query_string?: unknown };
    if (text.includes("?")) expect(typed.query_string).toBeTruthy();
    else expect(typed.multi_match?.query).toBe(text);
  }
});

test("a pattern is a pattern of * and ? only", () => {
  expect(of("time*")).toEqual({ query_string: { query: "time*", fields: ["*"], lenient: true, allow_leading_wildcard: true } });
  const escaped = (of("a/b[c]*") as { query_string: { query: string } }).query_string.query;
  expect(escaped).toBe("a\\/b\\[c\\]*");
  expect(of("what\\?")).toEqual(word("what?"));
  expect([of("**"), of("level:**")]).toEqual([{ match_all: {} }, { exists: { field: "level" } }]);
  expect((of("a\\*b*") as { query_string: { query: string } }).query_string.query).toBe("a\\*b*");
});

test("mistakes are named with their place", () => {
  const mistake = (text: string): Mistake => {
    try {
      check(read(text), FIELDS);
    } catch (e) {
      return e as Mistake;
    }
    throw new Error(`${text} has no mistake`);
  };
  expect(mistake('a "b')).toMatchObject({ from: 2, to: 4, message: expect.stringContaining("no end") });
  expect(mistake("(a")).toMatchObject({ from: 0, to: 1 });
  expect(mistake("a)")).toMatchObject({ from: 1, to: 2 });
  expect(mistake("level: x")).toMatchObject({ from: 0, to: 6, message: expect.stringContaining("Which level?") });
  expect(mistake("a OR")).toMatchObject({ message: expect.stringContaining("missing after OR") });
  expect(mistake("()").message).toContain("nothing between");
  expect(mistake("status:[1 2]").message).toContain("[low TO high]");
  expect(mistake("status:abc").message).toBe("status holds numbers (long), and abc is none");
  expect(mistake("status:>x").message).toContain("x is none");
  expect(mistake("status:5*").message).toContain("status is no text (long), so * and ? find nothing in it: write status:[low TO high]");
  expect(mistake("ip:hello").message).toContain("10.0.0.0/8");
  expect(mistake("ok:maybe").message).toContain("true or false");
  expect(mistake("(".repeat(60) + "a").message).toContain("50 deep");
});

test("an unknown field is told, with the one that was meant", () => {
  expect(check(read("levle:x"), FIELDS)).toEqual(["No field is called levle; did you mean level?"]);
  expect(check(read("labels.app:x"), FIELDS)).toEqual([]);
  expect(check(read("nothing:x"), FIELDS)[0]).toContain("put the text in quotes");
});

test("any text neither hangs nor breaks the reader", () => {
  const signs = ['"', "(", ")", ":", "-", "*", "\\", "[", "]", "{", "}", " ", "a", "OR", "TO", ">", "🦉", "שלום"];
  let seed = 42;
  let shortest = Infinity;
  Error.stackTraceLimit = 0; // a trace costs a hundred times what reading costs
  for (let n = 0; n < 2000; n++) {
    let text = "";
    for (let i = 0; i < 1 + (n % 9); i++) text += signs[((seed = (Math.imul(seed, 1103515245) + 12345) | 0) >>> 12) % signs.length];
    try {
      shortest = Math.min(shortest, JSON.stringify(dsl(read(text), FIELDS)).length);
    } catch (e) {
      if (!(e instanceof Mistake)) throw new Error(`${JSON.stringify(text)}: ${String(e)}`);
    }
  }
  expect(shortest).toBe('{"match_all":{}}'.length);
});

test("a clause that is added can be read back, and undoes its opposite", () => {
  for (const value of ["ERROR", 'say "hi"', "a b", "OR", "x:y", "back\\slash", "(", "-5", "מלון", "*"]) {
    expect(dsl(read(clause("level", value)), FIELDS)).toEqual(/^\p{L}+$/u.test(value) && value !== "OR" ? either("level", value) : { match_phrase: { level: value } });
  }
  for (const name of ["名前", "größe", "two words", "1st", "a:b", "k8s.labels/app", "a(b)", "-x", "back\\slash", "😀"]) {
    expect(dsl(read(clause(name, "")), FIELDS), name).toEqual({ match_phrase: { [name]: "" } });
    expect(dsl(read(clause(name, "v", true)), FIELDS), name).toEqual({ bool: { must_not: [{ match_phrase: { [name]: "v" } }] } });
  }
  expect(added("a", "level:x")).toBe("a level:x");
  expect(added("a level:x", "level:x")).toBe("a level:x");
  expect(added("a -level:x b", "level:x")).toBe("a b level:x");
  expect(added("a OR b", "level:x")).toBe("(a OR b) level:x");
});

test("raw queries: an object, or a body with one", () => {
  expect(raw('{"term":{"a":1}}')).toEqual({ term: { a: 1 } });
  expect(raw('{"query":{"term":{"a":1}}}')).toEqual({ term: { a: 1 } });
  expect(written(raw('{"term":{"a":9223372036854775807}}'))).toBe('{"term":{"a":9223372036854775807}}');
  expect(narrowed('{"term":{"a":9223372036854775807}}', { term: { b: 1 } }, false)).toContain("9223372036854775807");
  expect(() => raw("{")).toThrow("no JSON");
  expect(() => raw("[]")).toThrow("object");
});

test("a view is its address and back; times as people type them", () => {
  const view = { ...FIRST, index: "logs-*", query: 'level:"a b" & #', columns: ["a", "b.c"], from: "2026-11-22T00:00:00.000Z", to: "now-1h", wrap: true, tab: "patterns" as const, time: "logged_at" };
  expect(viewOf(hashOf(view))).toEqual(view);
  const now = Date.UTC(2026, 10, 22, 12);
  expect(moment("now-15m", now, true)).toBe(now - 900_000);
  expect(moment("2026-11-22 11:00", now, true)).toBe(now - 3_600_000);
  expect(moment("2026-11-22T11:00:00Z", now, false)).toBe(now - 3_600_000);
  expect(moment("yesterday", now, true)).toBeUndefined();
  expect(span({ ...FIRST, from: "now", to: "now-1h" }, now, true)).toBeUndefined();
  expect(step({ from: 0, to: 900_000 }, 90)).toBe(10_000);
});

test("levels of any naming and numbering are one of six, or none", () => {
  for (const [level, all] of Object.entries({
    fatal: [0, 1, 2, 60, "CRITICAL", "panic"], error: [3, 50, "50", "ERR", "e"], warn: [4, 40, "Warning"], info: [5, 6, 30, "notice"],
    debug: [7, 20, "fine"], trace: [10, "VERBOSE"], "": ["", undefined, -1, 8, 99, 3.5, "hello", { number: 3 }],
  })) for (const each of all) expect(levelOf(each), String(each)).toBe(level);
});

test("whole numbers keep all their digits", () => {
  const text = '{"id":9223372036854775807,"small":5,"text":"1234567890123456789","list":[-9223372036854775808]}';
  const json = parsed(text) as { id: Long };
  expect(json.id.digits).toBe("9223372036854775807");
  expect(written(json)).toBe(text);
});

test("patterns: digits are variables, and so is a word in which like lines differ", () => {
  const lines = [
    ...Array.from({ length: 20 }, (_, i) => `user u${i} logged in from 10.0.0.${i}`),
    ...["alice", "bob", "carol"].map((n) => `session of ${n} has been closed by peer`),
  ];
  const found = templates(lines);
  expect(found.map((t) => [t.tokens.join(" "), t.lines])).toEqual([
    ["user * logged in from *", 20], ["session of * has been closed by peer", 3]]);
  expect(phrases(found[0] as (typeof found)[0])).toEqual(["user", "logged in from"]);
});

test("a cell of a table is text, never a formula", () => {
  expect(["a", 'say "x"', "a,b", "=1+1", "-5", "@x"].map(cell)).toEqual(["a", '"say ""x"""', '"a,b"', "'=1+1", "-5", "'@x"]);
});
