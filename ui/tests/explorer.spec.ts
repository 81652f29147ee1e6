// The page to look at logs, against stores of every shape; see logs.ts. No node is needed.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test, type Locator, type Page } from "@playwright/test";
import { FakeLogs, LOGS, NOW, type Source } from "./logs.ts";
import { ask, clipboard, found, instead, noDisk, rows, status, violations, watch } from "./reader.ts";

test.describe.configure({ mode: "parallel" });

const LEVELS = ["INFO", "INFO", "INFO", "WARN", "INFO", "ERROR", "INFO", "DEBUG", "INFO", "INFO"];
const SERVICES = ["checkout", "checkout", "web", "postgres", "checkout"];

/** 200 lines of the last 200 seconds, of three services; every tenth is an error. */
function shop(): FakeLogs {
  return new FakeLogs().many(200, (i) => ({
    level: LEVELS[i % 10], service: SERVICES[i % 5], host: `ip-10-0-0-${i % 3}`, status: i % 10 === 5 ? 500 : 200, latency_ms: i,
    trace_id: `trace${i % 50}`, message: i % 10 === 5 ? `payment ${i} failed: connection reset by peer` : `order ${i} accepted for user u${i % 7}`,
  }));
}

async function open(page: Page, store: FakeLogs, hash = ""): Promise<void> {
  await store.open(page, hash);
  await expect(status(page)).toContainText("lines");
}

// ---- the fifteen features

test("1 a click on a value keeps its lines, or leaves them out; the other click undoes it", async ({ page }) => {
  const errors = watch(page);
  await open(page, shop());
  await expect(status(page)).toHaveText(found(200));
  await rows(page).first().locator(".line").click();
  await page.getByRole("button", { name: "Only lines with this service" }).click();
  await expect(status(page)).toHaveText(found(120));
  await expect(page.locator("#query")).toHaveValue("service:checkout");
  await rows(page).first().locator(".line").click();
  await page.getByRole("button", { name: "No lines with this service" }).click();
  await expect(page.locator("#query")).toHaveValue("-service:checkout");
  await expect(status(page)).toHaveText(found(80));
  await expect(rows(page).first()).not.toContainText("checkout");
  expect(errors).toEqual([]);
});

test("2 fields: found by a part of the name, with top values and counts, each to keep or leave out", async ({ page }) => {
  await open(page, shop());
  await page.getByLabel("Find a field").fill("serv");
  await expect(page.locator(".field")).toHaveCount(1);
  await page.getByRole("button", { name: /service/ }).first().click();
  await expect(page.locator(".values")).toContainText("checkout60 %");
  await expect(page.locator(".values")).toContainText("These are all values.");
  await page.getByRole("button", { name: "Only lines with service postgres" }).click();
  await expect(status(page)).toHaveText(found(40));
  await expect(page.locator(".values")).toContainText("postgres100 %"); // counted anew in what is found now
  await page.getByLabel("Find a field").fill("message");
  await page.getByRole("button", { name: /message/ }).first().click();
  await expect(page.locator(".values")).toContainText("cannot be counted on the node");
  await page.getByLabel("Find a field").fill("no such");
  await expect(page.locator(".fields")).toContainText("No field has no such in its name.");
});

test("3 live: lines come at the top; what is being read never moves", async ({ page }) => {
  const errors = watch(page);
  await page.clock.install({ time: NOW });
  const store = shop();
  await store.open(page, "", "stopped");
  await expect(status(page)).toHaveText(found(200));
  await page.clock.pauseAt(NOW + 60_000);
  let second = 60;
  const tick = async (write: number, until: () => Promise<unknown>, expected: unknown): Promise<void> => {
    for (let i = 0; i < write; i++) store.add({ "@timestamp": new Date(NOW + second * 1000 + i).toISOString(), level: "INFO", message: `live ${second}.${i}` });
    second++;
    await expect.poll(async () => { await page.clock.runFor(1000); return until(); }).toBe(expected);
  };
  await page.keyboard.press("l");
  await expect(page.getByRole("button", { name: "Live" })).toHaveAttribute("aria-pressed", "true");
  await tick(3, () => rows(page).first().locator(".message").textContent(), "live 60.2");
  // scrolled: the row under the eye stays where it is, and what comes is counted
  await page.locator(".list").evaluate((list) => (list.scrollTop = 1200));
  await page.clock.runFor(100);
  const place = () => page.locator(".list").evaluate((list) => {
    const top = list.getBoundingClientRect().top;
    return [...list.querySelectorAll("article")].map((a) => `${a.getAttribute("data-key")} ${Math.round(a.getBoundingClientRect().top - top)}`).sort().join();
  });
  // the rows of the place that was scrolled to are drawn
  await expect.poll(async () => { await page.clock.runFor(100); return (await place()).split(",").some((row) => Math.abs(Number(row.split(" ")[1])) < 24); }).toBe(true);
  const before = await place();
  await tick(5, () => page.locator(".newer").textContent(), "5 new lines ↑");
  await tick(2, () => page.locator(".newer").textContent(), "7 new lines ↑");
  expect(await place()).toBe(before);
  // a late one stands where its time says
  store.add({ "@timestamp": new Date(NOW + 60_500).toISOString(), message: "late" });
  await expect.poll(async () => { await page.clock.runFor(1000); return page.locator(".newer").textContent(); }).toBe("8 new lines ↑");
  await page.locator(".newer").click();
  await page.clock.runFor(100);
  await expect(rows(page).first()).toContainText("live 62.1");
  await expect(page.locator(".list")).toHaveJSProperty("scrollTop", 0);
  // an open line is being read
  await rows(page).nth(2).locator(".line").click();
  await tick(4, () => page.locator(".newer").textContent(), "4 new lines ↑");
  // a store that refuses is said, and the tail goes on when it answers again
  store.faults = { status: { code: 429, reason: "too many searches" } };
  await tick(0, () => page.locator(".problem").textContent().then((t) => /The tail waits: The cluster is busy/.test(t ?? "")), true);
  store.faults = {};
  await tick(1, () => page.locator(".problem").isHidden(), true);
  await page.keyboard.press("Escape");
  await page.keyboard.press("l");
  await expect(page.getByRole("button", { name: "Live" })).toHaveAttribute("aria-pressed", "false");
  const asked = store.searches.length;
  await page.clock.runFor(10_000);
  expect(store.searches.length).toBe(asked);
  expect(errors.filter((e) => !/429/.test(e))).toEqual([]);
});

test("3 live where nothing was found yet: the first line is shown as it comes", async ({ page }) => {
  await page.clock.install({ time: NOW });
  const store = shop();
  await store.open(page, "#q=absent", "stopped");
  await expect(instead(page)).toContainText("No line of any time matches");
  await page.keyboard.press("l");
  store.add({ "@timestamp": new Date(NOW + 500).toISOString(), level: "ERROR", message: "absent no more" });
  await expect.poll(async () => { await page.clock.runFor(1000); return rows(page).count(); }).toBe(1);
  await expect(rows(page).first()).toBeVisible();
});

test("3 live from a time that is over begins with the lines of now", async ({ page }) => {
  const store = shop();
  await open(page, store, `#from=${new Date(NOW - 180_000).toISOString()}&to=${new Date(NOW - 120_000).toISOString()}`);
  await expect(status(page)).toHaveText(found(61));
  await page.keyboard.press("l");
  await expect(status(page)).toHaveText(found(200));
  await expect(page.getByRole("button", { name: "Live" })).toHaveAttribute("aria-pressed", "true");
  await expect(page.getByLabel("time", { exact: true })).toHaveValue("now-15m");
});

test("4 lines around one stand in its place: from its source, or from everywhere", async ({ page }) => {
  await open(page, shop(), `#q=${encodeURIComponent("status:500")}`);
  await expect(status(page)).toHaveText(found(20));
  await rows(page).nth(5).locator(".line").click(); // order 55: service checkout, host 1
  await page.getByRole("button", { name: "Lines around" }).click();
  const around = page.getByRole("region", { name: "Lines around this one" });
  await expect(around.locator(".line")).toHaveCount(21);
  await expect(around.locator("[aria-current]")).toContainText("payment 55 failed");
  await expect(around).toContainText("only service checkout, host ip-10-0-0-1");
  await around.getByRole("checkbox").uncheck();
  await expect(around.locator(".line").first()).toContainText("payment 45 failed");
  await expect(around.locator(".line").last()).toContainText("payment 65 failed");
  await around.getByRole("button", { name: "More before" }).click();
  await expect(around.locator(".line").last()).toContainText("payment 75 failed");
  await expect(page.locator("#query")).toHaveValue("status:500");
});

test("4 many lines of one time: each neighbour is shown once", async ({ page }) => {
  const store = new FakeLogs();
  for (let i = 0; i < 60; i++) store.add({ "@timestamp": new Date(NOW - 5000).toISOString(), message: `same time ${i}` });
  await open(page, store);
  await rows(page).nth(3).locator(".line").click();
  await page.getByRole("button", { name: "Lines around" }).click();
  const around = page.getByRole("region", { name: "Lines around this one" });
  await expect(around.locator(".line")).toHaveCount(21);
  const texts = await around.locator(".message").allTextContents();
  expect(new Set(texts).size).toBe(21);
});

test("4 nanoseconds: lines and their neighbours stand in the order of all their digits", async ({ page }) => {
  const store = new FakeLogs().index("logs-app", { ...LOGS, "@timestamp": "date_nanos" });
  for (let i = 0; i < 30; i++) store.add({ "@timestamp": `2026-11-22T11:59:30.123${String(100_000 + i)}Z`, message: `nano ${i}` });
  await open(page, store);
  await expect(rows(page).first()).toContainText("nano 29");
  await rows(page).nth(14).locator(".line").click();
  await page.getByRole("button", { name: "Lines around" }).click();
  const around = page.getByRole("region", { name: "Lines around this one" });
  await expect(around.locator(".line")).toHaveCount(21);
  await expect(around.locator(".line").first()).toContainText("nano 25");
  await expect(around.locator(".line").last()).toContainText("nano 5");
});

