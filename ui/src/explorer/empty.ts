// What stands in place of lines when there are none: why, and what to do.

import { h } from "../shared/dom.ts";
import { count } from "../shared/format.ts";
import { base } from "./pieces.ts";
import { typedName } from "./query.ts";
import { bounded, search, type Scope } from "./search.ts";
import { LAST, stamp } from "./view.ts";

function commands(...lines: string[]): HTMLElement {
  return h("pre", { tabindex: 0 }, lines.join("\n"));
}

/** A cluster without any index. */
export function noIndices(): HTMLElement {
  return h("section.empty",
    h("h2", "There are no logs yet"),
    h("p", "This cluster has no index. Any of these brings the first lines in; this page then shows them by itself."),
    h("p", "Generated lines, to look around:"), commands("./millrace demo"),
    h("p", "Your own file, once or as it grows:"), commands("./millrace ingest app.log", "./millrace ingest --follow app.log"),
    h("p", "One line by hand:"),
    commands(`curl -s '${base()}/logs-first/_doc?refresh=true' -H 'Content-Type: application/json' \\`, `  -d '{"@timestamp":"'$(date -u +%FT%TZ)'","level":"INFO","message":"hello"}'`));
}

/** A pattern that no index fits. */
export function noSuchIndex(pattern: string, names: string[], choose: (name: string) => void): HTMLElement {
  return h("section.empty",
    h("h2", `No open index is called ${pattern}`),
    h("p", "There are: ", ...names.slice(0, 20).flatMap((n) => [h("button.link", { onclick: () => choose(n) }, n), " "])));
}

/** Nothing was found: what there is at other times. */
export async function nothingFound(scope: Scope, signal: AbortSignal, look: (from: string, to: string) => void): Promise<HTMLElement> {
  const out = h("section.empty", h("h2", "Nothing was found"));
  const time = scope.time?.name;
  const answer = await search(scope.index, {
    size: 0, timeout: "5s", track_total_hits: true, query: bounded({ ...scope, span: undefined }),
    ...(time ? { aggs: { last: { max: { field: time } }, none: { missing: { field: time } } } } : {}),
  }, { signal });
  const total = answer.hits.total?.value ?? 0;
  const last = (answer.aggregations?.last as { value?: number | null } | undefined)?.value ?? NaN;
  const none = (answer.aggregations?.none as { doc_count?: number } | undefined)?.doc_count ?? 0;
  if (!total) out.append(h("p", "No line of any time matches. Take a part of the query away, or choose another index."));
  else if (scope.span) {
    const known = Math.abs(last) < LAST;
    const around = Math.max(scope.span.to - scope.span.from, 9e5);
    out.append(
      h("p", `Not in this time; ${count(total)} lines of other times match${known ? `, the newest at ${stamp(last, true)} UTC` : ""}.`),
      h("div.tools",
        known && h("button", { onclick: () => look(new Date(last - around).toISOString(), new Date(last + 1).toISOString()) }, "Go to the newest"),
        h("button", { onclick: () => look("", "now") }, "All times")));
  }
  if (none) out.append(h("p", `${count(none)} documents that match have no ${time}, so no time shows them; the query -${typedName(time as string)}:* at "all times" does.`));
  return out;
}
