// The bars over the lines. A part of them can be chosen with the pointer or the keyboard; colours are
// those of the levels where the groups are levels.

import { fill, h, say } from "../shared/dom.ts";
import { count } from "../shared/format.ts";
import { levelOf } from "./document.ts";
import { OTHERS, type Timeline } from "./timeline.ts";
import { tint } from "./pieces.ts";
import { stamp } from "./view.ts";

const NS = "http://www.w3.org/2000/svg";
const HEIGHT = 84;
const PALETTE = 7;

function svg(tag: string, attributes: Record<string, string | number>): SVGElement {
  const element = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}

export class Chart {
  readonly element: HTMLElement;
  readonly #plot = svg("svg", { class: "bars", preserveAspectRatio: "none", "aria-hidden": "true" });
  readonly #slider: HTMLElement;
  readonly #legend = h("ul.legend");
  readonly #tip = h("div.tip", { "aria-live": "polite" });
  readonly #ends = h("div.ends.muted", { "aria-hidden": "true" }, h("span"), h("span"));
  #shown: Timeline | undefined;
  #at = -1;
  #anchor = -1;

  constructor(private readonly choose: (from: number, to: number) => void, private readonly narrow: (value: string) => void, private readonly utc: () => boolean) {
    this.#slider = h("div.plotarea", { role: "slider", tabindex: 0, "aria-label": "Time of the bars; arrows move, with Shift they mark, Enter takes the marked time", "aria-valuemin": 0, "aria-valuemax": 0, "aria-valuenow": 0,
      onpointerdown: (e) => {
        this.#slider.setPointerCapture((e as PointerEvent).pointerId);
        this.#at = this.#anchor = this.#indexAt(e as PointerEvent);
        this.#mark();
      },
      onpointermove: (e) => {
        this.#at = this.#indexAt(e as PointerEvent);
        if (!(e as PointerEvent).buttons) this.#anchor = this.#at;
        this.#mark();
      },
      onpointerup: () => this.#take(), onpointerleave: () => this.#unmark(), onblur: () => this.#unmark(), onkeydown: (e) => this.#key(e as KeyboardEvent),
    }, this.#plot);
    this.element = h("div.chart", this.#slider, this.#ends, h("div.under", this.#legend, this.#tip));
  }