test("5 bars: grouped by level, by any field, or by none; a part of them is chosen with pointer and keys", async ({ page }) => {
  await open(page, shop());
  const legend = page.locator(".chart .legend");
  await expect(legend).toContainText("INFO140");
  await expect(legend).toContainText("ERROR20");
  await page.getByLabel("bars by").selectOption("service");
  await expect(legend).toContainText("checkout120");
  await page.getByLabel("bars by").selectOption("-");
  await expect(legend).toContainText("lines200");
  const slider = page.getByRole("slider");
  const box = (await slider.boundingBox()) as { x: number; y: number; width: number; height: number };
  await page.mouse.move(box.x + box.width * 0.95, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - 2, box.y + 20, { steps: 3 });
  await expect(page.locator(".tip")).toContainText("lines");
  await page.mouse.up();
  await expect(page).toHaveURL(/from=2026-11-22T11%3A59/);
  await expect(status(page)).not.toHaveText(found(200));
  await page.goBack();
  await expect(status(page)).toHaveText(found(200));
  await page.keyboard.press("h");
  await expect(slider).toBeFocused();
  await page.keyboard.press("End");
  for (let i = 0; i < 3; i++) await page.keyboard.press("Shift+ArrowLeft");
  await expect(slider).toHaveAttribute("aria-valuetext", /lines \d+/);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/from=2026-11-22T11%3A59/);
});

test("6 matches are marked, in the message and in fields; what is excluded is not", async ({ page }) => {
  await open(page, shop(), `#q=${encodeURIComponent('"connection reset" service:checkout -DEBUG')}`);
  await expect(status(page)).toHaveText(found(20));
  await expect(rows(page).first().locator(".message mark")).toHaveText(["connection reset"]);
  await expect(rows(page).first().locator(".pairs mark")).toHaveText(["checkout"]);
  await ask(page, "accept*");
  await expect(rows(page).first().locator("mark")).toHaveText(["accepted"]);
});

test("7 names and values are completed, with how often; keys choose", async ({ page }) => {
  await open(page, shop());
  const box = page.locator("#query");
  const options = page.locator("#suggestions li");
  await box.pressSequentially("serv");
  await expect(options).toHaveText(["service:keyword"]);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(box).toHaveValue("service:");
  await expect(options).toHaveText(["service:checkout120", "service:web40", "service:postgres40"]);
  await box.pressSequentially("p");
  await expect(options).toHaveText(["service:postgres40"]);
  await page.keyboard.press("ArrowDown");
  await expect(box).toHaveAttribute("aria-activedescendant", "suggestion-0");
  await page.keyboard.press("Tab");
  await expect(box).toHaveValue("service:postgres ");
  await page.keyboard.press("Enter");
  await expect(status(page)).toHaveText(found(40));
  await expect(page.getByRole("listbox")).toBeHidden();
});

for (const points of [true, false]) {
  test(`8 thousands of lines by scrolling, each once, ${points ? "from a point in time" : "where none may be opened"}`, async ({ page }) => {
    const errors = watch(page, points ? undefined : /403/);
    const store = new FakeLogs();
    // 40 lines share each time
    for (let i = 0; i < 2500; i++) store.add({ "@timestamp": new Date(NOW - 1000 - Math.floor(i / 40) * 100).toISOString(), message: `line ${i}` });
    store.faults = { noPoints: !points };
    await open(page, store);
    const list = page.locator(".list");
    await expect(page.locator(".note", { hasText: "200 lines here" })).toBeVisible();
    store.add({ "@timestamp": new Date(NOW - 1500).toISOString(), message: "came later" }); // moves nothing that was read
    await expect.poll(async () => {
      await list.evaluate((e) => (e.scrollTop = e.scrollHeight));
      return page.locator(".lines > .note").textContent();
    }).toMatch(/^That is all: 2,?50[01] lines\.$/);
    expect(await rows(page).count()).toBeLessThan(120);
    await expect(rows(page).last()).toContainText("line 2499");
    const keys = await page.evaluate(() => [...document.querySelectorAll("[data-key]")].map((e) => e.getAttribute("data-key")));
    expect(new Set(keys).size).toBe(keys.length);
    expect(store.points).toBe(points ? 1 : 0);
    await ask(page, "nothing");
    if (points) await expect.poll(() => store.pointsClosed).toBe(1);
    expect(errors).toEqual([]);
  });
}

/** Scrolls to the last line; the ids of all lines that were shown, in their order. */
async function scrolled(page: Page): Promise<string[]> {
  return page.evaluate(() => new Promise<string[]>((done) => {
    const list = document.querySelector(".list") as HTMLElement;
    const keys = new Map<number, string>();
    const step = (): void => {
      for (const row of list.querySelectorAll("article")) keys.set(Number(row.getAttribute("aria-posinset")), row.getAttribute("data-key") as string);
      // rows are drawn a frame after the list was moved, on a busy machine some frames
      const box = list.getBoundingClientRect();
      const drawn = [box.top + 1, box.bottom - 30].every((y) => [...list.querySelectorAll("article")].some((r) => r.getBoundingClientRect().top <= y && r.getBoundingClientRect().bottom > y));
      if (!drawn) return void requestAnimationFrame(step);
      const end = list.scrollTop + list.clientHeight >= list.scrollHeight - 1;
      if (end && /^That is all/.test(document.querySelector(".lines > .note")?.textContent ?? "")) return done([...keys].sort((a, b) => a[0] - b[0]).map(([, key]) => key));
      list.scrollTop += 300;
      requestAnimationFrame(step);
    };
    step();
  }));
}

test("8 lines close to each other, at all times, and after a pause: each once, in their order", async ({ page }) => {
  const errors = watch(page, /404/);
  const store = new FakeLogs().many(700, (i) => ({ message: `line ${i}` }), 1); // one each millisecond
  const all = store.lines.map((l) => `logs-app/${l.id}`);
  await open(page, store);
  expect(await scrolled(page)).toEqual(all);
  await page.getByLabel("time", { exact: true }).selectOption("all times");
  await expect(page).toHaveURL(/from=(&|$)/);
  await expect(page.locator(".lines > .note")).toHaveText("200 lines here; scroll for more.");
  expect(await scrolled(page)).toEqual(all);
  // nobody scrolled for longer than a point in time is kept
  store.many(1600, (i) => ({ message: `older ${i}` }), 1, NOW - 700);
  await page.keyboard.press("r");
  await expect(page.locator(".lines > .note")).toHaveText("200 lines here; scroll for more.");
  await page.locator(".list").evaluate((e) => (e.scrollTop = e.scrollHeight));
  await expect(page.locator(".lines > .note")).toHaveText("1199 lines here; scroll for more.");
  store.forgotten = store.points;
  await page.locator(".list").evaluate((e) => (e.scrollTop = 0));
  expect(await scrolled(page)).toEqual(store.lines.map((l) => `logs-app/${l.id}`));
  expect(errors).toEqual([]);
});

test("2 a level is found in either case, typed or by a click; in quotes as it stands", async ({ page }) => {
  const errors = watch(page);
  const store = shop();
  store.many(5, (i) => ({ level: "error", message: `retry ${i}` }));
  await open(page, store);
  for (const query of ["level:error", "level:ERROR", "level:Err*", "error"]) {
    await ask(page, query);
    await expect(status(page)).toHaveText(found(25));
  }
  await ask(page, 'level:"error"');
  await expect(status(page)).toHaveText(found(5));
  await ask(page, "-level:error");
  await expect(status(page)).toHaveText(found(180));
  await ask(page, "");
  await rows(page).filter({ hasText: "retry 0" }).locator(".line").click();
  await page.getByRole("button", { name: "Only lines with this level" }).click();
  await expect(page.locator("#query")).toHaveValue("level:error");
  await expect(status(page)).toHaveText(found(25));
  expect(errors).toEqual([]);
});

test("a sign that turns the order of a line is shown, not followed", async ({ page }) => {
  const store = new FakeLogs();
  store.add({ "@timestamp": new Date(NOW - 1000).toISOString(), message: "user \u202enimda\u202c logged in", note: "\u202dx" });
  await open(page, store);
  await expect(rows(page).first().locator(".message")).toHaveText("user �nimda� logged in");
  await rows(page).first().locator(".line").click();
  await expect(page.locator(".opened")).not.toContainText(/[\u202a-\u202e]/);
  await page.locator(".opened").getByRole("button", { name: "JSON" }).click();
  await expect(page.locator(".tree").first()).toContainText("�nimda�");
});

test("a time without lines has no highest bar", async ({ page }) => {
  await open(page, shop());
  await ask(page, "nothing-has-this-word");
  await expect(page.locator(".legend")).toHaveText(/highest 0$/);
});

test("8 a later page that lacks shards says so", async ({ page }) => {
  const store = new FakeLogs().many(900, (i) => ({ message: `line ${i}` }), 1);
  await open(page, store);
  store.faults = { failed: 1 };
  await page.locator(".list").evaluate((e) => (e.scrollTop = e.scrollHeight));
  await expect(page.locator(".lines > .note")).toContainText("That is all: 900 lines. 1 of 5 shards did not answer, so lines are missing");
});

