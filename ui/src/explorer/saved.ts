// Views that were looked at, and views with a name. They stay in this browser; a link carries them elsewhere.

import { fill, h } from "../shared/dom.ts";
import { keep, kept } from "../shared/choices.ts";
import { small } from "./pieces.ts";
import { hashOf, viewOf, type View } from "./view.ts";

const MOST = 30;
const FAVOURITES = "explorer.favourites";
const HISTORY = "explorer.history";

interface Saved {
  name: string;
  hash: string;
}

function load(name: string): Saved[] {
  try {
    const all = JSON.parse(kept(name) ?? "[]") as unknown;
    return Array.isArray(all) ? all.filter((s): s is Saved => typeof s?.name === "string" && typeof s?.hash === "string") : [];
  } catch {
    return [];
  }
}

export class SavedViews {
  readonly element = h("div.saved", { id: "saved", hidden: true });
  readonly #name = h("input", { type: "text", size: 24, "aria-label": "Name of this view", placeholder: "name of this view", onkeydown: (e) => (e as KeyboardEvent).key === "Enter" && this.#star() });

  constructor(private readonly current: () => View) {}

  /** Remembers a query that was run. */
  remember(view: View): void {
    if (!view.query.trim()) return;
    const entry = { name: view.query.trim(), hash: hashOf({ ...view, tab: "lines", trace: "" }) };
    const before = load(HISTORY).filter((s) => s.name !== entry.name || viewOf(s.hash).index !== view.index);
    keep(HISTORY, JSON.stringify([entry, ...before].slice(0, MOST)));
    this.#draw();
  }

  toggle(): void {
    this.element.hidden = !this.element.hidden;
    this.#draw();
    if (!this.element.hidden) this.#name.focus();
  }

  #star(): void {
    const view = this.current();
    const name = this.#name.value.trim() || view.query || view.index;
    const others = load(FAVOURITES).filter((s) => s.name !== name);
    keep(FAVOURITES, JSON.stringify([{ name, hash: hashOf(view) }, ...others].slice(0, 100)));
    this.#name.value = "";
    this.#draw();
  }

  #draw(): void {
    if (this.element.hidden) return;
    const link = (s: Saved): HTMLElement => h("a", { href: s.hash, onclick: () => (this.element.hidden = true) }, h("bdi", s.name), h("span.muted", ` ${viewOf(s.hash).index}`));
    const favourites = load(FAVOURITES);
    const history = load(HISTORY);
    fill(this.element,
      h("div.tools", this.#name, h("button", { onclick: () => this.#star() }, "Keep this view")),
      h("h2", "Favourites"),
      favourites.length ? h("ul", ...favourites.map((s) => h("li", link(s), small("✕", `Forget ${s.name}`, () => {
        keep(FAVOURITES, JSON.stringify(load(FAVOURITES).filter((o) => o.name !== s.name)));
        this.#draw();
      })))) : h("p.note", "None yet. They stay in this browser; the link of a view works everywhere."),
      h("h2", "Queries before"),
      history.length ? h("ul", ...history.map((s) => h("li", link(s)))) : h("p.note", "None yet."));
  }
}
