// Figures of the page to look at logs, on a machine at rest; no part of CI. MILLRACE_MEASURE names an
// index of MILLRACE_URL that holds the lines; see observe/docs/explorer-measured.md for the commands.

import { expect, test, type Page } from "@playwright/test";
import { rows, status } from "./reader.ts";

const url = process.env.MILLRACE_URL ?? "";
const index = process.env.MILLRACE_MEASURE ?? "";
const rounds = Number(process.env.MILLRACE_ROUNDS ?? 10);
test.skip(!url || !index, "MILLRACE_URL and MILLRACE_MEASURE name no node and index");
test.setTimeout(1_800_000);

const at = (more: Record<string, string> = {}): string => `${url}/_millrace/explore#${new URLSearchParams({ index, from: "now-24h", ...more })}`;

/** Median and the longest of so many runs, milliseconds; the first one warms up and does not count. */
async function figure(name: string, run: () => Promise<number>): Promise<void> {
  await run();
  const millis: number[] = [];
  for (let i = 0; i < rounds; i++) millis.push(await run());
  millis.sort((a, b) => a - b);
  console.log(`${name}: median ${Math.round(millis[millis.length >> 1] as number)} ms, longest ${Math.round(millis.at(-1) as number)} ms, ${rounds} times`);
}

/** Milliseconds, by the page's own clock, from an act until a text of the page is as it shall be and painted. */
function until(page: Page, act: string, selector: string, pattern: string): Promise<number> {
  return page.evaluate(({ act, selector, pattern }) => new Promise<number>((done) => {
    const started = performance.now();
    (document.querySelector(act) as HTMLElement).click();
    const look = (): void => {
      if (new RegExp(pattern).test(document.querySelector(selector)?.textContent ?? "")) requestAnimationFrame(() => done(performance.now() - started));
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }), { act, selector, pattern });
}

test("first paint; rows and histogram; patterns; refinement", async ({ page }) => {
  await figure("first paint", async () => {
    await page.goto("about:blank");
    await page.goto(at());
    const paint = (): Promise<number> => page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? -1);
    await expect.poll(paint).toBeGreaterThan(0);
    return paint();
  });
  await expect(status(page)).toContainText("lines in");
  console.log(`lines: ${await status(page).textContent()}`);
  // the summary names the lines and their time once the histogram is there; the button searches again
  await figure("rows and histogram", () => until(page, "button[title='Search again (r)']", ".summary", "^[\\d,]+ lines in "));
  await figure("patterns", async () => {
    await page.getByRole("tab", { name: "Lines" }).click();
    return until(page, "[data-tab=patterns]", ".panel .note", "patterns in");
  });
  console.log(`patterns: ${await page.locator(".panel .note").first().textContent()}`);
  await figure("refinement by a click", async () => {
    await page.goto("about:blank");
    await page.goto(at());
    await expect(status(page)).toContainText("lines in");
    await rows(page).first().locator(".line").first().click();
    const all = (await status(page).textContent()) ?? "";
    await page.evaluate(() => document.querySelector("[aria-label='Only lines with this service']")?.setAttribute("data-refine", ""));
    return until(page, "[data-refine]", ".summary", `^(?!${(all.split(" ")[0] ?? "").replace(/,/g, ",")} )[\\d,]+ lines in `);
  });
});