test("9 what was found as CSV and as NDJSON, where the browser gives no file to write to", async ({ page }) => {
  await noDisk(page);
  const store = shop().many(1500, (i) => ({ message: `=cmd|${i}, "quoted"`, id: 1 }), 1000, NOW - 300_000);
  store.add({ "@timestamp": new Date(NOW - 10).toISOString(), message: "digits" }, "logs-app",
    `{"@timestamp":"${new Date(NOW - 10).toISOString()}","message":"digits","number":9223372036854775807}`);
  await open(page, store, "#from=now-1h");
  await expect(status(page)).toHaveText(found(1701));
  const save = async (kind: string): Promise<string> => {
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: kind.toUpperCase() }).click()]);
    expect(download.suggestedFilename()).toMatch(new RegExp(`^logs-_-2026-11-22T1200\\d\\d\\.${kind}$`));
    return readFileSync((await download.path()) as string, "utf8");
  };
  const lines = (await save("ndjson")).trim().split("\n");
  expect(lines).toHaveLength(1701);
  expect(lines[0]).toContain('"number":9223372036854775807');
  expect(new Set(lines.map((l) => (JSON.parse(l) as { _id: string })._id)).size).toBe(1701);
  await expect(page.locator(".toast")).toContainText("1,701 lines are in the file");
  await page.getByLabel("Find a field").fill("message");
  await page.getByRole("button", { name: /message/ }).first().click();
  await page.locator(".values").getByRole("button", { name: "Column" }).click();
  const csv = (await save("csv")).trim().split("\r\n");
  expect(csv[0]).toBe("_time,_index,_id,message");
  expect(csv).toHaveLength(1702);
  expect(csv.at(-1)).toContain(`"'=cmd|1499, ""quoted"""`);
});

/** A browser that lets a page write a file where the user says; the file's parts, and how it ended. */
async function disk(page: Page): Promise<() => Promise<{ name: string; parts: string[]; end: string }>> {
  await page.addInitScript(() => {
    const file = { name: "", parts: [] as string[], end: "" };
    Object.assign(window, { file, showSaveFilePicker: (options: { suggestedName: string }) => {
      file.name = options.suggestedName;
      return Promise.resolve({ createWritable: () => Promise.resolve({
        write: (text: string) => { file.parts.push(text); return Promise.resolve(); },
        close: () => { file.end = "whole"; return Promise.resolve(); },
        abort: () => { file.end = "dropped"; return Promise.resolve(); },
      }) });
    } });
  });
  return () => page.evaluate(() => (window as unknown as { file: { name: string; parts: string[]; end: string } }).file);
}

test("9 a file is written while it comes; a busy cluster is waited for; one that fails leaves no file", async ({ page }) => {
  const errors = watch(page, /Failed to load resource/);
  const file = await disk(page);
  await page.clock.install({ time: NOW });
  const store = new FakeLogs().many(3500, (i) => ({ message: `line ${i}` }), 100);
  await store.open(page, "", "stopped");
  await expect(status(page)).toHaveText(found(3500));
  let pages = 0;
  store.hold = (body) => {
    // the third page is refused once
    if (body.size === 1000) store.faults = ++pages === 3 ? { status: { code: 429, reason: "busy" } } : {};
    return undefined;
  };
  await page.getByRole("button", { name: "NDJSON" }).click();
  await expect.poll(async () => { await page.clock.runFor(500); return (await file()).end; }).toBe("whole");
  const { name, parts } = await file();
  expect(name).toMatch(/^logs-_-2026-11-22T\d+\.ndjson$/);
  expect(parts.length).toBeGreaterThanOrEqual(4);
  const ids = parts.join("").trim().split("\n").map((l) => (JSON.parse(l) as { _id: string })._id);
  expect(ids).toHaveLength(3500);
  expect(new Set(ids).size).toBe(3500);
  expect(pages).toBeGreaterThanOrEqual(5);
  await expect(page.locator(".toast")).toContainText("3,500 lines are in the file.");
  store.hold = undefined;
  store.faults = { failed: 1 };
  await page.getByRole("button", { name: "CSV" }).click();
  await expect(page.locator(".toast")).toContainText("1 of 5 shards did not answer, so lines are missing");
  store.faults = { status: { code: 503, reason: "all shards failed" } };
  await page.getByRole("button", { name: "CSV" }).click();
  await expect(page.locator(".toast")).toContainText("Not saved: The cluster cannot answer now (503)");
  expect((await file()).end).toBe("dropped");
  expect(errors).toEqual([]);
});

test("9 a second press stops a file, and leaves none", async ({ page }) => {
  const file = await disk(page);
  const store = new FakeLogs().many(3500, (i) => ({ message: `line ${i}` }), 1);
  await open(page, store);
  let release = (): void => undefined;
  store.hold = (body) => (body.pit ? new Promise((done) => (release = done)) : undefined);
  await page.getByRole("button", { name: "NDJSON" }).click();
  await expect(page.locator(".toast")).toHaveText("1000 lines…");
  await page.getByRole("button", { name: "NDJSON" }).click();
  await expect(page.locator(".toast")).toHaveText("Saving has stopped.");
  release();
  await expect.poll(async () => (await file()).end).toBe("dropped");
  store.hold = undefined;
  await page.getByRole("button", { name: "CSV" }).click();
  await expect(page.locator(".toast")).toContainText("3,500 lines are in the file");
});

test("8 oldest lines first: the first one of a time is one click away, pages go on after it", async ({ page }) => {
  const errors = watch(page);
  const store = new FakeLogs().many(1300, (i) => ({ message: `line ${i}` }), 100);
  await open(page, store);
  await expect(rows(page).first()).toContainText("line 0");
  await page.keyboard.press("o");
  await expect(rows(page).first()).toContainText("line 1299");
  await expect(page).toHaveURL(/sort=asc/);
  await expect(page.getByRole("button", { name: "Oldest first" })).toHaveAttribute("aria-pressed", "true");
  // each page makes the list longer, the last one too
  await expect.poll(async () => {
    await page.locator(".list").evaluate((e) => (e.scrollTop = e.scrollHeight));
    return rows(page).last().locator(".message").textContent();
  }).toBe("line 0");
  await expect(page.locator(".lines > .note")).toHaveText("That is all: 1300 lines.");
  await page.keyboard.press("l"); // new lines come at the top
  await expect(page.getByRole("button", { name: "Oldest first" })).toHaveAttribute("aria-pressed", "false");
  await expect(rows(page).first()).toContainText("line 0");
  await expect(page.getByRole("button", { name: "Live" })).toHaveAttribute("aria-pressed", "true");
  await page.keyboard.press("o");
  await expect(rows(page).first()).toContainText("line 1299");
  await expect(page.getByRole("button", { name: "Live" })).toHaveAttribute("aria-pressed", "false");
  expect(errors).toEqual([]);
});

test("10 patterns: similar lines as one, beside the time before; what is new stands first", async ({ page }) => {
  const errors = watch(page);
  const store = shop();
  // the fifteen minutes before: the orders, but no failure
  store.many(300, (i) => ({ level: "INFO", message: `order ${i} accepted for user u${i}` }), 1000, NOW - 900_000);
  await open(page, store);
  await page.keyboard.press("2");
  const table = page.locator("table.patterns tbody tr");
  await expect(table).toHaveCount(2);
  await expect(table.first()).toContainText("new");
  await expect(table.first()).toContainText("payment * failed: connection reset by peer");
  await expect(table.nth(1)).toContainText("order * accepted for user *");
  await expect(table.nth(1).locator("td").first()).toHaveText("180");
  await expect(table.nth(1).locator("td").nth(2)).toContainText("300");
  await table.first().getByRole("button", { name: "Only lines of this pattern" }).click();
  await expect(page.getByRole("tab", { name: "Lines" })).toHaveAttribute("aria-selected", "true");
  await expect(status(page)).toHaveText(found(20));
  await page.goBack();
  await expect(table).toHaveCount(2);
  await table.nth(1).getByRole("button", { name: "No lines of this pattern" }).click();
  await expect(table).toHaveCount(1);
  await expect(status(page)).toHaveText(found(20));
  expect(errors).toEqual([]);
});

test("10 lines without a message are grouped by the fields that they have, and each group is a click away", async ({ page }) => {
  const errors = watch(page);
  const store = shop().index("logs-app", { ...LOGS, queue: "keyword", depth: "long" });
  store.many(30, (i) => ({ level: "INFO", queue: `q${i}`, depth: i }));
  store.many(10, () => ({ level: "ERROR", service: "cron" }));
  await open(page, store);
  await page.keyboard.press("2");
  const table = page.locator("table.patterns tbody tr");
  await expect(table).toHaveCount(4);
  const queues = table.filter({ hasText: "(no message) level queue depth" });
  await expect(queues.locator("td").first()).toHaveText("30");
  await expect(table.filter({ hasText: "(no message) level service" }).locator("td").first()).toHaveText("10");
  await queues.getByRole("button", { name: "Only lines of this pattern" }).click();
  await expect(page.locator("#query")).toHaveValue("-message:* level:* queue:* depth:*");
  await expect(status(page)).toHaveText(found(30));
  await page.goBack();
  await queues.getByRole("button", { name: "No lines of this pattern" }).click();
  await expect(table).toHaveCount(3);
  await expect(status(page)).toHaveText(found(210));
  expect(errors).toEqual([]);
});

test("10 patterns where the index keeps templates: counted exactly, no sample, however many lines there are", async ({ page }) => {
  const errors = watch(page);
  const store = shop().index("logs-app", { ...LOGS, "message.template_id": "keyword" });
  store.many(3000, (i) => ({ level: "INFO", message: `order ${i} accepted for user u${i}` }), 100, NOW - 900_000);
  await open(page, store);
  await page.keyboard.press("2");
  const table = page.locator("table.patterns tbody tr");
  await expect(table).toHaveCount(2);
  await expect(page.locator(".panel .note")).toContainText("2 patterns in 200 lines, counted by message.template_id. Before: the 15 min before, 3,000 lines.");
  await expect(table.first()).toContainText("new");
  await expect(table.first()).toContainText("payment * failed: connection reset by peer");
  await expect(table.nth(1).locator("td").first()).toHaveText("180");
  await expect(table.nth(1).locator("td").nth(2)).toContainText("3000");
  expect(store.searches.filter((s) => JSON.stringify(s.body).includes("random_score"))).toEqual([]);
  await table.nth(1).getByRole("button", { name: "No lines of this pattern" }).click();
  await expect(table).toHaveCount(1);
  await table.first().getByRole("button", { name: "Only lines of this pattern" }).click();
  await expect(page.locator("#query")).toHaveValue(/^-message\.template_id:[0-9a-f]{16} message\.template_id:[0-9a-f]{16}$/);
  await expect(status(page)).toHaveText(found(20));
  // the same in a query of the search API
  await page.getByRole("button", { name: "JSON", exact: true }).click();
  await page.locator("#dsl").fill('{"match_all": {}}');
  await page.locator("#dsl").press("Control+Enter");
  await page.keyboard.press("Escape");
  await page.locator(".list").focus();
  await page.keyboard.press("2");
  await table.first().getByRole("button", { name: "Only lines of this pattern" }).click();
  await expect(page.locator("#dsl")).toHaveValue(/"message.template_id"/);
  await expect(status(page)).toHaveText(found(20));
  expect(errors).toEqual([]);
});

