// Curves of nodes over time: a uPlot, a sentence for screen readers, and the same as a table.

import uPlot from "uplot";
import { fill, h, say, table } from "../shared/dom.ts";
import { bytesPerSecond, type Format } from "../shared/format.ts";
import type { Model, NodeState } from "./model.ts";

/** More curves than this nobody tells apart; the largest are drawn. */
const MOST_CURVES = 8;
/** The axis grows with what was seen, so that two minutes do not look like an outage of thirteen. */
const WINDOW_SECONDS = 900;
const FIRST_WINDOW_SECONDS = 120;
/** Steps of an axis in bytes. */
const POWERS_OF_TWO = Array.from({ length: 56 }, (_, i) => 2 ** i);

/** Okabe and Ito's palette, which people with any kind of colour vision tell apart; and a dash each. */
const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#a8559b", "#b8860b", "#3b9bd1", "#7a7a7a", "#c2452d"];
const DASHES = [[], [8, 3], [3, 3], [10, 3, 2, 3], [1, 2], [6, 2, 1, 2], [12, 4], [2, 6]];

/** A curve's colour and its name. */
export function swatch(order: number): HTMLElement {
  const mark = h("span", { class: "swatch", "aria-hidden": "true" });
  mark.style.background = COLOURS[order % COLOURS.length] ?? "";
  return mark;
}

export interface Curve {
  key: string;
  label: string;
  order: number;
  values: (number | null)[];
}

export interface PlotSpec {
  id: string;
  title: string;
  /** What is drawn and in what, for the subtitle and for screen readers. */
  unit: string;
  format: Format;
  /** Fixed upper end of the axis, for shares. */
  top?: number;
  curves(model: Model): Curve[];
  /** Whether there is anything to show on this cluster. */
  present?(model: Model): boolean;
  /** A line below the title, such as the cluster's sum. */
  note?(model: Model): string;
}

/** A figure of every node. */
export function ofNodes(model: Model, figure: string): Curve[] {
  return model.list().map((node: NodeState) => ({
    key: node.id,
    label: node.name + (node.gone ? " (gone)" : ""),
    order: node.order,
    values: model.of(figure, node.id),
  }));
}

function recent(values: (number | null)[]): { now: number | null; mean: number | null; most: number | null } {
  const known = values.filter((v): v is number => typeof v === "number");
  const minute = values.slice(-12).filter((v): v is number => typeof v === "number");
  return {
    now: values.at(-1) ?? null,
    mean: minute.length ? minute.reduce((a, b) => a + b, 0) / minute.length : null,
    most: known.length ? Math.max(...known) : null,
  };
}

/** One panel with a plot; {@link update} is called once a round. */
export class PlotPanel {
  readonly element: HTMLElement;
  private readonly canvas = h("div", { class: "plot", role: "img" });
  private readonly note = h("p", { class: "note" });
  private readonly legend = h("ul", { class: "legend" });
  private readonly values = h("div");
  private readonly details: HTMLDetailsElement;
  private plot: uPlot | undefined;
  private keys = "";

  constructor(private readonly spec: PlotSpec) {
    this.details = h("details", { class: "values" }, h("summary", {}, `${spec.title} as a table`), this.values);
    this.details.addEventListener("toggle", () => this.latest && this.update(this.latest));
    this.element = h(
      "section",
      { class: "panel plotted", id: spec.id, "aria-labelledby": `${spec.id}-h` },
      h("h3", { id: `${spec.id}-h` }, spec.title, h("span", { class: "unit" }, spec.unit)),
      this.note,
      this.canvas,
      this.legend,
      this.details,
    );
  }

  private latest: Model | undefined;