  #key(e: KeyboardEvent): void {
    const last = (this.#shown?.times.length ?? 0) - 1;
    const move: Record<string, number> = { ArrowLeft: this.#at - 1, ArrowRight: this.#at + 1, Home: 0, End: last };
    if (e.key in move) {
      this.#at = Math.max(0, Math.min(last, move[e.key] as number));
      if (!e.shiftKey) this.#anchor = this.#at;
      this.#mark();
    } else if (e.key === "Enter" && this.#at >= 0) this.#take();
    else return;
    e.preventDefault();
    e.stopPropagation();
  }

  #indexAt(e: PointerEvent): number {
    const box = this.#slider.getBoundingClientRect();
    const n = this.#shown?.times.length ?? 0;
    return Math.max(0, Math.min(n - 1, Math.floor(((e.clientX - box.left) / box.width) * n)));
  }

  #take(): void {
    const t = this.#shown;
    if (!t || this.#at < 0) return;
    const [low, high] = [Math.min(this.#at, this.#anchor), Math.max(this.#at, this.#anchor)];
    this.choose(t.times[low] as number, (t.times[high] as number) + t.step);
  }

  #unmark(): void {
    this.#at = this.#anchor = -1;
    this.#plot.querySelector(".marked")?.remove();
    say(this.#tip, "");
  }

  #mark(): void {
    const t = this.#shown;
    this.#plot.querySelector(".marked")?.remove();
    if (!t || this.#at < 0) return;
    const [low, high] = [Math.min(this.#at, this.#anchor), Math.max(this.#at, this.#anchor)];
    this.#plot.append(svg("rect", { class: "marked", x: low, y: 0, width: high - low + 1, height: HEIGHT }));
    const parts = t.series.map((s) => {
      const values = s.values.slice(low, high + 1).filter((v): v is number => v !== null);
      const value = this.#stacked(t) ? values.reduce((a, b) => a + b, 0) : Math.max(...values);
      return values.length && value ? `${s.name} ${count(value)}` : "";
    }).filter(Boolean);
    const text = `${stamp(t.times[low] as number, this.utc()).slice(0, -4)}, ${duration((high - low + 1) * t.step)}: ${parts.join(", ") || "nothing"}`;
    say(this.#tip, text);
    this.#slider.setAttribute("aria-valuenow", String(this.#at));
    this.#slider.setAttribute("aria-valuetext", text);
  }

  #stacked(t: Timeline): boolean {
    return !t.series.some((s) => s.name.startsWith("p99 of"));
  }

  /** Draws a timeline; nothing where there is none. */
  show(t: Timeline | undefined, canNarrow: boolean): void {
    this.#shown = t;
    this.element.hidden = !t;
    if (!t) return;
    const n = t.times.length;
    this.#slider.setAttribute("aria-valuemax", String(n - 1));
    this.#plot.setAttribute("viewBox", `0 0 ${n} ${HEIGHT}`);
    this.#plot.replaceChildren();
    const stacked = this.#stacked(t);
    const sums = t.times.map((_, i) => (stacked ? t.series.reduce((sum, s) => sum + (s.values[i] ?? 0), 0) : Math.max(0, ...t.series.map((s) => s.values[i] ?? 0))));
    const top = Math.max(0, ...sums);
    const colours = colour(t.series.map((s) => s.name));
    const base = t.times.map(() => 0);
    const order = stacked ? t.series : [...t.series].reverse();
    for (const series of order) {
      const place = t.series.indexOf(series);
      for (let i = 0; i < n; i++) {
        const value = series.values[i] ?? 0;
        if (!value) continue;
        // the smallest count that is not zero is seen
        const height = Math.max((value / top) * HEIGHT, stacked ? 1 : 2);
        const y = HEIGHT - (stacked ? (base[i] as number) : 0) - height;
        if (stacked) base[i] = (base[i] as number) + height;
        this.#plot.append(tint(svg("rect", { x: i + 0.06, y: stacked ? y : HEIGHT - height, width: 0.88, height }), colours[place] as string));
      }
    }
    fill(this.#legend, ...t.series.map((s, i) => {
      const total = s.values.reduce<number>((a, v) => (stacked ? a + (v ?? 0) : Math.max(a, v ?? 0)), 0);
      const text = [tint(h("span.swatch"), colours[i] as string), h("bdi", s.name), h("b", (stacked ? "" : "most ") + count(total))];
      const can = canNarrow && stacked && s.name !== OTHERS && t.series.length > 0 && s.name !== "lines";
      return h("li", can ? h("button.link", { title: `Only ${s.name}`, onclick: () => this.narrow(s.name) }, ...text) : h("span", ...text));
    }), h("li.muted", `${duration(t.step)} a bar, highest ${count(top)}`));
    const [from, to] = [...this.#ends.children] as [Element, Element];
    say(from, stamp(t.times[0] as number, this.utc()).slice(0, -4));
    say(to, stamp((t.times.at(-1) as number) + t.step, this.utc()).slice(0, -4));
  }
}

function colour(names: string[]): string[] {
  const levels = names.map((n) => levelOf(n));
  const known = levels.some((l) => l !== "");
  return names.map((name, i) => (name === OTHERS ? "rest" : known && levels[i] ? (levels[i] as string) : `c${i % PALETTE}`));
}

/** A length of time in its largest whole unit. */
export function duration(ms: number): string {
  for (const [unit, size] of [["d", 864e5], ["h", 36e5], ["min", 6e4], ["s", 1e3]] as const) {
    if (ms >= size) return `${+(ms / size).toFixed(1)} ${unit}`;
  }
  return `${Math.round(ms)} ms`;
}