test("10 a pattern that none of the newest lines has shows what its lines say as well", async ({ page }) => {
  const store = new FakeLogs().index("logs-app", { ...LOGS, "message.template_id": "keyword" });
  store.many(600, (i) => ({ level: "INFO", message: `heartbeat ${i}` }), 10);
  store.add({ "@timestamp": new Date(NOW - 800_000).toISOString(), level: "INFO", message: "release 7 is live" });
  await open(page, store, "#tab=patterns");
  await expect(page.locator("table.patterns tbody tr")).toHaveCount(2);
  await expect(page.locator("table.patterns tbody tr").first()).toContainText("heartbeat *");
  await expect(page.locator("table.patterns tbody tr").nth(1)).toContainText("release * is live");
});

test("11 from a line to its trace, a waterfall of its spans, and back", async ({ page }) => {
  const errors = watch(page);
  const store = shop();
  const span = (id: string, parent: string, name: string, from: number, nanos: number): void => void store.add({
    traceId: "trace0", spanId: id, parentSpanId: parent, serviceName: name.split(" ")[0], name, startTime: new Date(NOW - 60_000 + from).toISOString(), durationInNanos: nanos,
  }, "otel-v1-apm-span-000001");
  store.index("otel-v1-apm-span-000001", { startTime: "date", traceId: "keyword", spanId: "keyword", parentSpanId: "keyword", serviceName: "keyword", name: "keyword", durationInNanos: "long" });
  span("c", "b", "postgres select", 300, 2e8);
  span("a", "", "web GET /cart", 0, 1e9);
  span("b", "a", "checkout price", 200, 5e8);
  span("x", "y", "loop one", 100, 1e8); // two that name each other as parents
  span("y", "x", "loop two", 100, 1e8);
  await open(page, store, "#index=logs-*");
  await rows(page).first().locator(".line").click();
  await page.getByRole("button", { name: "Trace", exact: true }).click();
  await expect(page.locator(".panel .note")).toContainText("5 spans and 4 lines in");
  const spans = page.locator(".waterfall li", { has: page.locator(".span") });
  await expect(spans).toHaveCount(5);
  await expect(spans.nth(0)).toContainText("GET /cart1.0 s");
  await expect(spans.nth(1)).toContainText("price500 ms");
  await expect(spans.nth(2)).toContainText("select200 ms");
  const left = await spans.locator(".what").evaluateAll((all) => all.slice(0, 3).map((e) => (e as HTMLElement).style.paddingLeft));
  expect(left).toEqual(["0px", "14px", "28px"]);
  await expect(page).toHaveURL(/tab=trace&trace=trace0/);
  await page.getByRole("button", { name: "Its lines in the list" }).click();
  await expect(status(page)).toHaveText(found(4));
  await page.goBack();
  await expect(spans).toHaveCount(5);
  await page.getByRole("button", { name: "← Lines" }).click();
  await expect(rows(page).first()).toBeVisible();
  expect(errors).toEqual([]);
});

test("11 a trace whose spans somebody may not read still shows its lines, and says so", async ({ page }) => {
  const errors = watch(page, /403/);
  const store = shop();
  await open(page, store);
  await rows(page).first().locator(".line").click();
  store.forbidden = /otel-v1/;
  await page.getByRole("button", { name: "Trace", exact: true }).click();
  await expect(page.locator(".panel .note")).toContainText(/0 spans and 4 lines in .* You may not read the indices of spans/);
  // another trace, typed: one that fails says why, and the address keeps it
  store.faults = { status: { code: 429, reason: "busy" } };
  await page.getByLabel("Trace id").fill("trace7");
  await page.getByLabel("Trace id").press("Enter");
  await expect(page.locator(".panel .problem")).toContainText("The cluster is busy");
  await expect(page).toHaveURL(/trace=trace7/);
  expect(errors.filter((e) => !/429/.test(e))).toEqual([]);
});

test("12 the address is the view; queries before, favourites and a link bring it back", async ({ page }) => {
  const copied = await clipboard(page);
  const store = shop();
  await open(page, store);
  await ask(page, "status:500");
  await expect(status(page)).toHaveText(found(20));
  await ask(page, "level:WARN");
  await expect(status(page)).toHaveText(found(20));
  await expect(page).toHaveURL(/q=level%3AWARN/);
  await page.goBack();
  await expect(page.locator("#query")).toHaveValue("status:500");
  await page.goForward();
  await expect(page.locator("#query")).toHaveValue("level:WARN");
  await page.getByLabel("bars by").selectOption("service");
  await page.getByRole("button", { name: "Link" }).click();
  // the times of a link are those of now: who opens it tomorrow sees the same lines
  const fixed = `from=${encodeURIComponent(new Date(NOW - 900_000).toISOString())}&to=${encodeURIComponent(new Date(NOW).toISOString())}`;
  expect(await copied()).toBe(page.url().replace("&q=", `&${fixed}&q=`));
  await page.getByRole("button", { name: "★" }).click();
  await page.getByLabel("Name of this view").fill("warnings by service");
  await page.getByLabel("Name of this view").press("Enter");
  await expect(page.locator("#saved")).toContainText("warnings by service");
  await expect(page.locator("#saved")).toContainText("status:500");
  await page.getByRole("link", { name: /status:500/ }).click();
  await expect(page.locator("#query")).toHaveValue("status:500");
  // another tab of the same browser, opened with the link
  const other = await page.context().newPage();
  await store.open(other, new URL(await copied()).hash);
  await expect(other.locator("#query")).toHaveValue("level:WARN");
  await expect(other.getByLabel("bars by")).toHaveValue("service");
  await other.keyboard.press("s");
  await other.getByRole("button", { name: "Forget warnings by service" }).click();
  await expect(other.locator("#saved")).not.toContainText("warnings by service");
});

test("13 times: a short one at first, presets, typed ones, mistakes in words; refresh; local time and UTC", async ({ page }) => {
  const store = shop().many(10, () => ({ message: "yesterday" }), 1000, NOW - 86_400_000 + 60_000);
  await open(page, store);
  await expect(page.getByLabel("time", { exact: true })).toHaveValue("now-15m");
  await page.getByLabel("time", { exact: true }).selectOption("last 24 hours");
  await expect(status(page)).toHaveText(found(210));
  await page.getByLabel("time", { exact: true }).selectOption("from … to …");
  await page.getByLabel(/^From/).fill("tomorrow");
  await page.getByLabel(/^From/).press("Enter");
  await expect(page.locator(".wrong")).toHaveText("tomorrow is no time: write now-2h or 2026-11-22 04:00");
  await page.getByLabel(/^From/).fill("2026-11-21 11:59:55");
  await page.getByLabel(/^To/).fill("2026-11-21 12:00:55");
  await page.getByRole("button", { name: "Set" }).click();
  await expect(status(page)).toHaveText(found(6));
  await expect(page).toHaveURL(/from=2026-11-21T11%3A59%3A55/);
  await page.getByLabel("time", { exact: true }).selectOption("last 5 minutes");
  await expect(status(page)).toHaveText(found(200));
  store.add({ "@timestamp": new Date(NOW - 5).toISOString(), message: "just now" });
  await page.keyboard.press("r");
  await expect(rows(page).first()).toContainText("just now");
  await page.keyboard.press("z");
  await expect(page.getByRole("button", { name: "UTC" })).toBeVisible();
});

test("14 level colours, wrapping, a line that opens in place with its JSON as a tree", async ({ page }) => {
  await open(page, shop().add({ "@timestamp": new Date(NOW - 1).toISOString(), level: "fatal", message: `a long line ${"that goes on ".repeat(60)}`, http: { request: { method: "GET", headers: ["a", "b"] } } }));
  const first = rows(page).first();
  await expect(first.locator(".line")).toHaveAttribute("data-level", "fatal");
  await expect(rows(page).nth(6).locator(".line")).toHaveAttribute("data-level", "error");
  const height = () => first.evaluate((e) => e.getBoundingClientRect().height);
  expect(await height()).toBeLessThan(30);
  await page.keyboard.press("w");
  await expect.poll(height).toBeGreaterThan(60);
  await expect(page).toHaveURL(/wrap=1/);
  await page.keyboard.press("w");
  await first.locator(".line").click();
  await expect(first).toContainText("http.request.method");
  await first.getByRole("button", { name: "JSON" }).click();
  await expect(first.locator(".tree").first()).toContainText("http: ");
  await first.locator("details details summary").last().click();
  await expect(first.locator(".tree").first()).toContainText('method: "GET"');
  await first.locator(".line").click();
  await expect(first.locator(".opened")).toHaveCount(0);
});

