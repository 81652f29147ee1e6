// Figures of the page to look at logs, on a machine at rest; no part of CI. MILLRACE_MEASURE names an
// index of MILLRACE_URL that holds the lines; see observe/docs/explorer-measured.md for the commands.

import { readFileSync } from "node:fs";
import { expect, test, type APIRequestContext, type Page } from "@playwright/test";
import { ask, found, noDisk, rows, status, watch } from "./reader.ts";

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

/** Scrolls down until the page has all lines, or keeps no more; the milliseconds and what it says then. */
async function loadAll(page: Page): Promise<string> {
  const started = Date.now();
  await expect.poll(async () => {
    await page.locator(".list").evaluate((e) => (e.scrollTop = e.scrollHeight));
    return page.locator(".lines > .note").textContent();
  }, { timeout: 1_200_000, intervals: [20] }).toMatch(/as many as this page keeps|^That is all/);
  return `${await page.locator(".lines > .note").textContent()} after ${Date.now() - started} ms`;
}

/** What scrolling up and down through the loaded rows takes, and the heap that they take. */
async function scrolled(page: Page, count: number): Promise<string> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  const spent = async (): Promise<Map<string, number>> => new Map((await session.send("Performance.getMetrics")).metrics.map((m) => [m.name, m.value]));
  const before = await spent();
  const frames = await page.evaluate((count) => new Promise<number[]>((done) => {
    const list = document.querySelector(".list") as HTMLElement;
    const took: number[] = [];
    let last = 0;
    let way = -1;
    const step = (now: number): void => {
      if (last) took.push(now - last);
      last = now;
      list.scrollTop += way * 400;
      if (list.scrollTop <= 0) way = 1;
      if (took.length < count) requestAnimationFrame(step);
      else done(took);
    };
    requestAnimationFrame(step);
  }), count);
  const after = await spent();
  const each = (name: string): string => `${(((after.get(name) ?? 0) - (before.get(name) ?? 0)) * 1000 / count).toFixed(1)} ms`;
  frames.sort((a, b) => a - b);
  const heap = await page.evaluate(() => (performance as unknown as { memory?: { usedJSHeapSize: number } }).memory?.usedJSHeapSize ?? 0);
  const mean = frames.reduce((sum, f) => sum + f, 0) / frames.length;
  return `scroll frame: median ${frames[count >> 1]?.toFixed(1)} ms, mean ${mean.toFixed(1)} ms, p99 ${frames[Math.floor(count * 0.99)]?.toFixed(1)} ms, longest ${frames.at(-1)?.toFixed(1)} ms; ` +
    `of it the page's thread ${each("TaskDuration")}: script ${each("ScriptDuration")}, style ${each("RecalcStyleDuration")}, layout ${each("LayoutDuration")}; heap ${Math.round(heap / 1048576)} MB`;
}