  update(model: Model): void {
    this.latest = model;
    this.element.hidden = this.spec.present ? !this.spec.present(model) : false;
    if (this.element.hidden) return;
    const all = this.spec.curves(model);
    const drawn =
      all.length <= MOST_CURVES
        ? all
        : [...all].sort((a, b) => (recent(b.values).mean ?? -1) - (recent(a.values).mean ?? -1)).slice(0, MOST_CURVES);
    say(this.note, [this.spec.note?.(model), all.length > drawn.length && `the ${drawn.length} largest of ${all.length}`]
      .filter(Boolean).join(" · "));
    this.draw(model, drawn);
    fill(
      this.legend,
      ...drawn.map((c) => h("li", {}, swatch(c.order), c.label, h("b", {}, this.spec.format(recent(c.values).now)))),
    );
    this.canvas.setAttribute(
      "aria-label",
      `${this.spec.title}, ${this.spec.unit}: ` +
        (drawn
          .map((c) => {
            const r = recent(c.values);
            return `${c.label} ${this.spec.format(r.now)}, at most ${this.spec.format(r.most)}`;
          })
          .join("; ") || "nothing yet"),
    );
    if (this.details.open) this.tabulate(drawn);
  }

  private tabulate(curves: Curve[]): void {
    fill(
      this.values,
      table(
        `${this.spec.title}, ${this.spec.unit}`,
        [
          { head: "curve" },
          { head: "now", number: true },
          { head: "mean of the last minute", number: true },
          { head: "most in 15 minutes", number: true },
        ],
        curves.map((c) => {
          const r = recent(c.values);
          return [c.label, this.spec.format(r.now), this.spec.format(r.mean), this.spec.format(r.most)];
        }),
      ),
    );
  }

  private draw(model: Model, curves: Curve[]): void {
    const data = [model.times, ...curves.map((c) => c.values)] as uPlot.AlignedData;
    const keys = curves.map((c) => c.key + c.label).join("\n");
    if (!this.plot || keys !== this.keys) {
      this.plot?.destroy();
      this.keys = keys;
      this.plot = new uPlot(this.options(curves), data, this.canvas);
    } else {
      this.plot.setData(data);
    }
    this.fit();
  }

  /** Draws anew in the colours of the theme. */
  repaint(): void {
    this.plot?.destroy();
    this.plot = undefined;
    if (this.latest) this.update(this.latest);
  }

  /** Takes the width that the layout gives. */
  fit(): void {
    const width = this.canvas.clientWidth;
    if (this.plot && width > 0 && this.plot.width !== width) this.plot.setSize({ width, height: 150 });
  }

  private options(curves: Curve[]): uPlot.Options {
    const style = getComputedStyle(document.documentElement);
    const ink = style.getPropertyValue("--muted").trim();
    const grid = { stroke: style.getPropertyValue("--grid").trim(), width: 1 };
    const format = this.spec.format;
    const top = this.spec.top;
    return {
      width: this.canvas.clientWidth || 360,
      height: 150,
      legend: { show: false },
      cursor: { y: false, points: { size: 6 } },
      scales: {
        x: {
          time: true,
          range: (_u, min, max) => {
            const end = Number.isFinite(max) ? max : Date.now() / 1000;
            const seen = Number.isFinite(min) ? end - min : 0;
            return [end - Math.min(WINDOW_SECONDS, Math.max(FIRST_WINDOW_SECONDS, seen)), end];
          },
        },
        y: { range: (_u, _min, max) => [0, top ?? (max > 0 ? max * 1.15 : 1)] },
      },
      series: [
        {},
        ...curves.map(
          (c): uPlot.Series => ({
            label: c.label,
            stroke: COLOURS[c.order % COLOURS.length],
            dash: DASHES[c.order % DASHES.length],
            width: 1.75,
            points: { show: false },
            value: (_u, v) => format(v),
          }),
        ),
      ],
      axes: [
        { stroke: ink, grid: { show: false }, ticks: grid, size: 26, values: "{HH}:{mm}:{ss}" as never, space: 80 },
        {
          stroke: ink,
          grid,
          ticks: { show: false },
          size: 74,
          space: 36,
          ...(this.spec.format === bytesPerSecond ? { incrs: POWERS_OF_TWO } : {}),
          values: (_u, ticks) => ticks.map((t) => format(t)),
        },
      ],
    };
  }
}
