// What was found as a file: NDJSON or CSV, page after page from a point in time, written as it comes.

import { written } from "../shared/json.ts";
import { bytes as size, count, whole } from "../shared/format.ts";
import { fieldValue, leaves, rowOf, textOf, type Row } from "./document.ts";
import { missing, Refused } from "./http.ts";
import { MOST_PAGE, Pages, type Scope } from "./search.ts";

/** What a browser keeps in its memory until it saves the file. */
const MOST_KEPT = { lines: 100_000, bytes: 256 * 1024 * 1024 };
/** What is written to the disk while it comes. */
const MOST_STREAMED = { lines: 10_000_000, bytes: 16 * 1024 ** 3 };
/** How often a cluster that is busy is asked again for one page, and how long after, milliseconds. */
const AGAIN = 5;
const WAIT = 2000;

/** A file that is being written: on the disk, or in memory until it is whole. */
interface Sink {
  most: { lines: number; bytes: number };
  write(text: string): Promise<void>;
  end(): Promise<void>;
  /** Leaves no file. */
  drop(): Promise<void>;
}

interface Picker {
  showSaveFilePicker?(options: { suggestedName: string }): Promise<{ createWritable(): Promise<{ write(text: string): Promise<void>; close(): Promise<void>; abort(): Promise<void> }> }>;
}

/** Where the file goes: where the browser lets a page write one, to where the user says. */
async function sink(name: string, type: string): Promise<Sink> {
  const { showSaveFilePicker: picker } = window as Picker;
  if (picker) {
    try {
      const file = await (await picker.call(window, { suggestedName: name })).createWritable();
      return { most: MOST_STREAMED, write: (text) => file.write(text), end: () => file.close(), drop: () => file.abort() };
    } catch (e) {
      if (e instanceof DOMException && e.name === "AbortError") throw e; // the user has chosen no file
    }
  }
  const parts: Blob[] = [];
  return {
    most: MOST_KEPT,
    write: async (text) => void parts.push(new Blob([text])),
    end: async () => {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob(parts, { type }));
      link.download = name;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    },
    drop: async () => void parts.splice(0),
  };
}

/** A value as a cell: quoted where it must be, and never a formula of a spreadsheet. */
export function cell(text: string): string {
  return quoted(/^[=+\-@\t\r]/.test(text) && !/^[+-]?[\d.]+(e[+-]?\d+)?$/i.test(text) ? `'${text}` : text);
}

/** A name as a cell: `@timestamp` is no formula. */
function heading(name: string): string {
  return /^@[\w.]+$/.test(name) ? quoted(name) : cell(name);
}

/** A cell as it stands in the file. */
function quoted(text: string): string {
  return /[",\n\r]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

/** The lines of a scope as a file. Says how far it is; ends early at its limits, and leaves no file where it fails. */
export async function exportLines(scope: Scope, kind: "csv" | "ndjson", columns: string[], tell: (text: string) => void, signal: AbortSignal): Promise<void> {
  const name = `${scope.index.replace(/[^\w.-]+/g, "_").slice(0, 60)}-${new Date().toISOString().slice(0, 19).replace(/:/g, "")}.${kind}`;
  const file = await sink(name, kind === "csv" ? "text/csv" : "application/x-ndjson");
  const pages = new Pages(scope);
  let lines = 0;
  let bytes = 0;
  let lost = "";
  // without chosen columns: those of the first page, and whatever comes later in a column of its own
  let names = columns;
  try {
    while (!pages.ended && lines < file.most.lines && bytes < file.most.bytes) {
      const { hits, answer } = await patient(() => pages.next(Math.min(MOST_PAGE, file.most.lines - lines), signal), tell, signal);
      lost ||= missing(answer);
      const rows = hits.map((hit) => rowOf(hit, scope.time));
      let text = "";
      if (kind === "csv" && !lines) {
        if (!names.length) names = namesOf(rows);
        text = ["_time", "_index", "_id", ...names, ...(columns.length ? [] : ["_others"])].map(heading).join(",") + "\r\n";
      }
      text += rows.map((row) => (kind === "csv" ? record(row, names, !columns.length) : ndjson(row))).join("");
      await file.write(text);
      bytes += text.length;
      lines += rows.length;
      tell(`${count(lines)} lines…`);
    }
    signal.throwIfAborted();
    await file.end();
    tell(`${whole(lines)} lines are in the file${pages.ended ? "" : `, as many as one takes (${whole(file.most.lines)} lines or ${size(file.most.bytes)}); more were found: narrow the time for the others`}. ${lost}`.trim());
  } catch (e) {
    await file.drop().catch(() => undefined);
    throw e;
  } finally {
    pages.close();
  }
}

/** A page of lines; a cluster that is busy is asked again. */
async function patient<T>(ask: () => Promise<T>, tell: (text: string) => void, signal: AbortSignal): Promise<T> {
  for (let again = 0; ; again++) {
    try {
      return await ask();
    } catch (e) {
      if (!(e instanceof Refused) || e.status !== 429 || again >= AGAIN) throw e;
      tell("The cluster is busy; the file waits…");
      await new Promise((done) => setTimeout(done, WAIT));
      signal.throwIfAborted();
    }
  }
}

function namesOf(rows: Row[]): string[] {
  const names = new Set<string>();
  for (const row of rows) for (const [name] of leaves(row.source, 300)) if (names.size < 500) names.add(name);
  return [...names];
}

function record(row: Row, names: string[], others: boolean): string {
  const cells = [row.time, row.index, row.id, ...names.map((n) => textOf(fieldValue(row, n)))];
  if (others) {
    const known = new Set(names);
    const rest = leaves(row.source, 2000).filter(([n]) => !known.has(n));
    cells.push(rest.length ? written(Object.fromEntries(rest)) : "");
  }
  return `${cells.map(cell).join(",")}\r\n`;
}

function ndjson(row: Row): string {
  return `${written({ _index: row.index, _id: row.id, _source: row.source })}\n`;
}