test("100,000 rows: milliseconds of a scroll frame, and the heap", async ({ page }) => {
  await page.goto(at());
  await expect(rows(page).first()).toBeVisible();
  console.log(`loaded: ${await loadAll(page)}`);
  for (let run = 1; run <= 3; run++) console.log(`run ${run}, ${await scrolled(page, 1200)}`);
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

/** Makes an index of this name for one test, and takes it away. */
async function withIndex(request: APIRequestContext, name: string, body: unknown, run: () => Promise<void>): Promise<void> {
  await request.delete(`${url}/${name}`);
  const made = await request.put(`${url}/${name}`, { data: body });
  expect(made.ok(), await made.text()).toBe(true);
  try {
    await run();
  } finally {
    await request.delete(`${url}/${name}`);
  }
}

async function write(request: APIRequestContext, name: string, lines: unknown[]): Promise<void> {
  const answer = await request.post(`${url}/${name}/_bulk?refresh=true`, {
    headers: { "content-type": "application/x-ndjson" }, data: lines.map((l) => `{"create":{}}\n${JSON.stringify(l)}\n`).join(""), timeout: 300_000,
  });
  expect(((await answer.json()) as { errors: boolean }).errors).toBe(false);
}

test("160 documents of a megabyte, half of them without a message", async ({ page, request }) => {
  const name = "measure-large";
  const errors = watch(page);
  await noDisk(page);
  const text = "lorem ipsum dolor sit amet consetetur ".repeat(26_000);
  const mappings = { properties: { "@timestamp": { type: "date" }, service: { type: "keyword" }, message: { type: "text" }, blob: { type: "keyword", index: false, doc_values: false } } };
  await withIndex(request, name, { settings: { number_of_replicas: 0 }, mappings }, async () => {
    for (let i = 0; i < 160; i += 8) {
      await write(request, name, Array.from({ length: 8 }, (_, j) => ({
        "@timestamp": new Date(Date.now() - (i + j) * 1000).toISOString(), service: "large", ...((i + j) % 2 ? { message: `large ${i + j} ${text}` } : { blob: `${text}${i + j}` }),
      })));
    }
    await page.goto(at({ index: name, from: "now-1h" }));
    await expect(status(page)).toHaveText(found(160));
    console.log(`loaded: ${await loadAll(page)}`);
    console.log(await scrolled(page, 300));
    await page.locator(".list").evaluate((e) => (e.scrollTop = 0));
    let started = Date.now();
    await rows(page).first().locator(".line").first().click();
    await page.getByRole("button", { name: "Lines around" }).first().click();
    await expect(page.getByRole("region", { name: "Lines around this one" }).locator(".line").nth(10)).toBeVisible({ timeout: 60_000 });
    console.log(`lines around one: ${Date.now() - started} ms`);
    for (const kind of ["NDJSON", "CSV"]) {
      started = Date.now();
      const [download] = await Promise.all([page.waitForEvent("download", { timeout: 300_000 }), page.getByRole("button", { name: kind, exact: true }).click()]);
      const file = readFileSync((await download.path()) as string, "latin1");
      console.log(`${kind}: ${Math.round(file.length / 1e6)} MB in ${Date.now() - started} ms`);
      expect(file.trim().split(kind === "CSV" ? "\r\n" : "\n").length).toBe(kind === "CSV" ? 161 : 160);
    }
    expect(errors).toEqual([]);
  });
});

test("a million fields: the page says what it does not list, and finds what is named", async ({ page, request }) => {
  const errors = watch(page);
  const names = Array.from({ length: 10 }, (_, k) => `measure-wide-${k}`);
  const make = async (k: number, then: () => Promise<void>): Promise<void> => {
    const name = names[k];
    if (name === undefined) return then();
    await withIndex(request, name, {
      settings: { number_of_replicas: 0, "index.mapping.total_fields.limit": 200_000 },
      mappings: { properties: { "@timestamp": { type: "date" }, level: { type: "keyword" }, message: { type: "text" } } },
    }, async () => {
      for (let half = 0; half < 2; half++) {
        const properties = Object.fromEntries(Array.from({ length: 50_000 }, (_, j) => [`label_${k}_${half * 50_000 + j}`, { type: "keyword" }]));
        const put = await request.put(`${url}/${name}/_mapping?timeout=120s`, { data: { properties }, timeout: 180_000 });
        expect(put.ok(), await put.text()).toBe(true);
      }
      await write(request, name, Array.from({ length: 200 }, (_, i) => ({
        "@timestamp": new Date(Date.now() - i * 1000 - k).toISOString(), level: i % 10 ? "INFO" : "ERROR", message: `wide line ${i} of ${k}`,
        ...Object.fromEntries(Array.from({ length: 30 }, (_, j) => [`label_${k}_${(i * 37 + j * 3001) % 100_000}`, `value ${j}`])),
      })));
      await make(k + 1, then);
    });
  };
  await make(0, async () => {
    const started = Date.now();
    await page.goto(at({ index: "measure-wide-*", from: "now-1h" }));
    await expect(status(page)).toHaveText(found(2000));
    console.log(`2,000 lines of a million fields: ${Date.now() - started} ms`);
    const many = page.locator(".fields .note", { hasText: "more fields than a page can list" });
    await expect(many).toBeVisible();
    console.log(`the list of fields, given up: ${Date.now() - started} ms`);
    for (const [typed, lines] of [["wide", 2000], ["level:error", 200], ["label_3_37:*", 1], ['label_3_37:"value 0"', 1]] as const) {
      const asked = Date.now();
      await ask(page, typed);
      await expect(status(page)).toHaveText(found(lines));
      console.log(`${typed}: ${Date.now() - asked} ms; ${(await page.locator(".problem").allTextContents()).join(" ")}`);
    }
    await page.keyboard.press("Escape");
    await page.locator(".list").focus();
    await page.keyboard.press("2");
    await expect(page.locator("table.patterns tbody tr").first()).toBeVisible();
    expect(errors).toEqual([]);
  });
});
