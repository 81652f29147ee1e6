// A document as what a row shows: its message, its level, its fields by dotted names.

import { Long, written, type Json } from "../shared/json.ts";
import type { Field } from "./field.ts";

/** What a search gives of a document. */
export interface Hit {
  _index: string;
  _id: string;
  _source?: Json;
  sort?: unknown[];
  /** Values of the fields that were asked for beside the source. */
  fields?: Record<string, unknown[]>;
}

export interface Row {
  key: string;
  index: string;
  id: string;
  /** Milliseconds; NaN without a time. */
  ms: number;
  /** The time with all its digits. */
  time: string;
  source: Json;
  /** The beginning of the whole document as JSON, where a line has no message. */
  said?: string;
}

/** A hit as a row; with the field that it is sorted by, with its time. */
export function rowOf(hit: Hit, by?: Field): Row {
  const time = by ? timeOf(hit.sort?.[0], by) : "";
  return { key: `${hit._index}/${hit._id}`, index: hit._index, id: hit._id, ms: Date.parse(time), time, source: hit._source ?? {} };
}

/** A sort value of a date, milliseconds or nanoseconds since 1970, as an ISO time with all its digits; empty without a time that a calendar has. */
export function timeOf(value: unknown, by: Field): string {
  const digits = String(value ?? "");
  // a document without the field sorts by the least or the greatest long
  if (!/^-?\d+$/.test(digits) || /^-?922337203685477580[78]$/.test(digits)) return "";
  const nanos = by.types.includes("date_nanos");
  const date = new Date(Number(nanos ? digits.slice(0, -6) : digits));
  // microseconds that somebody wrote as milliseconds
  if (Number.isNaN(date.getTime())) return "";
  const iso = date.toISOString();
  return nanos ? `${iso.slice(0, -1)}${digits.slice(-6)}Z` : iso;
}

/** The value at a dotted name, whether the dots are in the name or between objects. */
export function valueAt(source: unknown, name: string): unknown {
  if (source === null || typeof source !== "object" || source instanceof Long) return undefined;
  if (Array.isArray(source)) {
    const found = source.map((each) => valueAt(each, name)).filter((v) => v !== undefined);
    return found.length ? (found.length === 1 ? found[0] : found.flat()) : undefined;
  }
  const object = source as Record<string, unknown>;
  if (Object.hasOwn(object, name)) return object[name];
  for (let dot = name.indexOf("."); dot > 0; dot = name.indexOf(".", dot + 1)) {
    const found = valueAt(object[name.slice(0, dot)], name.slice(dot + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A field's value: of a multi-field such as message.keyword that of the field itself. */
export function fieldValue(row: Row, name: string): unknown {
  const value = valueAt(row.source, name);
  return value === undefined && name.endsWith(".keyword") ? valueAt(row.source, name.slice(0, -8)) : value;
}

/** A value as text. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  if (value instanceof Long) return value.digits;
  if (Array.isArray(value) && value.every((v) => typeof v !== "object" || v instanceof Long)) return value.map(textOf).join(", ");
  return typeof value === "object" ? written(value) : String(value);
}

/** Names and values of a document, depth first; at most so many. */
export function leaves(source: unknown, most: number, prefix = "", into: [string, unknown][] = []): [string, unknown][] {
  for (const [name, value] of Object.entries((source ?? {}) as Record<string, unknown>)) {
    if (into.length >= most) break;
    const path = prefix + name;
    // lists in lists hold values as one list does
    for (const each of [value].flat(9).slice(0, 20)) {
      if (each && typeof each === "object" && !(each instanceof Long)) leaves(each, most, `${path}.`, into);
      else into.push([path, each]);
    }
  }
  return into;
}

export type Level = "trace" | "debug" | "info" | "warn" | "error" | "fatal" | "";

/** A level of any naming as one of six. */
export function levelOf(value: unknown): Level {
  const text = textOf(value).toLowerCase();
  if (!text) return "";
  // 0 to 7 as syslog and GELF count, 10 to 60 as pino and bunyan do
  const n = Number(text);
  if (n >= 0) return (n < 8 ? (["fatal", "fatal", "fatal", "error", "warn", "info", "info", "debug"] as const)[n] : (["trace", "debug", "info", "warn", "error", "fatal"] as const)[Math.floor(n / 10) - 1]) ?? "";
  if (/^(fatal|crit|critical|alert|emerg|emergency|panic|severe)/.test(text)) return "fatal";
  if (/^(err|error|eror)/.test(text) || text === "e") return "error";
  if (/^warn/.test(text) || text === "w") return "warn";
  if (/^(info|notice|note|log)/.test(text) || text === "i" || text === "normal") return "info";
  if (/^(debug|fine|config)/.test(text) || text === "d") return "debug";
  if (/^(trace|verbose|finer|finest)/.test(text)) return "trace";
  return "";
}

// eslint-disable-next-line no-control-regex
const ANSI = /\u001b\[[0-9;]*[A-Za-z]/g;

/** Text for one line: without colour codes of terminals, line ends as a sign. */
export function oneLine(text: string, most: number): string {
  // never a half of a sign that takes two
  const cut = text.length > most ? `${text.slice(0, most).replace(/[\ud800-\udbff]$/, "")}…` : text;
  return cut.replace(ANSI, "").replace(/\r?\n/g, " ⏎ ").replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, "�");
}

/** The message of a line; undefined without one. */
export function saidBy(row: Row, field: string | undefined): string | undefined {
  const value = field ? valueAt(row.source, field) : undefined;
  if (value !== undefined && value !== null && value !== "") return textOf(value);
  for (const name of ["message", "body", "msg", "log"]) {
    const other = valueAt(row.source, name);
    if (typeof other === "string" && other) return other;
  }
  return undefined;
}

/** What a line says: its message, or the whole document. */
export function messageOf(row: Row, field: string | undefined): string {
  // once a row: one of a megabyte takes longer than a frame
  return saidBy(row, field) ?? (row.said ??= written(row.source).slice(0, 5000));
}
