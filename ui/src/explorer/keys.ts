// The keyboard: one letter for each thing, a list of them at ?.

import { h } from "../shared/dom.ts";

export interface Key {
  key: string;
  /** As people call it, where it is no letter. */
  name?: string;
  does: string;
  run: () => void;
}

/** Listens for keys outside of inputs; Escape leaves an input. An open dialog has the keyboard for itself. */
export function listen(keys: Key[]): void {
  const byKey = new Map(keys.map((k) => [k.key, k]));
  document.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || e.defaultPrevented || document.querySelector("dialog[open]")) return;
    const target = e.target as HTMLElement;
    if (target.matches("input:not([type=checkbox]), textarea, select")) {
      if (e.key === "Escape") target.blur();
      return;
    }
    if (e.key === "Enter" && target.matches("button, a, summary")) return;
    const key = byKey.get(e.key);
    if (!key) return;
    e.preventDefault();
    key.run();
  });
}

/** The list of keys, in a dialog. */
export function keyList(keys: Key[]): HTMLDialogElement {
  const dialog = h("dialog.keys", { "aria-label": "Keys" },
    h("h2", "Keys"),
    h("dl", ...keys.flatMap((k) => [h("dt", h("kbd", k.name ?? k.key)), h("dd", k.does)])),
    h("p.note", "In the query: down and up choose a completion, Enter searches, Escape leaves. In the bars: arrows move, with Shift they mark, Enter takes that time."),
    h("button", { onclick: () => dialog.close() }, "Close"));
  return dialog;
}