test("100,000 rows: milliseconds of a scroll frame, and the heap", async ({ page }) => {
  await page.goto(at());
  await expect(rows(page).first()).toBeVisible();
  await expect.poll(async () => {
    await page.locator(".list").evaluate((e) => (e.scrollTop = e.scrollHeight));
    return page.locator(".lines > .note").textContent();
  }, { timeout: 1_200_000, intervals: [20] }).toMatch(/as many as this page keeps|^That is all/);
  console.log(`loaded: ${await page.locator(".lines > .note").textContent()}`);
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  const spent = async (): Promise<Map<string, number>> => new Map((await session.send("Performance.getMetrics")).metrics.map((m) => [m.name, m.value]));
  const before = await spent();
  const frames = await page.evaluate(() => new Promise<number[]>((done) => {
    const list = document.querySelector(".list") as HTMLElement;
    const took: number[] = [];
    let last = 0;
    let way = -1;
    const step = (now: number): void => {
      if (last) took.push(now - last);
      last = now;
      list.scrollTop += way * 400;
      if (list.scrollTop <= 0) way = 1;
      if (took.length < 1200) requestAnimationFrame(step);
      else done(took);
    };
    requestAnimationFrame(step);
  }));
  const after = await spent();
  const each = (name: string): string => `${(((after.get(name) ?? 0) - (before.get(name) ?? 0)) / 1.2).toFixed(1)} ms`;
  console.log(`of a frame: script ${each("ScriptDuration")}, style ${each("RecalcStyleDuration")}, layout ${each("LayoutDuration")}, all of the page's thread ${each("TaskDuration")}`);
  frames.sort((a, b) => a - b);
  const heap = await page.evaluate(() => (performance as unknown as { memory?: { usedJSHeapSize: number } }).memory?.usedJSHeapSize ?? 0);
  console.log(`scroll frame: median ${frames[600]?.toFixed(1)} ms, p99 ${frames[1188]?.toFixed(1)} ms, longest ${frames.at(-1)?.toFixed(1)} ms; heap ${Math.round(heap / 1048576)} MB`);
});

test("live tail: how far behind, and whether what is read moves", async ({ page, request }) => {
  const rate = Number(process.env.MILLRACE_RATE ?? 5000);
  const seconds = Number(process.env.MILLRACE_SECONDS ?? 60);
  const refreshed = await request.put(`${url}/${index}/_settings`, { data: { index: { refresh_interval: "1s" } } });
  expect(refreshed.ok(), await refreshed.text()).toBe(true);
  await page.goto(at({ from: "now-5m" }));
  await page.getByRole("button", { name: "Live" }).click();
  const behind: number[] = [];
  let moved = 0;
  let place = "";
  const started = Date.now();
  const write = async (second: number): Promise<void> => {
    const lines = Array.from({ length: rate }, (_, i) => `{"create":{}}\n${JSON.stringify({ "@timestamp": new Date().toISOString(), service: "measure", level: "INFO", message: `measured line ${second}.${i}` })}\n`).join("");
    const answer = await request.post(`${url}/${index}/_bulk`, { headers: { "content-type": "application/x-ndjson" }, data: lines });
    expect(((await answer.json()) as { errors: boolean }).errors).toBe(false);
  };
  for (let second = 0; second < seconds; second++) {
    const next = started + (second + 1) * 1000;
    await write(second);
    const seen = await page.evaluate(() => {
      const list = document.querySelector(".list") as HTMLElement;
      const top = list.getBoundingClientRect().top;
      const all = [...list.querySelectorAll("article")];
      return { time: all[0]?.querySelector("time")?.textContent ?? "", place: all.map((a) => `${a.dataset.key} ${Math.round(a.getBoundingClientRect().top - top)}`).sort().join() };
    });
    if (second < seconds / 2) {
      // followed: the first row is the newest; the browser's zone is UTC
      if (second > 5) behind.push(Date.now() - Date.parse(`${seen.time.replace(" ", "T")}Z`));
    } else if (!place) {
      await page.locator(".list").evaluate((e) => (e.scrollTop = 2000));
      await page.waitForFunction(() => (document.querySelector(".list") as HTMLElement).scrollTop > 1000);
      place = "scrolled";
    } else {
      if (place !== "scrolled" && seen.place !== place) moved++;
      place = seen.place;
    }
    await page.waitForTimeout(Math.max(0, next - Date.now()));
  }
  behind.sort((a, b) => a - b);
  console.log(`live at ${rate} lines a second: median ${behind[behind.length >> 1]} ms behind, longest ${behind.at(-1)} ms; ${moved} jumps while scrolled`);
  expect(moved).toBe(0);
});
