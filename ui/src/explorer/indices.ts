// Which indices and data streams there are, and which one is meant when nobody says.

import { call } from "./http.ts";

interface Resolved {
  indices?: { name: string; attributes?: string[] }[];
  aliases?: { name: string }[];
  data_streams?: { name: string }[];
}

export interface Names {
  names: string[];
  /** Patterns that hold several of them, such as logs-*. */
  patterns: string[];
}

/** Names of open indices, aliases and data streams that are not hidden; empty without any. */
export async function askNames(signal: AbortSignal): Promise<Names> {
  const answer = await call<Resolved>("GET", "_resolve/index/*?expand_wildcards=open", undefined, { signal, mostBytes: 8 * 1024 * 1024, limitMillis: 8000 });
  const streams = (answer.data_streams ?? []).map((d) => d.name);
  const names = [...streams, ...(answer.aliases ?? []).map((a) => a.name), ...(answer.indices ?? []).map((i) => i.name)].filter((n) => !n.startsWith("."));
  const groups = new Map<string, number>();
  for (const name of names) {
    const prefix = /^([a-z]+)[-_.]/i.exec(name)?.[0];
    if (prefix) groups.set(`${prefix}*`, (groups.get(`${prefix}*`) ?? 0) + 1);
  }
  return { names: [...new Set(names)].sort(), patterns: [...groups].sort((a, b) => b[1] - a[1]).map(([pattern]) => pattern) };
}

/** What to look at first: logs, or the largest group, or everything. */
export function firstChoice({ names, patterns }: Names): string {
  const logs = patterns.find((p) => /^(app-)?logs?[-_.]/i.test(p)) ?? patterns.find((p) => /^log|beat/i.test(p)) ?? names.find((n) => /(^|[-_.])logs?($|[-_.])/i.test(n));
  return logs ?? (names.length === 1 ? (names[0] as string) : (patterns[0] ?? "*"));
}
