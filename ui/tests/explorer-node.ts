// The page to look at logs on a real node with real lines: each of its features at least once, on an
// index with templates, on stock's own mapping, on a data stream, and before there is anything. What
// the page says is compared with what the node says to the same question.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test, type Page } from "@playwright/test";
import { CHATTER, FAILURES, FIRST_TRACE, NIGHT, Night, SPANS, STOCK, STREAM } from "./night.ts";
import { tasksOfANight } from "./tasks.ts";
import { ask, clipboard, found, instead, noDisk, rows, status, watch } from "./reader.ts";

/** Lists the tests; they run one after the other with those of the file that calls. */
export function explorerOnANode(url: string): void {
  const open = async (page: Page, hash = ""): Promise<void> => {
    await page.goto("about:blank"); // another part behind # alone would leave the page and its rows as they are
    await page.goto(`${url}/_millrace/explore${hash}`);
    await expect(page.locator("#query")).toBeVisible();
  };

  test("explorer, real node without an index: says how to get logs in, and shows the first line by itself", async ({ page, request }) => {
    const resolved = (await (await request.get(`${url}/_resolve/index/*`)).json()) as { indices: { name: string }[] };
    test.skip(resolved.indices.some((i) => !i.name.startsWith(".")), "this node has indices already");
    const errors = watch(page);
    await open(page);
    await expect(instead(page)).toContainText("There are no logs yet");
    try {
      await new Night(request, url).write("logs-first", [{ "@timestamp": new Date().toISOString(), level: "INFO", message: "the first one" }]);
      await expect(rows(page)).toHaveCount(1);
      await expect(rows(page).first()).toContainText("the first one");
    } finally {
      await request.delete(`${url}/logs-first`);
    }
    expect(errors).toEqual([]);
  });

  test.describe("explorer, a night on a real node:", () => {
    test.skip(!process.env.MILLRACE_LINES, "MILLRACE_LINES names no file of lines");
    let night: Night;
    let context: Awaited<ReturnType<typeof import("@playwright/test").request.newContext>>;
    test.beforeAll(async ({ playwright }) => {
      context = await playwright.request.newContext();
      night = new Night(context, url);
      await night.begin();
    });
    test.afterAll(async () => {
      await night.forget();
      await context.dispose();
    });

    const lines = async (page: Page, index: string, query: Record<string, unknown>): Promise<number> => {
      const n = await night.count(index, query);
      expect(n).toBeGreaterThan(0);
      await expect(status(page)).toHaveText(found(n));
      await expect(page.locator(".problem")).toBeHidden();
      return n;
    };

    test("1, 2: keep and leave out by a click; fields with their top values", async ({ page }) => {
      const errors = watch(page);
      await open(page, night.hash(NIGHT));
      await lines(page, NIGHT, { match_all: {} });
      await page.getByLabel("Find a field").fill("servi");
      await page.locator(".field").first().click();
      await expect(page.locator(".values")).toContainText("recommender");
      await page.getByRole("button", { name: "No lines with service recommender" }).click();
      await lines(page, NIGHT, { bool: { must_not: [{ term: { service: "recommender" } }] } });
      await page.getByRole("button", { name: "Only lines with service checkout" }).click();
      await lines(page, NIGHT, { term: { service: "checkout" } });
      await rows(page).first().locator(".line").click();
      await page.getByRole("button", { name: "Only lines with this level" }).click();
      await expect(page.locator("#query")).toHaveValue(/level:\w+$/);
      expect(errors).toEqual([]);
    });

    test("3: live, newest first, what is read stays", async ({ page }) => {
      const errors = watch(page);
      await open(page, `#index=${STREAM}&from=now-1h`);
      await expect(status(page)).toHaveText(found(300));
      await page.keyboard.press("l");
      const live = (i: number): Record<string, unknown> => ({ "@timestamp": new Date().toISOString(), service: "web", level: "INFO", message: `live line ${i}` });
      await night.write(STREAM, [live(1)]);
      await expect(rows(page).first()).toContainText("live line 1");
      const list = page.locator(".list");
      await list.evaluate((e) => (e.scrollTop = 1200));
      const place = (): Promise<string[]> => list.evaluate((e) => {
        const top = e.getBoundingClientRect().top;
        return [...e.querySelectorAll("article")].map((a) => `${a.getAttribute("data-key")} ${Math.round(a.getBoundingClientRect().top - top)}`).sort();
      });
      await expect.poll(async () => (await place()).length).toBeGreaterThan(5);
      const before = await place();
      await night.write(STREAM, [live(2), live(3)]);
      await expect(page.locator(".newer")).toHaveText("2 new lines ↑");
      expect(await place()).toEqual(before);
      await page.locator(".newer").click();
      await expect(rows(page).first()).toContainText(/live line [23]/);
      expect(errors).toEqual([]);
    });

    test("4, 11: lines around one, its trace with spans of another index, and back", async ({ page }) => {
      const errors = watch(page);
      await open(page, night.hash(NIGHT, { q: `trace_id:${FIRST_TRACE} level:ERROR` }));
      await expect(status(page)).toHaveText(found(1));
      await rows(page).first().locator(".line").click();
      await page.getByRole("button", { name: "Lines around" }).click();
      const around = page.getByRole("region", { name: "Lines around this one" });
      await expect(around.locator("[aria-current]")).toContainText("payment 1000 was not taken");
      await expect(around.locator("[aria-current] + .line")).toContainText("no connection left in the pool");
      await page.getByRole("button", { name: "Trace", exact: true }).click();
      await expect(page.locator(".panel .note")).toContainText("3 spans and 2 lines in");
      await expect(page.locator(".waterfall li").first()).toContainText("POST /checkout");
      await page.getByRole("button", { name: "← Lines" }).click();
      await expect(rows(page).first()).toContainText("payment 1000");
      // from a span to its lines: the trace's index is one of spans
      await open(page, night.hash(SPANS));
      await expect(status(page)).toHaveText(found(3));
      await rows(page).first().locator(".line").click();
      await page.getByRole("button", { name: "Trace", exact: true }).click();
      await expect(page.locator(".panel .note")).toContainText("3 spans");
      expect(errors).toEqual([]);
    });

    test("5, charts, 15: bars by level, by a field and of a number; the search as curl gives what the page shows", async ({ page }) => {
      const errors = watch(page);
      const copied = await clipboard(page);
      await open(page, night.hash(NIGHT, { q: "service:checkout" }));
      await lines(page, NIGHT, { term: { service: "checkout" } });
      const failed = await night.count(NIGHT, { bool: { filter: [{ term: { service: "checkout" } }, { term: { level: "ERROR" } }] } });
      await expect(page.locator(".chart .legend")).toContainText(`ERROR${failed}`);
      await page.getByLabel("bars by").selectOption("host");
      await expect(page.locator(".chart .legend")).toContainText("ip-10-0-0-7");
      await page.getByLabel("or p50, p99 of").selectOption("latency_ms");
      await expect(page.locator(".chart .legend")).toContainText("p99 of latency_ms");
      const shown = await rows(page).first().getAttribute("data-key");
      await page.keyboard.press("c");
      await expect.poll(copied).toContain("curl");
      const answer = JSON.parse(execFileSync("bash", ["-c", `${await copied()} --max-time 60`]).toString()) as { hits: { hits: { _index: string; _id: string }[] } };
      expect(answer.hits.hits.map((hit) => `${hit._index}/${hit._id}`)).toContain(shown);
      await page.locator(".chart [role=slider]").focus();
      for (const key of ["Home", "Shift+ArrowRight", "Enter"]) await page.keyboard.press(key);
      await expect(page).not.toHaveURL(new RegExp(`from=${encodeURIComponent(night.at(-720_000))}`));
      expect(errors).toEqual([]);
    });

    test("6, 7, 12, 13: marks, completion, the address as the view, times", async ({ page }) => {
      const errors = watch(page);
      await open(page, night.hash(NIGHT));
      const box = page.locator("#query");
      await box.pressSequentially("serv");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await expect(page.locator("#suggestions li").first()).toContainText("service:");
      await box.pressSequentially("check");
      await expect(page.locator("#suggestions li")).toHaveText([/^service:checkout/]);
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Tab");
      await box.pressSequentially('"gateway gave no answer"');
      await page.keyboard.press("Enter");
      await expect(status(page)).toHaveText(found(FAILURES));
      await expect(rows(page).first().locator(".message mark")).toHaveText(["gateway gave no answer"]);
      await ask(page, "level:DEBUG cache");
      const chatter = await lines(page, NIGHT, { bool: { filter: [{ term: { level: "DEBUG" } }, { match: { message: "cache" } }] } });
      await page.goBack();
      await expect(status(page)).toHaveText(found(FAILURES));
      await page.reload();
      await expect(status(page)).toHaveText(found(FAILURES));
      await page.getByLabel("time", { exact: true }).selectOption("last 24 hours");
      await expect(page).toHaveURL(/from=now-24h|from=now-1d/);
      await expect(status(page)).toHaveText(found(FAILURES));
      await page.keyboard.press("s");
      await page.getByRole("link", { name: /level:DEBUG cache/ }).click();
      await expect(status(page)).toHaveText(found(chatter));
      expect(errors).toEqual([]);
    });

    for (const index of [NIGHT, STOCK, STREAM]) {
      test(`8, 9, 14 on ${index}: all lines by scrolling, each once; as a file; a line opens in place`, async ({ page }) => {
        const errors = watch(page);
        await noDisk(page);
        await open(page, night.hash(index));
        const total = await lines(page, index, { match_all: {} });
        await expect.poll(async () => {
          await page.locator(".list").evaluate((e) => (e.scrollTop = e.scrollHeight));
          return page.locator(".lines > .note").textContent();
        }).toBe(`That is all: ${total} lines.`);
        const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "NDJSON" }).click()]);
        const saved = readFileSync((await download.path()) as string, "utf8").trim().split("\n").map((l) => JSON.parse(l) as { _id: string });
        expect(new Set(saved.map((l) => l._id)).size).toBe(total);
        expect(saved).toHaveLength(total);
        const [table] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "CSV" }).click()]);
        const csv = readFileSync((await table.path()) as string, "utf8");
        expect(csv).toMatch(/^_time,_index,_id,/);
        expect(csv.split("\r\n").length).toBeGreaterThan(total);
        await page.keyboard.press("w");
        await expect(page).toHaveURL(/wrap=1/);
        await page.locator(".list").evaluate((e) => (e.scrollTop = 0));
        await rows(page).first().locator(".line").click();
        await page.locator(".list article[data-open] button", { hasText: "JSON" }).click();
        await expect(page.locator(".tree").first()).toContainText("message:");
        expect(errors).toEqual([]);
      });
    }

    for (const index of [NIGHT, STOCK]) {
      test(`10, sources on ${index}: patterns beside the time before, and who writes most`, async ({ page }) => {
        const errors = watch(page);
        await open(page, night.hash(index, { tab: "patterns" }));
        await expect(page.locator("table.patterns tbody tr").first()).toBeVisible();
        await expect(page.locator(".panel .note").first()).toContainText(index === NIGHT ? "counted by message.template_id" : /patterns in \d+ of/);
        if (index === NIGHT) {
          const fresh = page.locator("table.patterns tbody tr", { hasText: "was not taken: gateway gave no answer within" });
          await expect(fresh).toContainText("new");
          await fresh.getByRole("button", { name: "Only lines of this pattern" }).click();
          await expect(status(page)).toHaveText(found(FAILURES));
          await ask(page, "");
        }
        await page.keyboard.press("Escape");
        await page.keyboard.press("3");
        const first = page.locator(".panel tbody tr").first();
        await expect(first).toBeVisible();
        if (index === NIGHT) {
          await expect(first).toContainText("recommender");
          await expect(first).toContainText(String(CHATTER));
          await page.getByRole("button", { name: "No lines of recommender" }).click();
          await expect(first).not.toContainText("recommender");
        }
        await expect(page.locator(".problem")).toBeHidden();
        expect(errors).toEqual([]);
      });
    }

    test("what people type finds what the node finds; mistakes and refusals in words; a query of the search API", async ({ page }) => {
      const errors = watch(page, /400/);
      await open(page, night.hash(NIGHT));
      for (const [typed, query] of [
        ["status:[500 TO 599]", { range: { status: { gte: 500, lte: 599 } } }],
        ["latency_ms:>=3000 -service:web", { bool: { filter: [{ range: { latency_ms: { gte: 3000 } } }], must_not: [{ term: { service: "web" } }] } }],
        ["(level:ERROR OR level:WARN) service:checkout", { bool: { filter: [{ terms: { level: ["ERROR", "WARN"] } }, { term: { service: "checkout" } }] } }],
        ["service:check*", { prefix: { service: "check" } }],
        ["level:error service:CHECK*", { bool: { filter: [{ term: { level: "ERROR" } }, { prefix: { service: "check" } }] } }],
        ["error", { bool: { should: [{ match: { message: "error" } }, { term: { level: "ERROR" } }] } }],
        ["trace_id:*", { exists: { field: "trace_id" } }],
        ["gateway", { bool: { should: [{ match: { message: "gateway" } }, { term: { service: "gateway" } }] } }],
      ] as const) {
        await ask(page, typed);
        await lines(page, NIGHT, query);
      }
      await ask(page, "status:abc");
      await expect(page.locator("#mistake")).toContainText("status holds numbers");
      await page.getByRole("button", { name: "JSON", exact: true }).click();
      await page.locator("#dsl").fill('{"query": {"term": {"level": "ERROR"}}}');
      await page.locator("#dsl").press("Control+Enter");
      await lines(page, NIGHT, { term: { level: "ERROR" } });
      await page.locator("#dsl").fill('{"trem": {}}');
      await page.locator("#dsl").press("Control+Enter");
      await expect(page.locator(".problem")).toContainText("The search was refused (400)");
      expect(errors).toEqual([]);
    });

    // last: its final task writes a line
    tasksOfANight(url, async () => {
      if (Date.now() - night.end > 240_000) await (night = new Night(context, url)).begin();
      return night;
    });
  });
}
