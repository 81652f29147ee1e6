// Which fields an index pattern has, and which of them are its time, its level and its message.

import { NUMBERS, type Field } from "./field.ts";
import { call, TooLarge, TooSlow } from "./http.ts";

const TIMES = ["@timestamp", "time", "timestamp", "ts", "startTime", "start_time", "event.created", "date", "datetime", "created_at", "observedTime"];
const LEVELS = ["level", "log.level", "severity", "severity.text", "severityText", "loglevel", "log_level", "lvl", "level_name", "priority", "level.keyword", "severity.keyword", "log.level.keyword"];
const MESSAGES = ["message", "body", "msg", "log", "event.original", "body.text", "line", "text", "log.original", "raw"];
const TRACES = ["trace_id", "traceId", "trace.id", "traceID", "TraceId", "traceid", "trace_id.keyword", "traceId.keyword", "trace.id.keyword"];
const SPANS = ["span_id", "spanId", "span.id", "spanID", "SpanId"];
const SOURCES = ["service", "service.name", "serviceName", "resource.attributes.service.name", "host", "host.name", "hostname", "container", "container.name", "kubernetes.pod.name", "pod", "file", "log.file.path", "app"];

const MOST_BYTES = 4 * 1024 * 1024;

interface Caps {
  fields?: Record<string, Record<string, { type: string; searchable: boolean; aggregatable: boolean; indices?: string[] }>>;
}

export class Fields {
  readonly #byName = new Map<string, Field>();
  readonly #nested: string[] = [];
  #sorted: Field[] | undefined;
  /** What every row asks for again, by what it is; among thousands of fields each answer is a search. */
  readonly #roles = new Map<string, string | undefined>();
  /** Every field is known; otherwise only well-known ones and those of the lines that were read. */
  complete = false;
  /** There are more than this page reads. */
  many = false;
  /** The field that somebody chose as the time; "" without. */
  chosen = "";

