// A JSON value as a tree that opens in place. Long texts and wide objects are cut until somebody asks.

import { h } from "../shared/dom.ts";
import { Long, written } from "../shared/json.ts";
import { bytes } from "../shared/format.ts";
import { upright } from "./pieces.ts";

const LONG_TEXT = 2000;
const WIDE = 200;

/** A text that shows its beginning, and all of it on demand. */
export function longText(text: string, render: (text: string) => HTMLElement): HTMLElement {
  if (text.length <= LONG_TEXT) return render(text);
  const more = h("button.link", {
    onclick: () => more.parentElement?.replaceWith(render(text)),
  }, `show all ${bytes(text.length)}`);
  return h("span", render(`${text.slice(0, LONG_TEXT)}…`), " ", more);
}

/** A value; objects and arrays are open down to a depth. */
export function tree(value: unknown, open = 1): HTMLElement {
  if (value === null || typeof value !== "object" || value instanceof Long) {
    const kind = value === null ? "null" : value instanceof Long ? "number" : typeof value;
    if (typeof value === "string") return longText(value, (text) => h("bdi.j-string", JSON.stringify(upright(text))));
    return h("span", { class: `j-${kind}` }, written(value));
  }
  const list = Array.isArray(value);
  const entries = Object.entries(value);
  if (!entries.length) return h("span.muted", list ? "[]" : "{}");
  const children = h("ul.tree");
  const details = h("details", h("summary", list ? `[ ${entries.length} ]` : `{ ${entries.length} }`), children);
  const show = (from: number): void => {
    for (const [name, child] of entries.slice(from, from + WIDE)) {
      children.append(h("li", list ? null : h("bdi.j-name", `${name}: `), tree(child, open - 1)));
    }
    const rest = entries.length - from - WIDE;
    if (rest > 0) {
      const more = h("button.link", { onclick: () => { more.closest("li")?.remove(); show(from + WIDE); } }, `${rest} more`);
      children.append(h("li", more));
    }
  };
  const fill = (): void => {
    if (details.open && !children.childElementCount) show(0);
  };
  details.addEventListener("toggle", fill);
  details.open = open > 0;
  fill();
  return details;
}
