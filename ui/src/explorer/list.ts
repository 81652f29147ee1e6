// A list of which only the visible rows are elements: a hundred thousand rows cost what a screen costs.
// Rows differ in height; a row that changes its height above what is being read moves nothing.

import { h } from "../shared/dom.ts";

/** Height of a row that is closed and does not wrap, as style.css makes it. */
export const ROW = 24;

export interface Item {
  key: string;
}

export class List<T extends Item> {
  readonly element: HTMLElement;
  readonly #space = h("div.space");
  #rows: T[] = [];
  #heights: number[] = [];
  /** Where each row begins; valid up to `clean`. */
  #tops: number[] = [0];
  #clean = 0;
  readonly #shown = new Map<string, HTMLElement>();
  readonly #places = new Map<HTMLElement, number>();
  readonly #resized: ResizeObserver;
  #waiting = false;
  /** The row that the keyboard is at. */
  current = -1;

  constructor(label: string, private readonly render: (row: T, index: number) => HTMLElement, private readonly nearEnd: () => void, private readonly grows: (row: T) => boolean) {
    this.element = h("div.list", { role: "feed", "aria-label": label, tabindex: 0 }, this.#space);
    this.element.addEventListener("scroll", () => this.#later(), { passive: true });
    this.#resized = new ResizeObserver((entries) => this.#measure(entries));
    new ResizeObserver(() => {
      // rows that did not wrap may do so now
      for (const row of this.#shown.values()) this.#resized.observe(row);
      this.#later();
    }).observe(this.element);
  }

  get length(): number {
    return this.#rows.length;
  }

  at(index: number): T | undefined {
    return this.#rows[index];
  }

  /** Whether the first row is what is being read. */
  get atTop(): boolean {
    return this.element.scrollTop < ROW / 2;
  }

  /** Replaces all rows and goes to the first. */
  set(rows: T[]): void {
    this.#rows = rows;
    this.#heights = rows.map(() => ROW);
    this.#clean = 0;
    this.current = -1;
    this.#drop();
    this.element.scrollTop = 0;
    this.#draw();
  }

  /** Adds rows after the last. */
  append(rows: T[]): void {
    for (const row of rows) {
      this.#rows.push(row);
      this.#heights.push(ROW);
    }
    this.#draw();
  }

  /** Adds rows before the first, and lets go of what is beyond `most`; what is read stays where it is unless `follow`. */
  prepend(rows: T[], most: number, follow: boolean): void {
    this.#rows = rows.concat(this.#rows).slice(0, most);
    this.#heights = rows.map(() => ROW).concat(this.#heights).slice(0, most);
    this.#clean = 0;
    if (this.current >= 0) this.current += rows.length;
    this.#stretch();
    this.element.scrollTop = follow ? 0 : this.element.scrollTop + this.#top(rows.length);
    this.#draw();
  }

  /** Makes every visible row anew. */
  refresh(measureAnew = false): void {
    if (measureAnew) {
      const anchor = this.#find(this.element.scrollTop);
      this.#heights.fill(ROW);
      this.#clean = 0;
      this.element.scrollTop = this.#top(anchor);
    }
    this.#drop();
    this.#draw();
  }

  /** Makes one row anew. */
  renew(key: string): void {
    const old = this.#shown.get(key);
    if (!old) return;
    const focused = old.contains(document.activeElement);
    this.#remove(key, old);
    this.#draw();
    if (focused) this.#shown.get(key)?.focus({ preventScroll: true });
  }

  /** Moves the keyboard to a row. */
  go(index: number): void {
    this.current = Math.max(0, Math.min(this.#rows.length - 1, index));
    const top = this.#top(this.current);
    const bottom = this.#top(this.current + 1);
    if (top < this.element.scrollTop) this.element.scrollTop = top;
    else if (bottom > this.element.scrollTop + this.element.clientHeight) {
      this.element.scrollTop = Math.min(top, bottom - this.element.clientHeight);
    }
    this.#draw();
    const row = this.#rows[this.current];
    if (row) this.#shown.get(row.key)?.focus({ preventScroll: true });
  }

  /** The row that holds an element; -1 without. */
  indexOf(element: Element | null): number {
    const row = element?.closest<HTMLElement>("[aria-posinset]");
    return row ? (this.#places.get(row) ?? -1) : -1;
  }

  #top(index: number): number {
    for (let i = this.#clean; i < index; i++) this.#tops[i + 1] = (this.#tops[i] as number) + (this.#heights[i] ?? ROW);
    this.#clean = Math.max(this.#clean, index);
    return this.#tops[index] ?? 0;
  }

  #find(y: number): number {
    this.#top(this.#rows.length);
    let low = 0;
    let high = this.#rows.length;
    while (low < high) {
      const mid = (low + high) >> 1;
      if ((this.#tops[mid + 1] as number) <= y) low = mid + 1;
      else high = mid;
    }
    return low;
  }

  #stretch(): void {
    const height = `${this.#top(this.#rows.length)}px`;
    if (this.#space.style.height !== height) this.#space.style.height = height;
  }

  #later(): void {
    if (this.#waiting) return;
    this.#waiting = true;
    requestAnimationFrame(() => {
      this.#waiting = false;
      this.#draw();
    });
  }

  #draw(): void {
    const { scrollTop, clientHeight } = this.element;
    this.#stretch();
    const first = Math.max(0, this.#find(scrollTop - 200));
    const last = Math.min(this.#rows.length, this.#find(scrollTop + clientHeight + 300) + 1);
    const wanted = new Map<string, number>();
    for (let i = first; i < last; i++) wanted.set((this.#rows[i] as T).key, i);
    // the row that somebody is in stays, wherever it is scrolled to
    const held = this.indexOf(document.activeElement);
    if (held >= 0 && this.#rows[held] && this.element.contains(document.activeElement)) {
      const key = [...this.#shown].find(([, e]) => e.contains(document.activeElement))?.[0];
      const index = key === undefined ? -1 : this.#rows[held]?.key === key ? held : this.#rows.findIndex((r) => r.key === key);
      if (key !== undefined && index >= 0) wanted.set(key, index);
    }
    for (const [key, element] of [...this.#shown]) if (!wanted.has(key)) this.#remove(key, element);
    // in the order of the rows, which is the order that a screen reader and the tab key take
    let next: HTMLElement | null = null;
    for (const [key, index] of [...wanted].sort((a, b) => b[1] - a[1])) {
      let element = this.#shown.get(key);
      if (!element) {
        element = this.render(this.#rows[index] as T, index);
        element.setAttribute("aria-setsize", "-1");
        this.#shown.set(key, element);
        this.#space.insertBefore(element, next);
        // one whose height is known is not measured: that costs every frame of scrolling a second layout
        if (this.#heights[index] !== ROW || this.grows(this.#rows[index] as T)) this.#resized.observe(element);
      }
      next = element;
      // what stays where it was is not touched: most rows of a frame while one scrolls
      if (this.#places.get(element) !== index) {
        this.#places.set(element, index);
        element.setAttribute("aria-posinset", String(index + 1));
      }
      // no transform: each would be a node of its own in every tree that the browser composes a frame of
      const place = `${this.#top(index)}px`;
      if (element.style.top !== place) element.style.top = place;
    }
    if (last >= this.#rows.length - 100) this.nearEnd();
  }

  #measure(entries: ResizeObserverEntry[]): void {
    let moved = 0;
    let changed = false;
    for (const entry of entries) {
      const element = entry.target as HTMLElement;
      const index = this.#places.get(element);
      if (index === undefined || !element.isConnected) continue;
      const height = Math.max(ROW, Math.round(entry.borderBoxSize[0]?.blockSize ?? ROW));
      const old = this.#heights[index] as number;
      if (height === old) continue;
      if (this.#top(index) + old <= this.element.scrollTop) moved += height - old;
      this.#heights[index] = height;
      this.#clean = Math.min(this.#clean, index);
      changed = true;
    }
    if (!changed) return;
    this.#stretch();
    if (moved) this.element.scrollTop += moved;
    this.#draw();
  }

  #remove(key: string, element: HTMLElement): void {
    this.#resized.unobserve(element);
    this.#places.delete(element);
    this.#shown.delete(key);
    element.remove();
  }

  #drop(): void {
    for (const [key, element] of [...this.#shown]) this.#remove(key, element);
  }
}