  add(caps: Caps): void {
    this.#sorted = undefined;
    this.#roles.clear();
    for (const [name, types] of Object.entries(caps.fields ?? {})) {
      if (name.startsWith("_")) continue;
      if (types.nested) this.#nested.push(name);
      const known = Object.entries(types).filter(([type]) => type !== "unmapped" && type !== "object" && type !== "nested");
      if (!known.length) continue;
      this.#byName.set(name, {
        name,
        types: known.map(([type]) => type),
        aggregatable: known.every(([, t]) => t.aggregatable),
        searchable: known.some(([, t]) => t.searchable),
        where: Object.fromEntries(known.map(([type, t]) => [type, t.indices ?? []])),
      });
    }
  }

  get(name: string): Field | undefined {
    return this.#byName.get(name);
  }

  list(): Field[] {
    return (this.#sorted ??= [...this.#byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1)));
  }

  /** Whether a field that is not listed may exist: one that every document has, or one below one that keeps its own names, such as flat_object. */
  mayHold(name: string): boolean {
    const steps = name.split(".");
    return /^_(id|index|routing)$/.test(name) || steps.some((_, i) => /flat|object|join/.test(this.#byName.get(steps.slice(0, i).join("."))?.types[0] ?? ""));
  }

  /** The innermost objects with documents of their own, of the type nested, that a field is in. */
  nested(name: string): string | undefined {
    return this.#nested.filter((n) => name.startsWith(`${n}.`)).sort().at(-1);
  }

  /** Whether a query can look for a value of this field. */
  findable(name: string): boolean {
    return this.get(name)?.searchable ?? (!this.complete || this.mayHold(name));
  }

  /** Where words without a field are looked for. */
  forWords(most: number): string[] {
    if (this.complete && this.#byName.size <= most) return ["*"];
    const texts = this.list().filter((f) => f.searchable && f.types.some((t) => /text|keyword|wildcard/.test(t)));
    const first = [...MESSAGES.filter((m) => this.#byName.has(m)), ...texts.map((f) => f.name)];
    return first.length ? [...new Set(first)].slice(0, most) : ["*"];
  }

  /** The field whose name is nearest to what was typed. */
  near(name: string): string | undefined {
    const wanted = name.toLowerCase();
    const last = wanted.split(".").at(-1) as string;
    return (
      this.list().find((f) => f.name.toLowerCase() === wanted)?.name ??
      this.list().find((f) => f.name.toLowerCase().split(".").at(-1) === last)?.name ??
      this.list().find((f) => f.name.length > 2 && distance(f.name.toLowerCase(), wanted) <= (wanted.length > 4 ? 2 : 1))?.name
    );
  }

  #first(names: string[], fits: (field: Field) => boolean): string | undefined {
    return names.find((name) => {
      const field = this.#byName.get(name);
      return field && fits(field);
    });
  }

  #once(role: string, find: () => string | undefined): string | undefined {
    if (!this.#roles.has(role)) this.#roles.set(role, find());
    return this.#roles.get(role);
  }

  time(): Field | undefined {
    const isDate = (f: Field): boolean => f.types.some((t) => t === "date" || t === "date_nanos");
    const name = this.#once(`time ${this.chosen}`, () => this.#first([this.chosen, ...TIMES], isDate) ?? this.list().find((f) => isDate(f) && f.searchable)?.name);
    return name === undefined ? undefined : this.#byName.get(name);
  }

  level(): string | undefined {
    return this.#once("level", () => this.#first(LEVELS, (f) => f.aggregatable) ?? this.#first(LEVELS, () => true) ?? this.list().find((f) => f.aggregatable && /(^|[._])(level|severity(_?text)?)$/i.test(f.name))?.name);
  }

  message(): string | undefined {
    return this.#once("message", () => {
      const texts = this.list().filter((f) => f.types.some((t) => /text/.test(t)));
      return this.#first(MESSAGES, (f) => f.types.some((t) => /text|keyword|wildcard/.test(t)))
        ?? (texts.find((f) => /(message|msg|body|payload)$/i.test(f.name)) ?? texts[0])?.name;
    });
  }

  /** The template of each message (log_template), by which similar lines can be counted. */
  template(): string | undefined {
    const message = this.message();
    return this.list().find((f) => f.aggregatable && f.name.startsWith(`${message}.`) && /template/.test(f.name))?.name;
  }

  trace(): string | undefined {
    return this.#first(TRACES, () => true);
  }

  span(): string | undefined {
    return this.#first(SPANS, () => true);
  }

  /** Fields that say where a line comes from; at most three. */
  sources(): string[] {
    const found = SOURCES.filter((name) => this.#byName.get(name)?.searchable);
    return found.slice(0, 3);
  }

  /** A field to count values by: itself, or its keyword. */
  countable(name: string): string | undefined {
    return this.nested(name) ? undefined : [name, `${name}.keyword`].find((n) => this.#byName.get(n)?.aggregatable && !/^geo|_range$/.test(this.#byName.get(n)?.types[0] ?? ""));
  }

  numbers(): string[] {
    return this.list().filter((f) => f.name === this.countable(f.name) && f.types.every((t) => NUMBERS.includes(t))).map((f) => f.name);
  }
}

/** Names to ask for first: small, and enough to show lines. */
export const WELL_KNOWN = [...new Set([...TIMES, ...LEVELS, ...MESSAGES, ...TRACES, ...SPANS, ...SOURCES, "*.template_id"])];

/** Asks for the fields of an index pattern with these names. */
export async function askFields(fields: Fields, index: string, names: string, signal: AbortSignal): Promise<void> {
  const path = `${encodeURIComponent(index)}/_field_caps?ignore_unavailable=true&allow_no_indices=true&fields=${encodeURIComponent(names)}`;
  fields.add(await call<Caps>("GET", path, undefined, { signal, mostBytes: MOST_BYTES, limitMillis: 8000 }));
}

/** Asks for all fields; of a pattern with too many of them only those that are known already stay. */
export async function askAllFields(fields: Fields, index: string, signal: AbortSignal): Promise<void> {
  try {
    await askFields(fields, index, "*", signal);
    fields.complete = true;
  } catch (e) {
    if (!(e instanceof TooLarge || e instanceof TooSlow)) throw e;
    fields.many = true;
  }
}

/** How many letters differ. */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return 9;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min((row[j] as number) + 1, (next[j - 1] as number) + 1, (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1));
    }
    row = next;
  }
  return row[b.length] as number;
}
