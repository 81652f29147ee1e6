// Requests to the node that served the page: with a limit of time and of bytes, ended when they are
// replaced, and with errors in words. Addresses are relative to /_millrace/, so that a proxy may put a
// path in front.

import { parsed, written, type Json } from "../shared/json.ts";

/** The node answered with an error. */
export class Refused extends Error {
  constructor(readonly status: number, readonly kind: string, reason: string) {
    super(reason);
  }
}

/** An answer has more bytes than were asked for. */
export class TooLarge extends Error {}

/** No answer within the request's limit. */
export class TooSlow extends Error {}

export interface Limits {
  signal?: AbortSignal;
  /** Most bytes of an answer; 48 MB without. */
  mostBytes?: number;
  /** Most milliseconds; 20,000 without. */
  limitMillis?: number;
  /** Told the size of the answer. */
  size?: (bytes: number) => void;
}

/** One request. Ends with an error of this file, an AbortError, or a TypeError where nothing answers. */
export async function call<T>(method: string, path: string, body: unknown, limits: Limits = {}): Promise<T> {
  const own = new AbortController();
  let late = false;
  const { limitMillis = 20_000 } = limits;
  const timer = setTimeout(() => {
    late = true;
    own.abort();
  }, limitMillis);
  const abort = (): void => own.abort();
  limits.signal?.addEventListener("abort", abort);
  if (limits.signal?.aborted) abort();
  try {
    const answer = await fetch(`../${path}`, {
      method,
      signal: own.signal,
      cache: "no-store",
      headers: body === undefined ? { accept: "application/json" } : { accept: "application/json", "content-type": "application/json" },
      body: body === undefined ? undefined : written(body),
    });
    const text = await bounded(answer, limits.mostBytes ?? 48 * 1024 * 1024, own);
    limits.size?.(text.length);
    if (!answer.ok) throw refused(answer.status, text);
    return (text ? parsed(text) : {}) as T;
  } catch (e) {
    if (late) throw new TooSlow(`No answer within ${limitMillis / 1000} seconds.`);
    throw e;
  } finally {
    clearTimeout(timer);
    limits.signal?.removeEventListener("abort", abort);
  }
}

async function bounded(answer: Response, most: number, controller: AbortController): Promise<string> {
  const reader = answer.body?.getReader();
  if (!reader) return answer.text();
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > most) {
      controller.abort();
      throw new TooLarge(`more than ${most} bytes`);
    }
    text += decoder.decode(value, { stream: true });
  }
}

interface ErrorBody {
  error?: string | { type?: string; reason?: string; root_cause?: { type?: string; reason?: string }[]; failed_shards?: { reason?: Cause }[]; caused_by?: Cause };
}
interface Cause {
  type?: string;
  reason?: string;
  caused_by?: Cause;
}

function refused(status: number, text: string): Refused {
  try {
    const { error } = JSON.parse(text) as ErrorBody;
    if (typeof error === "string") return new Refused(status, "", error);
    const cause = deepest(error?.failed_shards?.[0]?.reason ?? error?.caused_by) ?? error?.root_cause?.[0] ?? error;
    return new Refused(status, error?.root_cause?.[0]?.type ?? error?.type ?? "", cause?.reason ?? error?.reason ?? text.slice(0, 300));
  } catch {
    return new Refused(status, "", text.slice(0, 300));
  }
}

function deepest(cause: Cause | undefined): Cause | undefined {
  return cause?.caused_by ? deepest(cause.caused_by) : cause;
}

/** Whether a request ended because something else replaced it. */
export function replaced(e: unknown): boolean {
  return e instanceof DOMException && e.name === "AbortError";
}

/** Whether the same request may succeed when a node is back. */
export function passing(e: unknown): boolean {
  return e instanceof TypeError || (e instanceof Refused && e.status >= 502);
}

/** Whether the user may not read what was asked for. */
export function forbidden(e: unknown): boolean {
  return e instanceof Refused && (e.status === 401 || e.status === 403);
}

/** An error for people: what happened and what to do. */
export function words(e: unknown): string {
  if (e instanceof TooSlow) return `${e.message} Take a shorter time or a narrower query.`;
  if (e instanceof TooLarge) return "The answer is larger than this page reads. Take a shorter time or a narrower query.";
  if (e instanceof Refused) {
    if (e.status === 429) return `The cluster is busy and refused the search (429): ${e.message} Try again in some seconds, or take a shorter time.`;
    if (forbidden(e)) return `You may not read this: ${e.message}`;
    if (e.kind === "index_not_found_exception") return `${e.message}. Choose another index above.`;
    if (/cancel/i.test(e.kind + e.message)) return `The cluster ended the search before it was done: ${e.message}. Search again (r), or take a shorter time.`;
    if (e.status === 503) return `The cluster cannot answer now (503): ${e.message}. Some shards may have no node.`;
    return `The search was refused (${e.status}): ${e.message}`;
  }
  if (e instanceof TypeError) return "This node gives no answer. It may be down or out of reach; open this page on another node.";
  return e instanceof Error ? e.message : String(e);
}

export interface Shards {
  total: number;
  successful: number;
  failed: number;
  failures?: { index?: string; reason?: Json & { reason?: string; type?: string } }[];
}

/** What is missing in an answer that came; empty where it is whole. */
export function missing(answer: { timed_out?: boolean; _shards?: Shards }): string {
  const notes: string[] = [];
  if (answer.timed_out) notes.push("The search stopped after 10 seconds: what stands here is a part.");
  const { total = 0, successful = 0, failed = 0 } = answer._shards ?? {};
  // a shard that no node has is neither successful nor failed
  const lost = Math.max(failed, total - successful);
  if (lost) {
    const first = answer._shards?.failures?.[0];
    notes.push(`${lost} of ${total} shards did not answer, so lines are missing` +
      (first ? ` (${first.index ?? ""}: ${deepest(first.reason as Cause)?.reason ?? first.reason?.type ?? ""}).` : failed ? "." : ": no node has them."));
  }
  return notes.join(" ");
}

/** Requests of one kind, of which the last counts. */
export class Latest {
  #controller = new AbortController();

  /** Ends the former ones. */
  next(): AbortSignal {
    this.#controller.abort();
    this.#controller = new AbortController();
    return this.#controller.signal;
  }

  stop(): void {
    this.#controller.abort();
  }
}
