// Ten tasks of a night on call, done as somebody does them who has opened the page and knows nothing
// of it. What a user does is counted: a click, a choice, a mark drawn, a text typed with its Enter.

import { readFileSync } from "node:fs";
import { expect, test, type Locator, type Page } from "@playwright/test";
import { FAILURES, NIGHT, type Night } from "./night.ts";
import { clipboard, found, noDisk, rows, status, watch } from "./reader.ts";

const MOST = 5;
const MINUTE = 60_000;

class Hands {
  private done = 0;

  constructor(readonly page: Page) {}

  /** Opens the page as somebody who comes from nowhere; it shows the last fifteen minutes of the logs. */
  async begin(url: string): Promise<void> {
    await this.page.goto("about:blank");
    await this.page.goto(`${url}/_millrace/explore`);
    await expect(rows(this.page).first()).toBeVisible();
    await expect(this.page.locator(".chart .legend li").first()).toBeVisible();
    this.done = 0;
  }

  async click(what: Locator): Promise<void> {
    await what.click();
    this.done++;
  }

  async choose(what: Locator, option: string): Promise<void> {
    await what.selectOption(option);
    this.done++;
  }

  async type(text: string): Promise<void> {
    await this.page.locator("#query").fill(text);
    await this.page.locator("#query").press("Enter");
    this.done++;
  }

  /** Draws a mark over the bars of a time. */
  async mark(from: number, to: number): Promise<void> {
    const ends = (await this.page.locator(".chart .ends span").allTextContents()).map((t) => Date.parse(`${t.replace(" ", "T")}Z`)) as [number, number];
    const box = (await this.page.getByRole("slider").boundingBox()) as { x: number; y: number; width: number };
    const x = (time: number): number => box.x + ((time - ends[0]) / (ends[1] - ends[0])) * box.width;
    await this.page.mouse.move(x(from), box.y + 20);
    await this.page.mouse.down();
    await this.page.mouse.move(x(to), box.y + 20, { steps: 3 });
    await this.page.mouse.up();
    this.done++;
  }

  end(task: string): void {
    console.log(`${task}: ${this.done} actions`);
    expect(this.done, task).toBeLessThanOrEqual(MOST);
  }
}

