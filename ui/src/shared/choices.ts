// What a browser remembers for its user: nothing of it reaches a node.

import { h } from "./dom.ts";

/** What was kept under a name; null without, or in a browser without storage. */
export function kept(name: string): string | null {
  try {
    return localStorage.getItem(`millrace.${name}`);
  } catch {
    return null;
  }
}

/** Keeps a text under a name. */
export function keep(name: string, value: string): void {
  try {
    localStorage.setItem(`millrace.${name}`, value);
  } catch {
    // a browser without storage forgets the choice
  }
}

/** The choice between light, dark and what the machine prefers, set as it was kept. */
export function themeChoice(repaint: () => void): HTMLSelectElement {
  const theme = h(
    "select",
    { id: "theme", onchange: () => set(theme.value) },
    ...["auto", "light", "dark"].map((t) => h("option", { value: t }, t)),
  );
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const show = (): void => {
    document.documentElement.dataset.theme = theme.value !== "auto" ? theme.value : dark.matches ? "dark" : "light";
  };
  const set = (name: string): void => {
    keep("theme", name);
    show();
    repaint();
  };
  theme.value = ["light", "dark"].includes(kept("theme") ?? "") ? (kept("theme") as string) : "auto";
  show();
  dark.addEventListener("change", () => {
    show();
    repaint();
  });
  return theme;
}