test("15 the query as curl: what a shell reads is the search of the page", async ({ page }) => {
  const copied = await clipboard(page);
  const store = shop();
  await open(page, store, `#q=${encodeURIComponent("message:\"user's\" OR level:ERROR")}`);
  await expect(status(page)).toHaveText(found(20));
  await page.keyboard.press("c");
  await expect(page.locator(".toast")).toContainText("clipboard");
  const command = await copied();
  // a shell splits it as it would be pasted
  const words = execFileSync("bash", ["-c", `curl() { printf '%s\\0' "$@"; }\n${command}`]).toString().split("\0");
  expect(words[1]).toBe("http://127.0.0.1:9/logs-*/_search?pretty&ignore_unavailable=true");
  const body = JSON.parse(words[words.indexOf("-d") + 1] as string) as Source;
  expect(body.query).toEqual(store.rowSearches().at(-1)?.body.query);
});

// ---- charts, sources

test("charts: p50 and p99 of a number, top values of a field over time", async ({ page }) => {
  await open(page, shop());
  await page.getByLabel("or p50, p99 of").selectOption("latency_ms");
  await expect(page.locator(".chart .legend")).toContainText("p99 of latency_ms");
  await expect(page).toHaveURL(/number=latency_ms/);
  await page.getByLabel("Find a field").fill("host");
  await page.locator(".field").first().click();
  await page.getByRole("button", { name: "Over time" }).click();
  await expect(page.locator(".chart .legend")).toContainText("ip-10-0-0-067");
  await page.locator(".chart .legend button").first().click();
  await expect(page.locator("#query")).toHaveValue("host:ip-10-0-0-0");
});

test("sources: lines and bytes by any field, the noisiest first, left out at a click", async ({ page }) => {
  const store = shop().many(5, () => ({ service: "chatty", message: "x".repeat(20_000) }));
  await open(page, store);
  await page.keyboard.press("3");
  await expect(page.locator(".panel tbody tr").first()).toContainText("chatty");
  await expect(page.locator(".panel tbody tr").nth(1)).toContainText("checkout");
  await page.getByRole("button", { name: "No lines of chatty" }).click();
  await expect(page.locator("#query")).toHaveValue("-service:chatty");
  await expect(page.locator(".panel tbody tr").first()).toContainText("checkout");
  await page.getByLabel("lines and bytes by").selectOption("host");
  await expect(page.locator(".panel tbody tr")).toHaveCount(3);
  // the field is a part of the view, and one that is refused says so
  await expect(page).toHaveURL(/source=host/);
  const errors = watch(page, /429/);
  store.faults = { status: { code: 429, reason: "busy" } };
  await page.getByLabel("lines and bytes by").selectOption("level");
  await expect(page.locator(".panel .problem")).toContainText("The cluster is busy");
  expect(errors).toEqual([]);
});

// ---- what people type

test("mistakes in a query are shown at their place before anybody is asked", async ({ page }) => {
  const store = shop();
  await open(page, store);
  const asked = store.rowSearches().length;
  const box = page.locator("#query");
  for (const [query, words, bad] of [
    ['say "hello', "This quote has no end", '"hello'],
    ["(a OR b", "This parenthesis has no end", "("],
    ["status:abc", "status holds numbers (long), and abc is none", "status:abc"],
    ["a OR", "Something is missing after OR", "OR"],
    ["level:", "Which level?", "level:"],
    ["status:[1 2]", "A range is [low TO high]", "[1 2]"],
  ] as const) {
    await ask(page, query);
    await expect(page.locator("#mistake")).toContainText(words);
    await expect(page.locator("#mistake mark")).toHaveText(bad);
    await expect(box).toHaveAttribute("aria-invalid", "true");
  }
  expect(store.rowSearches().length).toBe(asked);
  await expect(status(page)).toHaveText("not searched: the query has a mistake");
  await ask(page, "levle:ERROR");
  await expect(page.locator(".problem")).toContainText("No field is called levle; did you mean level?");
  await expect(box).toHaveAttribute("aria-invalid", "false");
  await ask(page, "level:ERROR");
  await expect(status(page)).toHaveText(found(20));
  await expect(page.locator(".problem")).toBeHidden();
});

test("raw DSL: searched as it stands, narrowed by a click, mistakes in words, refusals with their reason", async ({ page }) => {
  const errors = watch(page, /400/);
  const store = shop();
  await open(page, store);
  const area = page.locator("#dsl");
  // what was typed goes on as JSON
  await page.locator("#query").fill("status:500");
  await page.getByRole("button", { name: "JSON", exact: true }).click();
  await expect(area).toHaveValue('{\n  "match_phrase": {\n    "status": "500"\n  }\n}');
  await area.press("Control+Enter");
  await expect(status(page)).toHaveText(found(20));
  await area.fill('{"query": {"term": {"status": 500}}}');
  await area.press("Control+Enter");
  await expect(status(page)).toHaveText(found(20));
  await rows(page).first().locator(".line").click();
  await page.getByRole("button", { name: "Only lines with this host" }).click();
  await expect(area).toHaveValue(/match_phrase/);
  await expect(status(page)).toHaveText(/^[67] lines in/);
  await area.fill('{"term": ');
  await area.press("Control+Enter");
  await expect(page.locator("#mistake")).toContainText("This is no JSON");
  store.faults = { status: { code: 400, reason: "unknown query [trem] did you mean [term]?" } };
  await area.fill('{"trem": {}}');
  await area.press("Control+Enter");
  await expect(page.locator(".problem")).toContainText("The search was refused (400): unknown query [trem] did you mean [term]?");
  expect(errors).toEqual([]);
});

// ---- hostile lines and stores

test("right to left, emoji, markup, escape codes: text stands as it is, and nothing of it runs", async ({ page }) => {
  const errors = watch(page);
  const lines = [
    "<img src=x onerror=alert(1)><script>alert(2)</script>",
    "שלום עולם level=ERROR מהשרת ‮txt.exe",
    "👩‍👩‍👧‍👦 🏳️‍🌈 deployed \u{1F680} \ud800 half",
    "\u001b[31mred\u001b[0m and \u0000 nul\r\nsecond line",
    "z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́Ǫ̵̹̻̝̳͂̌̌͘",
    "javascript:alert(3)",
  ];
  const store = new FakeLogs();
  lines.forEach((message, i) => store.add({ "@timestamp": new Date(NOW - 1000 * i - 1).toISOString(), message, service: `"><b>${i}</b>`, ["<i>name</i>"]: "a" }));
  await open(page, store);
  await expect(rows(page)).toHaveCount(lines.length);
  await expect(rows(page).nth(0)).toContainText("<img src=x onerror=alert(1)>");
  await expect(rows(page).nth(3)).toContainText("red and � nul ⏎ second line");
  await expect(page.locator("img, .list script, .list b, .list i")).toHaveCount(0);
  // the time stays at the left of a line that runs from right to left
  const order = await rows(page).nth(1).locator(".line").evaluate((line) => [...line.children].map((c) => c.getBoundingClientRect().left));
  expect(order).toEqual([...order].sort((a, b) => a - b));
  await rows(page).nth(0).locator(".line").click();
  await page.getByRole("button", { name: "Only lines with this service" }).click();
  await expect(page.locator("#query")).toHaveValue('service:"\\"><b>0</b>"');
  await expect(rows(page)).toHaveCount(1);
  await ask(page, "שלום");
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page).first().locator("mark")).toHaveText(["שלום"]);
  expect(errors).toEqual([]);
});

test("documents of a megabyte: cut in the list, whole on demand, the page stays small", async ({ page }) => {
  const errors = watch(page);
  const store = new FakeLogs();
  for (let i = 0; i < 5; i++) store.add({ "@timestamp": new Date(NOW - 1000 * i - 1).toISOString(), message: `large ${i} ${"word ".repeat(200_000)}end` });
  await open(page, store);
  await expect(rows(page).first()).toContainText("large 0");
  // one of them says how large they are: nobody asks for two hundred
  expect(Math.max(...store.rowSearches().map((s) => Number(s.body.size)))).toBeLessThanOrEqual(16);
  expect((await rows(page).first().textContent())?.length).toBeLessThan(1500);
  await rows(page).first().locator(".line").click();
  await page.getByRole("button", { name: /show all/ }).click();
  await expect(page.locator(".opened .value", { hasText: "end" }).first()).toBeVisible();
  expect(errors).toEqual([]);
});

test("an answer that is larger than the page reads is asked for in smaller ones", async ({ page }) => {
  const errors = watch(page);
  const store = shop();
  store.padding = (body) => (body.size === 200 ? 49 * 1024 * 1024 : 0);
  await store.open(page);
  await expect(status(page)).toContainText("lines", { timeout: 120_000 }); // 49 MB go through three processes
  await expect(rows(page).first()).toContainText("order 0");
  expect(store.rowSearches().map((s) => s.body.size)).toEqual(expect.arrayContaining([200, 20]));
  expect(errors).toEqual([]);
});

test("names and values of any letters: kept and left out by a click, completed, as a column", async ({ page }) => {
  const store = new FakeLogs().index("logs-app", { ...LOGS, 名前: "keyword", "two words": "keyword", "geo.place": "geo_point" });
  store.many(6, (i) => ({ message: `line ${i}`, 名前: i % 2 ? "東京" : "大阪", "two words": i % 3 ? "" : "a value" }));
  await open(page, store);
  const keep = async (name: string, query: string, n: number): Promise<void> => {
    await rows(page).first().locator(".line").click();
    await page.getByRole("button", { name, exact: true }).click();
    await expect(status(page)).toHaveText(found(n));
    await expect(page.locator("#query")).toHaveValue(query);
  };
  await keep("Only lines with this 名前", "名前:大阪", 3);
  await ask(page, "");
  await expect(status(page)).toHaveText(found(6));
  await keep("Only lines with this two words", 'two\\ words:"a value"', 2);
  await ask(page, "");
  await page.getByLabel("Find a field").fill("two words");
  await page.locator(".field").first().click();
  await page.getByRole("button", { name: "Only lines with two words", exact: true }).click();
  await expect(page.locator("#query")).toHaveValue('two\\ words:""');
  await expect(status(page)).toHaveText(found(4));
  await page.locator("#query").fill("");
  await page.locator("#query").pressSequentially("名");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Tab");
  await expect(page.locator("#suggestions li")).toHaveCount(2);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page.locator("#query")).toHaveValue(/^名前:(東京|大阪) $/);
  // what cannot be counted is not offered for the bars
  await expect(page.getByLabel("bars by").locator("option", { hasText: "geo.place" })).toHaveCount(0);
});