/** Lists the tests. The page begins with the last fifteen minutes, so a night that is long over begins anew. */
export function tasksOfANight(url: string, night: () => Promise<Night>): void {
  const tab = (page: Page, name: string): Locator => page.getByRole("tab", { name });
  const button = (name: string | RegExp, within: Locator | Page): Locator => within.getByRole("button", { name, exact: typeof name === "string" });
  const failure = (page: Page): Locator => page.locator("table.patterns tbody tr", { hasText: "was not taken: gateway gave no answer" });

  test("task 1: the pattern that is new, in five actions at most", async ({ page }) => {
    await night();
    const errors = watch(page);
    const hands = new Hands(page);
    await hands.begin(url);
    await hands.click(tab(page, "Patterns"));
    await expect(page.locator("table.patterns tbody tr").first()).toContainText("new");
    await expect(failure(page)).toContainText("new");
    hands.end("1 the pattern that is new");
    expect(errors).toEqual([]);
  });

  test("task 2: the first error of the incident, in five actions at most", async ({ page }) => {
    await night();
    const first = rows(page).first();
    const errors = watch(page);
    const hands = new Hands(page);
    await hands.begin(url);
    await hands.click(tab(page, "Patterns"));
    await hands.click(button("Only lines of this pattern", failure(page)));
    await expect(status(page)).toHaveText(found(FAILURES));
    await hands.click(button("Oldest first", page));
    await expect(first).toContainText("payment 1000 was not taken");
    hands.end("2 the first error of the incident");
    expect(errors).toEqual([]);
  });

  test("task 3: what happened just before it, in five actions at most", async ({ page }) => {
    await night();
    const first = rows(page).first();
    const errors = watch(page);
    const hands = new Hands(page);
    await hands.begin(url);
    await hands.type('"payment 1000"');
    await expect(status(page)).toHaveText(found(1));
    await hands.click(first.locator(".line").first());
    await hands.click(button("Lines around", page));
    await expect(page.getByRole("region", { name: "Lines around this one" })).toContainText("no connection left in the pool of the gateway");
    hands.end("3 what happened just before it");
    expect(errors).toEqual([]);
  });

  test("task 4: which call of its trace was slow, in five actions at most", async ({ page }) => {
    await night();
    const first = rows(page).first();
    const errors = watch(page);
    const hands = new Hands(page);
    await hands.begin(url);
    await hands.type('"payment 1000"');
    await expect(status(page)).toHaveText(found(1));
    await hands.click(first.locator(".line").first());
    await hands.click(button("Trace", page));
    await expect(page.locator(".waterfall li", { hasText: "charge" })).toContainText("3.0 s");
    hands.end("4 which call of its trace was slow");
    expect(errors).toEqual([]);
  });

  test("task 5: the noisiest service; 6: the lines without it, in five actions at most", async ({ page }) => {
    await night();
    const errors = watch(page);
    const hands = new Hands(page);
    await hands.begin(url);
    await hands.click(tab(page, "Sources"));
    await expect(page.locator(".panel tbody tr").first()).toContainText("recommender");
    hands.end("5 the noisiest service");
    await hands.click(button("No lines of recommender", page));
    await hands.click(tab(page, "Lines"));
    await expect(page.locator("#query")).toHaveValue("-service:recommender");
    await expect(rows(page).filter({ hasText: "candidate scored" })).toHaveCount(0);
    hands.end("6 the lines without it");
    expect(errors).toEqual([]);
  });

  test("task 7: the host that the errors come from, in five actions at most", async ({ page }) => {
    await night();
    const errors = watch(page);
    const hands = new Hands(page);
    await hands.begin(url);
    await hands.click(page.locator(".chart .legend button", { hasText: "ERROR" }));
    await expect(page.locator("#query")).toHaveValue("level:ERROR");
    await hands.click(page.locator("[data-field=host] > button"));
    await expect(page.locator(".values .top").first()).toContainText("ip-10-0-0-7");
    hands.end("7 the host that the errors come from");
    expect(errors).toEqual([]);
  });

  test("task 8: the lines of the time in which it was slow, in five actions at most", async ({ page }) => {
    const tonight = await night();
    const errors = watch(page);
    const hands = new Hands(page);
    await hands.begin(url);
    await hands.type("service:checkout");
    await hands.choose(page.getByLabel("or p50, p99 of"), "latency_ms");
    await expect(page.locator(".chart .legend")).toContainText("p99 of latency_ms");
    await hands.mark(tonight.outbreak + MINUTE / 2, tonight.outbreak + 2 * MINUTE);
    await expect(page).not.toHaveURL(/from=now|&to=now/);
    const marked = new URLSearchParams(new URL(page.url()).hash.slice(1));
    expect(Math.abs(Date.parse(marked.get("from") as string) - tonight.outbreak - MINUTE / 2)).toBeLessThan(MINUTE / 3);
    expect(Math.abs(Date.parse(marked.get("to") as string) - tonight.outbreak - 2 * MINUTE)).toBeLessThan(MINUTE / 3);
    await expect(rows(page).filter({ hasText: "was not taken" }).first()).toBeVisible();
    hands.end("8 the lines of the time in which it was slow");
    expect(errors).toEqual([]);
  });

  test("task 9: the failures as a file for the ticket, and a link for who comes next, in five actions at most", async ({ page }) => {
    await night();
    const errors = watch(page);
    const copied = await clipboard(page);
    await noDisk(page);
    const hands = new Hands(page);
    await hands.begin(url);
    await hands.click(tab(page, "Patterns"));
    await hands.click(button("Only lines of this pattern", failure(page)));
    await expect(status(page)).toHaveText(found(FAILURES));
    const download = page.waitForEvent("download");
    await hands.click(button("NDJSON", page));
    const file = readFileSync((await (await download).path()) as string, "utf8").trim().split("\n");
    expect(file.filter((l) => l.includes("was not taken"))).toHaveLength(FAILURES);
    expect(file).toHaveLength(FAILURES);
    await hands.click(button("Link", page));
    await expect.poll(copied).toMatch(/from=20.*&to=20/);
    const link = await copied();
    await page.goto("about:blank");
    await page.goto(link);
    await expect(status(page)).toHaveText(found(FAILURES));
    hands.end("9 the failures as a file for the ticket, and a link for who comes next");
    expect(errors).toEqual([]);
  });

  test("task 10: whether it is over: the next failure as it comes, in five actions at most", async ({ page }) => {
    const tonight = await night();
    const first = rows(page).first();
    const errors = watch(page);
    const hands = new Hands(page);
    await hands.begin(url);
    await hands.type('"was not taken"');
    await expect(status(page)).toHaveText(found(FAILURES));
    await hands.click(button("Live", page));
    await tonight.write(NIGHT, [{ "@timestamp": new Date().toISOString(), level: "ERROR", service: "checkout", message: "payment 2000 was not taken: gateway gave no answer within 3000 ms" }]);
    await expect(first).toContainText("payment 2000 was not taken");
    hands.end("10 whether it is over: the next failure as it comes");
    expect(errors).toEqual([]);
  });
}
