// Elements without a framework. Text is always a text node: an index name is never markup.

type Child = Node | string | number | null | undefined | false;
type Props = Record<string, string | number | boolean | EventListener | undefined>;
type Tag = keyof HTMLElementTagNameMap;
/** A tag, with classes as in a selector: "div", "p.note", "ul.legend.muted". */
type Spec = Tag | `${Tag}.${string}`;
type Made<S extends Spec> = S extends Tag ? HTMLElementTagNameMap[S] : S extends `${infer T extends Tag}.${string}` ? HTMLElementTagNameMap[T] : never;

/** An element with attributes (on* are listeners, false and undefined are left out) and children. */
export function h<S extends Spec>(spec: S, props: Props, ...children: Child[]): Made<S>;
export function h<S extends Spec>(spec: S, ...children: Child[]): Made<S>;
export function h(spec: string, ...given: (Props | Child)[]): unknown {
  const [tag = "", ...classes] = spec.split(".");
  const element = document.createElement(tag);
  if (element instanceof HTMLButtonElement) element.type = "button";
  if (classes.length) element.className = classes.join(" ");
  const first = given[0];
  if (isProps(first)) {
    given.shift();
    for (const [name, value] of Object.entries(first)) {
      if (value === undefined || value === false) continue;
      if (typeof value === "function") element.addEventListener(name.slice(2), value);
      else element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  element.append(...kept(given as Child[]));
  return element;
}

function isProps(given: Props | Child): given is Props {
  return typeof given === "object" && given !== null && !(given instanceof Node);
}

function kept(children: Child[]): (Node | string)[] {
  return children
    .filter((c): c is Node | string | number => c !== null && c !== undefined && c !== false)
    .map((c) => (typeof c === "number" ? String(c) : c));
}

/** Replaces what an element holds. */
export function fill(element: Element, ...children: Child[]): void {
  element.replaceChildren(...kept(children));
}

/** Writes a text only when it changed, so that screen readers and the layout stay calm. */
export function say(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** A horizontal bar of 0 to 1; its width is set by CSSOM, which the page's policy allows. */
export function bar(share: number, state: string): HTMLElement {
  const inner = h("span", { class: "bar-fill", "data-state": state });
  inner.style.width = `${(100 * Math.max(0, Math.min(1, share))).toFixed(1)}%`;
  return h("span", { class: "bar", "aria-hidden": "true" }, inner);
}

export interface Column {
  head: string;
  /** Numbers stand right-aligned. */
  number?: boolean;
}

/** A table with a caption for screen readers and its first column as row heads. */
export function table(caption: string, columns: Column[], rows: Child[][]): HTMLElement {
  const body = rows.map((cells) =>
    h(
      "tr",
      {},
      ...cells.map((cell, i) =>
        i === 0
          ? h("th", { scope: "row" }, cell)
          : h("td", { class: columns[i]?.number ? "n" : undefined }, cell),
      ),
    ),
  );
  return h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
    h(
      "table",
      {},
      h("caption", { class: "sr" }, caption),
      h(
        "thead",
        {},
        h("tr", {}, ...columns.map((c) => h("th", { scope: "col", class: c.number ? "n" : undefined }, c.head))),
      ),
      h("tbody", {}, ...body),
    ),
  );
}