test("lists in lists, levels as numbers, a value that its keyword does not hold, a sign cut in two, a list of indices", async ({ page }) => {
  const errors = watch(page);
  const store = new FakeLogs().index("logs-app", { ...LOGS, level: "long", "message.keyword": "keyword" });
  const long = `${"a".repeat(599)}😀 and more`;
  store.add({ "@timestamp": new Date(NOW - 1000).toISOString(), level: 50, message: long, grid: [[1, [2]], [3]], mixed: [{ constructor: "c" }, "plain"], host: ["h1", "h2"] });
  store.add({ "@timestamp": new Date(NOW - 2000).toISOString(), level: 4, message: "short", host: "h1" });
  store.add({ "@timestamp": new Date(NOW - 3000).toISOString(), level: 6, message: "elsewhere" }, "logs-two");
  await open(page, store, "#index=logs-app&columns=constructor");
  await expect(rows(page).nth(0).locator(".line")).toHaveAttribute("data-level", "error");
  await expect(rows(page).nth(1).locator(".line")).toHaveAttribute("data-level", "warn");
  await expect(rows(page).nth(1).locator(".cell")).toHaveText("–");
  await expect(rows(page).first().locator(".message")).toHaveText(`${"a".repeat(599)}…`);
  await rows(page).first().locator(".line").click();
  const fields = page.getByRole("table", { name: "Fields of this line" });
  for (const text of [/^.*grid1$/, /^.*grid2$/, /^.*grid3$/, /^.*mixed.constructorc$/, /^.*mixedplain$/]) await expect(fields.locator("tr").filter({ hasText: text })).toHaveCount(1);
  await page.getByRole("button", { name: "Lines around" }).click();
  await expect(page.getByRole("region", { name: "Lines around this one" })).toContainText("only host h1");
  await page.getByRole("button", { name: "Only lines with this message" }).click();
  await expect(page.locator("#query")).toHaveValue(`message:"${long}"`);
  await expect(status(page)).toHaveText(found(1));
  await ask(page, "");
  await page.getByLabel("in", { exact: true }).fill("logs-app, logs-two");
  await page.keyboard.press("Enter");
  await expect(status(page)).toHaveText(found(3));
  await expect(page).toHaveURL(/index=logs-app%2Clogs-two/);
  expect(errors).toEqual([]);
});

test("a message and a level of names that are less well known, once all names are here; times as far as one types", async ({ page }) => {
  const errors = watch(page);
  const copied = await clipboard(page);
  const store = new FakeLogs().index("logs-app", { "@timestamp": "date", agent: "text", "event.message": "text", "event.Level": "keyword" });
  store.many(3, (i) => ({ agent: `agent ${i}`, event: { message: `what happened ${i}`, Level: "ERROR" } }));
  await open(page, store);
  await expect(rows(page).first().locator(".message")).toHaveText("what happened 0");
  await expect(rows(page).first().locator(".line")).toHaveAttribute("data-level", "error");
  await page.goto("about:blank");
  await store.open(page, "#from=now-999999w");
  await expect(status(page)).toContainText("3 lines in ");
  await expect(page.locator(".chart .legend")).toContainText("ERROR3");
  await page.getByRole("button", { name: "Link" }).click();
  await expect.poll(copied).toContain("from=-");
  expect(errors).toEqual([]);
});

test("the time can be another field, and a link keeps it", async ({ page }) => {
  const store = new FakeLogs().index("logs-app", { ...LOGS, logged: "date" });
  store.add({ "@timestamp": new Date(NOW - 2000).toISOString(), logged: new Date(NOW - 1000).toISOString(), message: "one" });
  await open(page, store);
  await page.getByLabel("Find a field").fill("logged");
  await page.locator(".field").first().click();
  await page.getByRole("button", { name: "As the time" }).click();
  await expect(page).toHaveURL(/time=logged/);
  await expect.poll(() => JSON.stringify(store.rowSearches().at(-1)?.body.sort)).toContain('"logged"');
  await page.goto("about:blank");
  await store.open(page, "#time=logged");
  await expect(rows(page)).toHaveCount(1);
  expect(JSON.stringify(store.rowSearches().at(-1)?.body.sort)).toContain('"logged"');
});

test("documents that a node's memory takes few of at once: asked for in smaller pages", async ({ page }) => {
  const errors = watch(page, /429/);
  const store = new FakeLogs().many(300, (i) => ({ message: `line ${i}` }), 1);
  store.faults = { status: { code: 429, reason: "[request] the search holds too much", type: "circuit_breaking_exception" }, only: (body) => Number(body.size) > 30 };
  await open(page, store);
  await expect(rows(page).first()).toContainText("line 0");
  await page.keyboard.press("2");
  await expect(page.locator("table.patterns")).toContainText("line");
  await page.keyboard.press("1");
  expect(await scrolled(page)).toEqual(store.lines.map((l) => `logs-app/${l.id}`));
  expect(errors).toEqual([]);
});

