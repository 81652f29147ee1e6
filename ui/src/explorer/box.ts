// The query box: one line for words, several for raw JSON; completion of names and values; mistakes
// shown where they are.

import { fill, h, say } from "../shared/dom.ts";
import type { Mistake } from "./query.ts";
import { clause, NAME, plainName } from "./query.ts";

/** Something to complete with: what is shown, and the text that replaces what was typed. */
export interface Completion {
  text: string;
  note: string;
}

export interface Suggest {
  names(part: string): Completion[];
  values(field: string, part: string): Promise<Completion[]>;
}

const NAME_BEFORE = new RegExp(`(?:^|[\\s(!-])(${NAME})$`, "u");
const VALUE_BEFORE = new RegExp(`(?:^|[\\s(!-])(${NAME}):("?)([^\\s"()]*)$`, "u");

export class Box {
  readonly element: HTMLElement;
  readonly input: HTMLInputElement;
  readonly area: HTMLTextAreaElement;
  readonly #list = h("ul.suggestions", { id: "suggestions", hidden: true, role: "listbox", "aria-label": "Completions" });
  readonly #mistake = h("p.mistake", { id: "mistake", hidden: true, role: "alert" });
  #completions: Completion[] = [];
  #chosen = -1;
  #start = 0;
  #timer = 0;
  #asked = 0;

  constructor(private readonly run: () => void, private readonly suggest: Suggest, recent: HTMLElement) {
    this.input = h("input", {
      id: "query", type: "text", role: "combobox", "aria-expanded": "false", "aria-controls": "suggestions", "aria-autocomplete": "list",
      "aria-describedby": "mistake", "aria-label": "Query", autocomplete: "off", spellcheck: "false", dir: "auto",
      placeholder: 'words, "a phrase", field:value, latency_ms:>500, -not, OR, ( )',
      oninput: () => this.#typed(), onblur: () => setTimeout(() => this.#hide(), 150), onkeydown: (e) => this.#key(e as KeyboardEvent),
    });
    this.area = h("textarea", { id: "dsl", rows: 6, "aria-label": "Query as JSON", "aria-describedby": "mistake", spellcheck: "false", placeholder: '{"term": {"level": "ERROR"}}', hidden: true, onkeydown: (e) => this.#keyOfArea(e as KeyboardEvent) });
    this.element = h("div.box", this.input, this.area, this.#list, this.#mistake, recent);
  }

  #keyOfArea(e: KeyboardEvent): void {
    if (e.key !== "Enter" || !(e.ctrlKey || e.metaKey)) return;
    e.preventDefault();
    this.run();
  }

  get value(): string {
    return this.area.hidden ? this.input.value : this.area.value;
  }

  show(text: string, mode: "words" | "dsl"): void {
    this.area.hidden = mode !== "dsl";
    this.input.hidden = mode === "dsl";
    (mode === "dsl" ? this.area : this.input).value = text;
  }

  focus(): void {
    (this.area.hidden ? this.input : this.area).focus();
  }

  /** Shows where a mistake is; nothing without one. */
  tell(mistake: Mistake | undefined): void {
    this.#mistake.hidden = !mistake;
    this.input.setAttribute("aria-invalid", String(!!mistake));
    this.area.setAttribute("aria-invalid", String(!!mistake));
    if (!mistake) return fill(this.#mistake);
    const text = this.value;
    const from = Math.max(0, mistake.from - 40);
    fill(this.#mistake, mistake.message, " ",
      h("code", (from ? "…" : "") + text.slice(from, mistake.from),
        h("mark.bad", text.slice(mistake.from, Math.max(mistake.to, mistake.from + 1)).slice(0, 80) || " "),
        text.slice(mistake.to, mistake.to + 40)));
  }

  #key(e: KeyboardEvent): void {
    const n = this.#completions.length;
    if (e.key === "ArrowDown" || e.key === "ArrowUp") {
      if (!n) {
        if (e.key === "ArrowDown") this.#typed();
        return;
      }
      this.#chosen = (this.#chosen + (e.key === "ArrowDown" ? 1 : this.#chosen < 0 ? n : n - 1)) % n;
      this.#paint();
    } else if ((e.key === "Enter" || e.key === "Tab") && this.#chosen >= 0 && n) {
      this.#take(this.#chosen);
    } else if (e.key === "Enter") {
      this.#hide();
      this.run();
    } else if (e.key === "Escape" && n) {
      this.#hide();
    } else return;
    e.preventDefault();
    e.stopPropagation();
  }

  #typed(): void {
    clearTimeout(this.#timer);
    const before = this.input.value.slice(0, this.input.selectionStart ?? 0);
    const value = VALUE_BEFORE.exec(before);
    const ticket = ++this.#asked;
    if (value) {
      const [, field, quote, part] = value as unknown as [string, string, string, string];
      this.#timer = window.setTimeout(async () => {
        const found = await this.suggest.values(plainName(field), part).catch(() => []);
        if (ticket !== this.#asked) return;
        this.#start = before.length - part.length - quote.length - field.length - 1;
        this.#offer(found.map((c) => ({ text: clause(plainName(field), c.text), note: c.note })));
      }, 120);
      return;
    }
    const name = NAME_BEFORE.exec(before)?.[1] ?? "";
    this.#start = before.length - name.length;
    this.#offer(name ? this.suggest.names(plainName(name)) : []);
  }

  #offer(completions: Completion[]): void {
    this.#completions = completions;
    this.#chosen = -1;
    this.#paint();
  }

  #paint(): void {
    const any = this.#completions.length > 0;
    this.#list.hidden = !any;
    this.input.setAttribute("aria-expanded", String(any));
    if (this.#chosen >= 0) this.input.setAttribute("aria-activedescendant", `suggestion-${this.#chosen}`);
    else this.input.removeAttribute("aria-activedescendant");
    fill(this.#list, ...this.#completions.map((c, i) => h("li", {
      id: `suggestion-${i}`, role: "option", "aria-selected": String(i === this.#chosen),
      onpointerdown: (e) => { e.preventDefault(); this.#take(i); },
    }, h("bdi", c.text), h("span.muted", c.note))));
  }

  #take(i: number): void {
    const completion = this.#completions[i] as Completion;
    const end = this.input.selectionStart ?? 0;
    const after = this.input.value.slice(end);
    const text = this.input.value.slice(0, this.#start) + completion.text;
    this.input.value = text + (completion.text.endsWith(":") || after.startsWith(" ") ? "" : " ") + after;
    const at = text.length + (completion.text.endsWith(":") ? 0 : 1);
    this.input.setSelectionRange(at, at);
    this.#hide();
    this.input.focus();
    if (completion.text.endsWith(":")) this.#typed();
  }

  #hide(): void {
    this.#asked++;
    this.#completions = [];
    this.#chosen = -1;
    this.#paint();
  }
}

/** A short word of what happened, for eyes and screen readers; it goes away by itself. */
export class Toast {
  readonly element = h("p.toast", { role: "status" });
  #timer = 0;

  show(text: string): void {
    say(this.element, text);
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => say(this.element, ""), 4000 + 50 * text.length);
  }
}
