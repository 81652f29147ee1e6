// What every test of the page to look at logs does with it, whatever store is behind it.

import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import type { Locator, Page } from "@playwright/test";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** Fails the test on anything that the console calls an error, and on uncaught exceptions. */
export function watch(page: Page, allow?: RegExp): string[] {
  const errors: string[] = [];
  page.on("console", (m) => {
    if (["error", "warning"].includes(m.type()) && !allow?.test(m.text())) errors.push(m.text());
  });
  page.on("pageerror", (e) => errors.push(String(e)));
  return errors;
}

export const rows = (page: Page): Locator => page.locator(".list article");
export const status = (page: Page): Locator => page.locator(".summary");
export const instead = (page: Page): Locator => page.locator(".instead");
/** Both answers are here: the histogram's, which has the number, and the lines, which take the place of those before. */
export const found = (n: number): RegExp => new RegExp(`^${n.toLocaleString("en-GB")} lines in .*, first ones after `);

export async function ask(page: Page, query: string): Promise<void> {
  await page.locator("#query").fill(query);
  await page.locator("#query").press("Enter");
}

/** What axe finds; of some rules only where another test has asked the others of the same elements. */
export async function violations(page: Page, ...rules: string[]): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  return page.evaluate(async (only) => {
    const axe = (window as unknown as { axe: { run(options: unknown): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> } }).axe;
    const options = { resultTypes: ["violations"], ...(only.length ? { runOnly: only } : {}) };
    return (await axe.run(options)).violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.html.slice(0, 160)).join(" | ")}`);
  }, rules);
}

/** What the page hands to the clipboard. */
export async function clipboard(page: Page): Promise<() => Promise<string>> {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, "clipboard", { value: { writeText: (text: string) => { (window as unknown as { copied: string }).copied = text; return Promise.resolve(); } } });
  });
  return () => page.evaluate(() => (window as unknown as { copied?: string }).copied ?? "");
}

/** A browser that gives no file to write to, so that files are downloads; nobody answers its dialog in a test. */
export async function noDisk(page: Page): Promise<void> {
  await page.addInitScript(() => Object.defineProperty(window, "showSaveFilePicker", { value: undefined }));
}
