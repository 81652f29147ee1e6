// Views that were looked at, and views with a name. They stay in this browser; a link carries them elsewhere.

import { fill, h } from "../shared/dom.ts";
import { keep, kept } from "../shared/choices.ts";
import { hashOf, viewOf, type View } from "./view.ts";

const MOST = 30;

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
  readonly element = h("div", { class: "saved", id: "saved" });
  private readonly name = h("input", { type: "text", size: 24, "aria-label": "Name of this view", placeholder: "name of this view", onkeydown: (e) => (e as KeyboardEvent).key === "Enter" && this.star() });

  constructor(private readonly current: () => View) {
    this.element.hidden = true;
  }

  /** Remembers a query that was run. */
  remember(view: View): void {
    if (!view.query.trim()) return;
    const entry = { name: view.query.trim(), hash: hashOf({ ...view, tab: "lines", trace: "" }) };
    const before = load("explorer.history").filter((s) => s.name !== entry.name || viewOf(s.hash).index !== view.index);
    keep("explorer.history", JSON.stringify([entry, ...before].slice(0, MOST)));
    this.draw();
  }

  toggle(): void {
    this.element.hidden = !this.element.hidden;
    this.draw();
    if (!this.element.hidden) this.name.focus();
  }

  private star(): void {
    const view = this.current();
    const name = this.name.value.trim() || view.query || view.index;
    const others = load("explorer.favourites").filter((s) => s.name !== name);
    keep("explorer.favourites", JSON.stringify([{ name, hash: hashOf(view) }, ...others].slice(0, 100)));
    this.name.value = "";
    this.draw();
  }

  private draw(): void {
    if (this.element.hidden) return;
    const link = (s: Saved): HTMLElement => h("a", { href: s.hash, onclick: () => (this.element.hidden = true) }, h("bdi", {}, s.name), h("span", { class: "muted" }, ` ${viewOf(s.hash).index}`));
    const favourites = load("explorer.favourites");
    const history = load("explorer.history");
    fill(this.element,
      h("div", { class: "tools" }, this.name, h("button", { onclick: () => this.star() }, "Keep this view")),
      h("h2", {}, "Favourites"),
      favourites.length ? h("ul", {}, ...favourites.map((s) => h("li", {}, link(s), h("button", {
        class: "small", "aria-label": `Forget ${s.name}`,
        onclick: () => { keep("explorer.favourites", JSON.stringify(load("explorer.favourites").filter((o) => o.name !== s.name))); this.draw(); },
      }, "✕")))) : h("p", { class: "note" }, "None yet. They stay in this browser; the link of a view works everywhere."),
      h("h2", {}, "Queries before"),
      history.length ? h("ul", {}, ...history.map((s) => h("li", {}, link(s)))) : h("p", { class: "note" }, "None yet."));
  }
}
