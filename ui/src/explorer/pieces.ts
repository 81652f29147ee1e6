// What several views are made of.

import { h } from "../shared/dom.ts";

/** A sentence about what stands below it; screen readers say it when it changes. */
export function note(...text: (string | Node)[]): HTMLElement {
  return h("p.note", { role: "status" }, ...text);
}

/** A button of one sign, with its name for screen readers and pointers. */
export function small(sign: string, name: string, run: () => void, pressed?: boolean): HTMLElement {
  return h("button.small", { "aria-label": name, title: name, "aria-pressed": pressed === undefined ? undefined : String(pressed), onclick: run }, sign);
}

/** The two buttons that keep the lines of something, or leave them out. */
export function keepOrLeave(what: string, narrow: (not: boolean) => void): HTMLElement[] {
  return [small("+", `Only lines ${what}`, () => narrow(false)), small("−", `No lines ${what}`, () => narrow(true))];
}

/** A table with its name for screen readers; a head without text holds the buttons of its rows. */
export function sheet(caption: string, heads: string[], numbers: (i: number) => boolean, rows: HTMLElement[], className = ""): HTMLElement {
  return h("table", { class: className || undefined },
    h("caption.sr", caption),
    h("thead", h("tr", ...heads.map((t, i) => h("th", { scope: "col", class: numbers(i) ? "n" : undefined }, t || h("span.sr", "actions"))))),
    h("tbody", ...rows));
}

/** A text without the signs that turn the order of what stands after them: a line is read as it was sent. */
export function upright(text: string): string {
  return text.replace(/[\u202a-\u202e]/g, "�");
}

/** Gives an element one of the colours that style.css names. */
export function tint<T extends ElementCSSInlineStyle>(element: T, colour: string): T {
  element.style.setProperty("--c", `var(--${colour})`);
  return element;
}

/** Where the node that served the page begins, without a slash at the end. */
export function base(): string {
  return new URL("..", location.href).href.replace(/\/$/, "");
}
