// What was found as a file: NDJSON or CSV, page after page from a point in time, written as it comes.

import { written } from "../shared/json.ts";
import { count } from "../shared/format.ts";
import { fieldValue, leaves, rowOf, textOf, type Row } from "./document.ts";
import { MOST_PAGE, Pages, type Scope } from "./search.ts";

export const MOST_EXPORTED = 100_000;
const MOST_BYTES = 256 * 1024 * 1024;

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

/** The lines of a scope as a file that the browser saves. Says how far it is; ends early at its limits. */
export async function exportLines(scope: Scope, kind: "csv" | "ndjson", columns: string[], tell: (text: string) => void, signal: AbortSignal): Promise<void> {
  const pages = new Pages(scope);
  const parts: Blob[] = [];
  let lines = 0;
  let bytes = 0;
  // without chosen columns: those of the first page, and whatever comes later in a column of its own
  let names = columns;
  try {
    while (!pages.ended && lines < MOST_EXPORTED && bytes < MOST_BYTES) {
      const { hits } = await pages.next(Math.min(MOST_PAGE, MOST_EXPORTED - lines), signal);
      const rows = hits.map((hit) => rowOf(hit, !!scope.time));
      if (kind === "csv" && !lines) {
        if (!names.length) names = namesOf(rows);
        parts.push(new Blob([["_time", "_index", "_id", ...names, ...(columns.length ? [] : ["_others"])].map(heading).join(",") + "\r\n"]));
      }
      const text = rows.map((row) => (kind === "csv" ? record(row, names, !columns.length) : ndjson(row))).join("");
      const part = new Blob([text]);
      parts.push(part);
      bytes += part.size;
      lines += rows.length;
      tell(`${count(lines)} lines…`);
    }
    if (signal.aborted) return;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob(parts, { type: kind === "csv" ? "text/csv" : "application/x-ndjson" }));
    link.download = `${scope.index.replace(/[^\w.-]+/g, "_").slice(0, 60)}-${new Date().toISOString().slice(0, 19).replace(/:/g, "")}.${kind}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    tell(`${lines.toLocaleString("en-GB")} lines are in the file${pages.ended ? "" : "; more were found than one file takes: narrow the time for the others"}.`);
  } finally {
    pages.close();
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
