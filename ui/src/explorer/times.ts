// The choice of a time: relative ones at a click, any other typed.

import { fill, h } from "../shared/dom.ts";
import { moment, stamp, type View } from "./view.ts";

const PRESETS: [string, string][] = [
  ["now-5m", "last 5 minutes"], ["now-15m", "last 15 minutes"], ["now-1h", "last hour"], ["now-6h", "last 6 hours"],
  ["now-24h", "last 24 hours"], ["now-7d", "last 7 days"], ["now-30d", "last 30 days"], ["", "all times"],
];

export class Times {
  readonly element: HTMLElement;
  readonly #choice = h("select", { id: "time", onchange: () => this.#chosen() });
  readonly #from = h("input", { id: "from", type: "text", size: 20, "aria-label": "From: now-2h or 2026-11-22 04:00", onkeydown: (e) => this.#key(e as KeyboardEvent) });
  readonly #to = h("input", { id: "to", type: "text", size: 20, "aria-label": "To: now or 2026-11-22 05:00", onkeydown: (e) => this.#key(e as KeyboardEvent) });
  readonly #wrong = h("span.wrong", { role: "alert" });
  readonly #own = h("span.own", this.#from, "–", this.#to, h("button", { onclick: () => this.#typed() }, "Set"), this.#wrong);

  constructor(private readonly set: (from: string, to: string) => void, private readonly utc: () => boolean) {
    this.element = h("span.times", h("label", { for: "time" }, "time"), this.#choice, this.#own);
  }

  focus(): void {
    this.#choice.focus();
  }

  show(view: View): void {
    const preset = view.to === "now" && PRESETS.some(([from]) => from === view.from);
    fill(this.#choice,
      ...PRESETS.map(([value, text]) => h("option", { value }, text)),
      h("option", { value: "own" }, "from … to …"));
    this.#choice.value = preset ? view.from : "own";
    this.#own.hidden = preset;
    const readable = (text: string): string => (/^\d{4}-/.test(text) ? stamp(moment(text, Date.now(), this.utc()) ?? NaN, this.utc()) : text);
    this.#from.value = readable(view.from);
    this.#to.value = readable(view.to);
    fill(this.#wrong);
  }

  #chosen(): void {
    if (this.#choice.value !== "own") return this.set(this.#choice.value, "now");
    this.#own.hidden = false;
    this.#from.focus();
  }

  #key(e: KeyboardEvent): void {
    if (e.key === "Enter") this.#typed();
  }

  #typed(): void {
    const now = Date.now();
    const [from, to] = [this.#from.value.trim(), this.#to.value.trim() || "now"];
    const [a, b] = [moment(from, now, this.utc()), moment(to, now, this.utc())];
    const bad = a === undefined ? from : b === undefined ? to : undefined;
    if (bad !== undefined) return fill(this.#wrong, `${bad || "nothing"} is no time: write now-2h or 2026-11-22 04:00`);
    if ((b as number) <= (a as number)) return fill(this.#wrong, "the end is not after the beginning");
    // what was typed in local time stays that time in a link
    const kept = (text: string, time: number): string => (text.startsWith("now") ? text : new Date(time).toISOString());
    this.set(kept(from, a as number), kept(to, b as number));
  }
}