test("fields that no query finds have no buttons; those of nested objects are looked for where they are", async ({ page }) => {
  const store = new FakeLogs().index("logs-app", { ...LOGS, place: "geo_point", steps: "nested", "steps.name": "keyword" });
  store.many(3, (i) => ({ message: `line ${i}`, place: { lat: 1, lon: 2 }, steps: [{ name: `step ${i}` }] }));
  await open(page, store);
  await rows(page).first().locator(".line").click();
  await expect(page.getByRole("button", { name: "place.lat as a column" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Only lines with this place.lat" })).toHaveCount(0);
  await page.getByRole("button", { name: "Only lines with this steps.name" }).click();
  await expect(page.locator("#query")).toHaveValue('steps.name:"step 0"');
  await expect.poll(() => JSON.stringify(store.rowSearches().at(-1)?.body.query)).toContain('{"nested":{"path":"steps","ignore_unmapped":true,"query":{"match_phrase":{"steps.name":"step 0"}}}}');
  await ask(page, "_id:logs-app-1");
  await expect(page.locator(".problem")).toBeHidden();
});

test("broken times: indices without dates are named and left out; lines without a time are told", async ({ page }) => {
  const store = shop();
  store.index("logs-broken", { ...LOGS, "@timestamp": "keyword" });
  store.add({ "@timestamp": "not a time", message: "from the broken one" }, "logs-broken");
  await open(page, store, "#index=logs-*");
  await expect(status(page)).toHaveText(found(200));
  await expect(page.locator(".problem")).toContainText("In 1 of 2 indices @timestamp is no date but keyword (logs-broken): their lines are not shown.");
  await page.locator("#index").fill("logs-broken");
  await page.locator("#index").press("Enter");
  await expect(page.locator(".problem")).toContainText("logs-broken has no date field");
  await expect(rows(page).first()).toContainText("from the broken one");
  await expect(page.locator(".chart")).toBeHidden();
  store.add({ message: "no time at all", service: "timeless" });
  await page.locator("#index").fill("logs-app");
  await page.locator("#index").press("Enter");
  await ask(page, "service:timeless");
  await expect(instead(page)).toContainText("1 documents that match have no @timestamp");
});

test("times that no calendar has: shown without a time, and nothing breaks", async ({ page }) => {
  const errors = watch(page);
  const store = shop();
  // nanoseconds that somebody wrote as milliseconds
  store.add({ "@timestamp": "1763812800000000000", message: "wrong unit" }).lines.at(-1)!.ms = 1_763_812_800_000_000_000;
  await open(page, store);
  await expect(status(page)).toHaveText(found(200));
  await page.getByLabel("time", { exact: true }).selectOption("all times");
  await expect(rows(page).filter({ hasText: "wrong unit" })).toContainText("no time");
  await rows(page).filter({ hasText: "wrong unit" }).locator(".line").click();
  await page.getByRole("button", { name: "Lines around" }).click();
  await expect(rows(page).filter({ hasText: "wrong unit" })).toContainText("this line has no time");
  await ask(page, "wrong");
  await page.getByLabel("time", { exact: true }).selectOption("last 15 minutes");
  await expect(instead(page)).toContainText("1 lines of other times match");
  await page.getByRole("button", { name: "All times" }).click();
  await expect(rows(page)).toHaveCount(1);
  expect(errors).toEqual([]);
});

test("milliseconds beside nanoseconds: times that nanoseconds cannot hold fail no shard, and are told", async ({ page }) => {
  const store = new FakeLogs().index("logs-app").index("logs-nano", { ...LOGS, "@timestamp": "date_nanos" });
  store.add({ "@timestamp": "1950-01-01T00:00:00.000Z", message: "too early" });
  store.add({ "@timestamp": "2500-01-01T00:00:00.000Z", message: "too late" });
  store.add({ "@timestamp": new Date(NOW - 2000).toISOString(), message: "first line" });
  store.add({ "@timestamp": `${new Date(NOW - 1000).toISOString().slice(0, -1)}000001Z`, message: "second line" }, "logs-nano");
  store.add({ message: "no time at all" });
  await open(page, store, "#index=logs-*");
  await expect(rows(page)).toHaveCount(2);
  await expect(page.locator(".problem")).toBeHidden();
  await page.getByLabel("time", { exact: true }).selectOption("all times");
  await expect(page.locator(".problem")).toContainText("lines before 1970 or after 2255 are not shown. Name the others alone to see theirs.");
  await expect(rows(page)).toHaveCount(3);
  for (const text of ["first line", "second line", "no time at all"]) await expect(rows(page).filter({ hasText: text })).toHaveCount(1);
  await page.locator("#index").fill("logs-app");
  await page.locator("#index").press("Enter");
  await expect(page.locator(".problem")).toBeHidden();
  await expect(rows(page)).toHaveCount(4);
});

test("nothing found: where the lines are instead, one click away", async ({ page }) => {
  const store = new FakeLogs().many(10, (i) => ({ message: `old ${i}` }), 1000, NOW - 86_400_000);
  await open(page, store);
  await expect(instead(page)).toContainText("Not in this time; 10 lines of other times match, the newest at 2026-11-21 11:59:59.000 UTC.");
  await page.getByRole("button", { name: "Go to the newest" }).click();
  await expect(rows(page)).toHaveCount(10);
  await ask(page, "absent");
  await expect(instead(page)).toContainText("No line of any time matches");
  await page.locator("#index").fill("no-such-*");
  await page.locator("#index").press("Enter");
  await expect(instead(page)).toContainText("No open index is called no-such-*");
  await page.getByRole("button", { name: "logs-app" }).click();
  await expect(page.locator("#index")).toHaveValue("logs-app");
});

test("an empty cluster says how to get logs in, and shows the first ones by itself", async ({ page }) => {
  const errors = watch(page);
  await page.clock.install({ time: NOW });
  const store = new FakeLogs();
  await store.open(page, "", "stopped");
  await expect(instead(page)).toContainText("There are no logs yet");
  await expect(instead(page)).toContainText("./millrace ingest app.log");
  store.add({ "@timestamp": new Date(NOW - 1000).toISOString(), message: "the first one" });
  await expect.poll(async () => { await page.clock.runFor(5000); return rows(page).count(); }).toBe(1);
  await expect(rows(page).first()).toContainText("the first one");
  expect(errors).toEqual([]);
});

test("refused, partial, late, forbidden, out of reach: each is said in words, and over when it is over", async ({ page }) => {
  const errors = watch(page, /Failed to load resource/);
  const store = shop();
  await open(page, store);
  const problem = page.locator(".problem");
  const again = () => page.keyboard.press("r");
  store.faults = { status: { code: 429, reason: "[guard] 8 heavy searches run; retry after 2 s" } };
  await again();
  await expect(problem).toContainText("The cluster is busy and refused the search (429): [guard] 8 heavy searches run; retry after 2 s");
  // what was read before stays, marked
  await expect(status(page)).toHaveText("no answer: what stands here was found before");
  await expect(page.locator("body")).toHaveClass(/stale/);
  store.faults = { failed: 2 };
  await again();
  await expect(problem).toContainText("2 of 5 shards did not answer, so lines are missing (logs-app: node-2 is not connected).");
  await expect(rows(page).first()).toBeVisible();
  await expect(page.locator("body")).not.toHaveClass(/stale/);
  store.faults = { unassigned: 1 };
  await again();
  await expect(problem).toHaveText("1 of 5 shards did not answer, so lines are missing: no node has them.");
  store.faults = { status: { code: 500, reason: "The parent task was cancelled, shouldn't start any child tasks", type: "task_cancelled_exception" } };
  await again();
  await expect(problem).toContainText("The cluster ended the search before it was done: The parent task was cancelled");
  store.faults = { timedOut: true };
  await again();
  await expect(problem).toContainText("The search stopped after 10 seconds: what stands here is a part.");
  await expect(status(page)).toContainText("at least 200 lines");
  store.faults = { status: { code: 403, reason: "no permissions for [indices:data/read/search]" } };
  await again();
  await expect(problem).toContainText("You may not read this: no permissions");
  // nothing stays of what somebody may no longer read
  await expect(rows(page)).toHaveCount(0);
  await expect(page.locator(".chart")).toBeHidden();
  await page.getByRole("button", { name: "CSV" }).click();
  await expect(page.locator(".toast")).toHaveText("There is nothing to save.");
  store.faults = { status: { code: 503, reason: "all shards failed" } };
  await again();
  await expect(problem).toContainText("The cluster cannot answer now (503)");
  store.faults = { status: { code: 429, reason: "busy" }, only: (body) => !!body.aggs };
  await again();
  await expect(problem).toContainText("No histogram: The cluster is busy");
  await expect(status(page)).toContainText("200 lines here");
  store.faults = { dead: true };
  await again();
  await expect(problem).toContainText("This node gives no answer.");
  store.faults = {};
  await again();
  await expect(status(page)).toHaveText(found(200));
  await expect(problem).toBeHidden();
  expect(errors).toEqual([]);
});

test("a node that is gone and comes back: what was read stays, live goes on, and the page looks again by itself", async ({ page }) => {
  const errors = watch(page, /Failed to load resource/);
  await page.clock.install({ time: NOW });
  const store = shop();
  await store.open(page, "", "stopped");
  await expect(status(page)).toHaveText(found(200));
  await page.keyboard.press("l");
  const problem = page.locator(".problem");
  const live = page.getByRole("button", { name: "Live" });
  store.faults = { dead: true };
  await page.keyboard.press("r");
  await expect(problem).toContainText("This node gives no answer. It may be down or out of reach; open this page on another node. This page looks again by itself.");
  await page.clock.runFor(12_000);
  await expect(problem).toContainText("gives no answer");
  await expect(rows(page).first()).toBeVisible();
  await expect(live).toHaveAttribute("aria-pressed", "true");
  expect(await violations(page)).toEqual([]);
  store.faults = {};
  await expect.poll(async () => { await page.clock.runFor(1000); return problem.isHidden(); }).toBe(true);
  await expect(status(page)).toHaveText(/^\d+ lines in /);
  const now = await page.evaluate(() => Date.now());
  store.add({ "@timestamp": new Date(now).toISOString(), level: "INFO", message: "after the fall" });
  await expect.poll(async () => { await page.clock.runFor(1000); return rows(page).first().textContent(); }).toContain("after the fall");
  await expect(live).toHaveAttribute("aria-pressed", "true");
  // a tab that was asked for meanwhile comes by itself as well
  store.faults = { dead: true };
  await page.keyboard.press("2");
  await expect(page.locator(".panel .problem")).toContainText("This page looks again by itself.");
  store.faults = {};
  await expect.poll(async () => { await page.clock.runFor(1000); return page.locator("table.patterns tbody tr").count(); }).toBeGreaterThan(0);
  expect(errors).toEqual([]);
});

test("a search that is replaced ends its request; its late answer changes nothing", async ({ page }) => {
  const errors = watch(page);
  const store = shop();
  await open(page, store);
  let release = (): void => undefined;
  const slow = new Promise<void>((done) => (release = done));
  const isSlow = (body: Source): boolean => JSON.stringify(body.query).includes("slow");
  store.hold = (body) => (isSlow(body) ? slow : undefined);
  await ask(page, "slow");
  await expect(status(page)).toHaveText("searching…");
  await expect.poll(() => store.searches.filter((s) => isSlow(s.body)).length).toBeGreaterThanOrEqual(2);
  await ask(page, "status:500");
  await expect(status(page)).toHaveText(found(20));
  await expect.poll(() => store.aborted.filter((b) => b.includes("slow")).length).toBeGreaterThanOrEqual(2);
  release();
  await ask(page, "level:WARN");
  await expect(status(page)).toHaveText(found(20));
  await expect(rows(page).first()).toContainText("WARN");
  await expect(page.locator(".problem")).toBeHidden();
  expect(errors).toEqual([]);
});

test("what somebody types while answers come stays", async ({ page }) => {
  const store = shop();
  let release = (): void => undefined;
  const slow = new Promise<void>((done) => (release = done));
  store.hold = () => slow;
  await store.open(page);
  await expect(status(page)).toHaveText("searching…");
  await page.locator("#query").fill("status:500");
  release();
  await expect(status(page)).toHaveText(found(200));
  await expect(page.locator("#query")).toHaveValue("status:500");
  await page.locator("#query").press("Enter");
  await expect(status(page)).toHaveText(found(20));
});

test("a page of lines that fails while one scrolls is asked for again at a click", async ({ page }) => {
  const store = new FakeLogs().many(900, (i) => ({ message: `line ${i}` }), 100);
  await open(page, store);
  store.faults = { status: { code: 429, reason: "busy" } };
  await page.locator(".list").evaluate((e) => (e.scrollTop = e.scrollHeight));
  await page.getByRole("button", { name: "Try again" }).waitFor();
  store.faults = {};
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.locator(".lines > .note")).toHaveText("That is all: 900 lines.");
});

test("after a search that failed, and after a mistake, what was found before goes on: its neighbours and its next lines", async ({ page }) => {
  const errors = watch(page, /Failed to load resource/);
  const store = new FakeLogs().many(900, (i) => ({ level: LEVELS[i % 10], message: `line ${i}` }), 100);
  await open(page, store);
  await rows(page).nth(3).locator(".line").click();
  await page.getByRole("button", { name: "Lines around" }).click();
  const around = page.getByRole("region", { name: "Lines around this one" });
  await expect(around.locator(".line")).toHaveCount(14);
  const end = async (text: string): Promise<void> => expect.poll(async () => {
    await page.locator(".list").evaluate((e) => (e.scrollTop = e.scrollHeight));
    return page.locator(".lines > .note").textContent();
  }).toContain(text);
  store.faults = { status: { code: 429, reason: "busy" }, only: (body) => JSON.stringify(body.query).includes("ERROR") };
  await ask(page, "level:ERROR");
  await expect(status(page)).toHaveText("no answer: what stands here was found before");
  await around.getByRole("button", { name: "More before" }).click();
  await expect(around.locator(".line")).toHaveCount(24);
  // not the lines of the search that failed
  store.faults = {};
  await ask(page, "level:(");
  await expect(status(page)).toContainText("not searched: the query has a mistake");
  await around.getByRole("button", { name: "More before" }).click();
  await expect(around.locator(".line")).toHaveCount(34);
  await end("That is all: 900 lines.");
  await ask(page, "level:ERROR");
  await expect(status(page)).toHaveText(found(90));
  await end("That is all: 90 lines.");
  expect(store.points).toBe(store.pointsClosed);
  expect(errors).toEqual([]);
});

test("more fields than a page can list: it says so, and looks for words in those that are text", async ({ page }) => {
  const store = shop();
  store.moreFields = 60_000;
  await open(page, store);
  await expect(page.locator(".fields")).toContainText("more fields than a page can list");
  await ask(page, "reset");
  await expect(page.locator(".problem")).toContainText("too many fields to search them all");
  await expect(status(page)).toHaveText(found(20));
});

test("every search has a time limit and a size, and goes to this node only", async ({ page }) => {
  const store = shop();
  await open(page, store);
  for (const key of ["2", "3", "1"]) await page.keyboard.press(key);
  await rows(page).first().locator(".line").click();
  await page.keyboard.press("n");
  await expect(page.getByRole("region", { name: "Lines around this one" }).locator(".line").nth(5)).toBeVisible();
  await page.keyboard.press("t");
  await expect(page.locator(".waterfall li").first()).toBeVisible();
  for (const { body } of store.searches) {
    expect(body.timeout, JSON.stringify(body)).toMatch(/^\d+s$/);
    expect(Number(body.size)).toBeLessThanOrEqual(10_000);
    expect(JSON.stringify(body)).not.toMatch(/"script|regexp/);
  }
  expect(store.foreign).toEqual([]);
});

// ---- keyboard, screen readers, light and dark, phones

test("by keyboard alone: the first error, its neighbours, its trace, and back", async ({ page }) => {
  await open(page, shop());
  await page.keyboard.press("/");
  await expect(page.locator("#query")).toBeFocused();
  await page.keyboard.type("level:ERROR ");
  await page.keyboard.press("Enter");
  await expect(status(page)).toHaveText(found(20));
  await page.keyboard.press("Escape");
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await expect(rows(page).nth(1)).toBeFocused();
  await page.keyboard.press("k");
  await page.keyboard.press("Enter");
  await expect(rows(page).first().locator(".opened")).toBeVisible();
  await page.keyboard.press("n");
  await expect(page.getByRole("region", { name: "Lines around this one" }).locator(".line")).not.toHaveCount(0);
  await page.keyboard.press("t");
  await expect(page.locator(".waterfall li").first()).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(rows(page).first()).toBeVisible();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keys" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog", { name: "Keys" })).toBeHidden();
  await page.keyboard.press("f");
  await expect(page.getByLabel("Find a field")).toBeFocused();
  await page.keyboard.press("Escape");
  await page.keyboard.press("d");
  await expect(page.getByLabel("time", { exact: true })).toBeFocused();
});

/** Goes on with the tab key until it is there: what cannot be reached so is not for the keyboard. */
async function reach(page: Page, what: Locator): Promise<void> {
  for (let i = 0; i < 150; i++) {
    if (await what.evaluate((e) => e === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  await expect(what).toBeFocused();
}

test("by keyboard alone: each of the other features, reached with one letter or with the tab key", async ({ page }) => {
  const errors = watch(page);
  const copied = await clipboard(page);
  await noDisk(page);
  await open(page, shop());
  const press = async (...keys: string[]): Promise<void> => { for (const key of keys) await page.keyboard.press(key); };
  const button = (name: string): Locator => page.getByRole("button", { name, exact: true });
  // 2, 1: a field, its values, keep; then leave out from an open line
  await press("f");
  await page.keyboard.type("servi");
  await reach(page, page.locator(".field").first());
  await press("Enter");
  await reach(page, button("Only lines with service checkout"));
  await press("Enter");
  await expect(rows(page).filter({ hasText: "service=web" })).toHaveCount(0);
  await expect(rows(page).first()).toBeVisible();
  await press("j", "Enter");
  await reach(page, button("No lines with this host"));
  await press("Enter");
  await expect(page.locator("#query")).toHaveValue(/^service:checkout -host:/);
  const left = (await page.locator("#query").inputValue()).split("-host:")[1] as string;
  await expect(rows(page).filter({ hasText: `host=${left}` })).toHaveCount(0);
  await expect(rows(page).first()).toBeVisible();
  // 14: JSON in place, a column, wrapping
  await press("j", "Enter");
  await reach(page, rows(page).first().getByRole("button", { name: "JSON" }));
  await press("Enter");
  await expect(page.locator(".tree").first()).toBeVisible();
  await reach(page, button("status as a column"));
  await press("Enter", "w");
  await expect(page).toHaveURL(/columns=status&wrap=1/);
  // 12, 15: the browser's way back, a favourite, the link, curl
  await press("/", "Control+a", "Delete", "Enter");
  await expect(status(page)).toHaveText(found(200));
  await press("Escape", "s");
  await page.keyboard.type("everything");
  await press("Enter");
  await reach(page, page.getByRole("link", { name: /everything/ }));
  await press("Enter");
  await expect(page.locator("#saved")).toBeHidden();
  await reach(page, button("Link"));
  await press("Enter");
  await expect.poll(copied).toContain(`to=${encodeURIComponent(new Date(NOW).toISOString())}`);
  await press("c");
  await expect.poll(copied).toContain("curl");
  // 9: a file
  await reach(page, button("NDJSON"));
  const download = page.waitForEvent("download");
  await press("Enter");
  expect((await download).suggestedFilename()).toContain(".ndjson");
  // 5: other bars; 13: another time
  await reach(page, page.getByLabel("bars by"));
  await page.keyboard.type("service");
  await expect(page.locator(".chart .legend")).toContainText("checkout120");
  await press("Escape", "d", "ArrowDown");
  await expect(page).toHaveURL(/from=now-1h/);
  // 10, sources: keep and leave out in their tables
  await press("Escape", "2");
  await expect(page.locator("table.patterns tbody tr").first()).toBeVisible();
  await reach(page, page.locator("table.patterns").getByRole("button", { name: "No lines of this pattern" }).first());
  await press("Enter");
  await expect(page.locator("#query")).not.toHaveValue("");
  await press("3");
  await expect(page.locator(".panel tbody tr").first()).toBeVisible();
  await reach(page, page.locator(".panel").getByRole("button", { name: "Only lines of checkout" }));
  await press("Enter", "1", "o");
  await expect(page).toHaveURL(/sort=asc/);
  await expect(page.locator("#query")).toHaveValue(/service:checkout$/);
  // a query of the search API
  await reach(page, button("JSON"));
  await press("Enter", "/", "Control+a");
  await page.keyboard.type('{"term": {"status": 500}}');
  await press("Control+Enter");
  await expect(status(page)).toHaveText(found(20));
  expect(errors).toEqual([]);
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`${colorScheme}: axe finds nothing on any tab, in an open line or in the lists`, async ({ page }) => {
    const errors = watch(page);
    await page.emulateMedia({ colorScheme });
    const rules = colorScheme === "dark" ? ["color-contrast"] : [];
    const store = shop();
    await open(page, store, `#q=${encodeURIComponent("failed OR accepted")}`);
    await expect(page.locator(".chart .legend li").first()).toBeVisible();
    await page.locator(".field").nth(1).click();
    await expect(page.locator(".values .tools")).toBeVisible();
    await rows(page).nth(5).locator(".line").click();
    await page.keyboard.press("n");
    await expect(page.getByRole("region", { name: "Lines around this one" }).locator(".line").nth(3)).toBeVisible();
    expect(await violations(page, ...rules)).toEqual([]);
    await page.keyboard.press("t");
    await expect(page.locator(".waterfall li").first()).toBeVisible();
    expect(await violations(page, ...rules)).toEqual([]);
    await page.keyboard.press("2");
    await expect(page.locator("table.patterns tbody tr").first()).toBeVisible();
    expect(await violations(page, ...rules)).toEqual([]);
    await page.keyboard.press("3");
    await expect(page.locator(".panel tbody tr").first()).toBeVisible();
    await page.keyboard.press("s");
    await expect(page.locator("#saved")).toBeVisible();
    expect(await violations(page, ...rules)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.locator(".list, .panel").first().focus();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    // a mistake, a problem, completions and a time of one's own beside each other; the keys; nothing found
    await page.getByLabel("time", { exact: true }).selectOption("from … to …");
    await ask(page, "levle:ERROR");
    await expect(page.locator(".problem")).toBeVisible();
    await ask(page, "status:abc");
    await expect(page.locator("#mistake")).toBeVisible();
    await page.locator("#query").fill("");
    await page.locator("#query").pressSequentially("serv");
    await expect(page.locator("#suggestions li").first()).toBeVisible();
    expect(await violations(page, ...rules)).toEqual([]);
    await ask(page, "absent");
    await expect(instead(page)).toContainText("Nothing was found");
    await page.getByRole("button", { name: "JSON", exact: true }).click();
    expect(await violations(page, ...rules)).toEqual([]);
    await page.getByRole("button", { name: "?" }).click();
    await expect(page.getByRole("dialog", { name: "Keys" })).toBeVisible();
    expect(await violations(page, ...rules)).toEqual([]);
    expect(errors).toEqual([]);
  });
}

test("a phone: nothing is wider than the screen, lines wrap, fields open at a tap", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await open(page, shop());
  const width = () => page.evaluate(() => document.documentElement.scrollWidth);
  expect(await width()).toBeLessThanOrEqual(390);
  await expect(page.locator(".sidebar")).toBeHidden();
  await page.getByRole("button", { name: "Fields" }).click();
  await expect(page.locator(".sidebar")).toBeVisible();
  await page.getByRole("button", { name: "Fields" }).click();
  await rows(page).first().locator(".line").click();
  await expect(page.locator(".opened")).toBeVisible();
  expect(await width()).toBeLessThanOrEqual(390);
  expect(await violations(page)).toEqual([]);
  await page.getByRole("tab", { name: "Patterns" }).click();
  await expect(page.locator("table.patterns tbody tr").first()).toBeVisible();
  expect(await width()).toBeLessThanOrEqual(390);
});
