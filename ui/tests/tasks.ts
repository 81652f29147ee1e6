// Tasks of a night on call, done as somebody does them who has opened the page and knows nothing of
// it. What a user does is counted: a click, a text typed with its Enter.

import { expect, test, type Locator, type Page } from "@playwright/test";
import { FAILURES, Night } from "./night.ts";
import { found, rows, status } from "./reader.ts";

const MOST = 5;

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

  async type(text: string): Promise<void> {
    await this.page.locator("#query").fill(text);
    await this.page.locator("#query").press("Enter");
    this.done++;
  }

  end(task: string): void {
    console.log(`${task}: ${this.done} actions`);
    expect(this.done, task).toBeLessThanOrEqual(MOST);
  }
}

/** Lists the test. */
export function tasksOfANight(url: string): void {
  test("explorer: tasks of a night on call, each in five actions at most", async ({ page, request }) => {
    test.skip(!process.env.MILLRACE_LINES, "MILLRACE_LINES names no file of lines");
    const night = new Night(request, url);
    await night.begin(); // its times end now, because the page begins with the last fifteen minutes
    const hands = new Hands(page);
    const button = (name: string | RegExp, within: Locator | Page = page): Locator => within.getByRole("button", { name, exact: typeof name === "string" });
    const tab = (name: string): Locator => page.getByRole("tab", { name });
    const first = rows(page).first();
    const line = first.locator(".line").first();
    const failure = page.locator("table.patterns tbody tr", { hasText: "was not taken: gateway gave no answer" });
    try {
      await hands.begin(url);
      await hands.click(tab("Patterns"));
      await expect(page.locator("table.patterns tbody tr").first()).toContainText("new");
      await expect(failure).toContainText("new");
      hands.end("1 the pattern that is new");

      await hands.begin(url);
      await hands.click(tab("Patterns"));
      await hands.click(button("Only lines of this pattern", failure));
      await expect(status(page)).toHaveText(found(FAILURES));
      await hands.click(button("Oldest first"));
      await expect(first).toContainText("payment 1000 was not taken");
      hands.end("2 the first error of the incident");

      await hands.begin(url);
      await hands.type('"payment 1000"');
      await expect(status(page)).toHaveText(found(1));
      await hands.click(line);
      await hands.click(button("Lines around"));
      await expect(page.getByRole("region", { name: "Lines around this one" })).toContainText("no connection left in the pool of the gateway");
      hands.end("3 what happened just before it");

      await hands.begin(url);
      await hands.type('"payment 1000"');
      await expect(status(page)).toHaveText(found(1));
      await hands.click(line);
      await hands.click(button("Trace"));
      await expect(page.locator(".waterfall li", { hasText: "charge" })).toContainText("3.0 s");
      hands.end("4 which call of its trace was slow");

      await hands.begin(url);
      await hands.click(tab("Sources"));
      await expect(page.locator(".panel tbody tr").first()).toContainText("recommender");
      hands.end("5 the noisiest service");
      await hands.click(button("No lines of recommender"));
      await hands.click(tab("Lines"));
      await expect(page.locator("#query")).toHaveValue("-service:recommender");
      await expect(rows(page).filter({ hasText: "candidate scored" })).toHaveCount(0);
      hands.end("6 the lines without it");
    } finally {
      await night.forget();
    }
  });
}
