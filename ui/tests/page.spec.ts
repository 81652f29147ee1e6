// The page against clusters of every shape; see cluster.ts. No node is needed.

import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { expect, test, type Page } from "@playwright/test";
import { FakeCluster, ORIGIN } from "./cluster.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const THREE = ["node-1", "node-2", "node-3"];
/** Rounds that curves are made of: many only where somebody looks at their pictures. */
const ROUNDS = process.env.MILLRACE_SHOTS ? 24 : 4;

test.describe.configure({ mode: "parallel" });

/** Fails the test on anything that the console calls an error, and on uncaught exceptions. */
function watch(page: Page, allow?: RegExp): string[] {
  const errors: string[] = [];
  page.on("console", (m) => {
    if (["error", "warning"].includes(m.type()) && !allow?.test(m.text())) errors.push(m.text());
  });
  page.on("pageerror", (e) => errors.push(String(e)));
  return errors;
}

async function violations(page: Page): Promise<string[]> {
  await page.clock.resume(); // axe waits with timers
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const axe = (window as unknown as { axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> } }).axe;
    return (await axe.run()).violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.html.slice(0, 160)).join(" | ")}`);
  });
}

/**
 * What a reading gives once the page has had more time for it. The page plans its next round when
 * the last answer of this one is there, which no clock knows: time that passes before starts none.
 */
function later<T>(page: Page, read: () => T | Promise<T>): ReturnType<typeof expect.poll<T>> {
  return expect.poll(async () => {
    await page.clock.runFor(1000);
    return read();
  });
}

/** Lets the page live through rounds without waiting for them. */
async function rounds(page: Page, cluster: FakeCluster, n: number): Promise<void> {
  for (let i = 0; i < n; i++) {
    const before = cluster.round;
    await page.clock.runFor(4000);
    await later(page, () => cluster.round).toBeGreaterThan(before);
    await expect.poll(() => cluster.pending).toBe(0);
    await page.clock.runFor(20);
  }
}

async function start(page: Page, cluster: FakeCluster, n = 3): Promise<void> {
  await page.clock.install({ time: Date.UTC(2026, 10, 21, 5, 15) });
  await cluster.open(page);
  await expect(page.getByRole("status")).not.toHaveText("Asking the nodes…");
  // from here on time moves only when the test says so; until now it went by itself
  await page.clock.pauseAt(Date.UTC(2026, 10, 21, 5, 17));
  await rounds(page, cluster, n);
}

test("one node: all is well", async ({ page }) => {
  const errors = watch(page);
  const cluster = new FakeCluster({ nodes: ["node-1"] });
  await start(page, cluster);
  await expect(page.getByRole("status")).toHaveText("All is well");
  await expect(page.locator("header .pill")).toHaveText("yellow, 1 node, replicas wait for a second one");
  // a busy machine may lose a round's answer: the next round's rate then spans the jump of the clock, the one after it does not
  await later(page, () => page.getByRole("row", { name: /node-1/ }).first().textContent()).toMatch(/\d k\/s/);
  await expect(page.locator("#ingest canvas")).toBeVisible();
  await expect(page.locator("#ingest .plot")).toHaveAttribute("aria-label", /node-1 \d+ k\/s, at most \d+ k\/s/);
  expect(errors).toEqual([]);
});

test("three nodes side by side, light, and what a screen reader gets", async ({ page }) => {
  const errors = watch(page);
  await page.emulateMedia({ colorScheme: "light" });
  const cluster = new FakeCluster({ nodes: THREE });
  await start(page, cluster, ROUNDS);
  for (const node of THREE) await expect(page.locator("#nodes-h + div tbody th", { hasText: node })).toBeVisible();
  await expect(page.locator("#files")).toContainText("stored documents");
  await page.getByText("Ingest as a table").click();
  await expect(page.locator("#ingest details table")).toContainText("node-2");
  expect(await violations(page)).toEqual([]);
  await page.getByText("Ingest as a table").click();
  await page.screenshot({ path: shot("dashboard-light.png"), fullPage: true });
  expect(errors).toEqual([]);
});

test("alarms come first and say what to do; dark", async ({ page }) => {
  const errors = watch(page);
  await page.emulateMedia({ colorScheme: "dark" });
  const cluster = new FakeCluster({ nodes: THREE, firing: ["allocation_stalls", "rejected_writes", "refresh_lag"] });
  await start(page, cluster, ROUNDS);
  await expect(page.getByRole("status")).toHaveText("2 things need somebody now, and 1 thing is worth a look");
  await expect(page.locator(".findings li").first()).toContainText("node-1");
  await expect(page.locator(".findings")).toContainText("What to do: Clients must retry with a pause");
  await expect(page.locator("#stalls")).toBeVisible();
  await expect(page.locator("#requests")).toContainText("being cancelled");
  await expect(page.locator("#requests")).not.toContainText("4712");
  await expect(page).toHaveTitle(/^● harbour/);
  expect(await violations(page)).toEqual([]);
  await page.screenshot({ path: shot("dashboard-dark.png"), fullPage: true });
  expect(errors).toEqual([]);
});

test("a node that dies is named, keeps its place, and comes back", async ({ page }) => {
  const errors = watch(page);
  const cluster = new FakeCluster({ nodes: THREE });
  await start(page, cluster);
  cluster.shape.nodes = ["node-1", "node-3"];
  await rounds(page, cluster, 2);
  await expect(page.getByRole("status")).toHaveText("1 thing needs somebody now");
  await expect(page.locator(".findings")).toContainText("A node is gone");
  await expect(page.getByRole("row", { name: /node-2/ })).toContainText("gone");
  await page.screenshot({ path: shot("dashboard-node-gone.png") });
  cluster.shape.nodes = THREE;
  await rounds(page, cluster, 2);
  await expect(page.getByRole("status")).toHaveText("All is well");
  expect(errors).toEqual([]);
});

test("no node answers: it says so, keeps what it had, and recovers", async ({ page }) => {
  const errors = watch(page, /Failed to load resource/);
  const cluster = new FakeCluster({ nodes: ["node-1"] });
  await start(page, cluster);
  cluster.shape.dead = true;
  await later(page, () => page.getByRole("status").textContent()).toContain("No answer from this node since 05:");
  await expect(page.getByRole("row", { name: /node-1/ }).first()).toBeVisible();
  cluster.shape.dead = false;
  await later(page, () => page.getByRole("status").textContent()).toBe("All is well");
  expect(errors).toEqual([]);
});

test("dead from the start", async ({ page }) => {
  const errors = watch(page, /Failed to load resource/);
  const cluster = new FakeCluster({ nodes: [], dead: true });
  await cluster.open(page);
  await expect(page.getByRole("status")).toContainText("No answer from this node");
  await expect(page.locator("#nodes-h + div")).toContainText("No node has answered yet.");
  expect(errors).toEqual([]);
});

test("a thousand indices stay a page", async ({ page }) => {
  const errors = watch(page);
  const cluster = new FakeCluster({ nodes: THREE, indices: 1000 });
  await start(page, cluster);
  await expect(page.locator("#freshness")).toContainText(
    "none is late; each node names the 50 nearest to their promise of up to 1000");
  await expect(page.locator("#freshness tbody tr")).toHaveCount(8);
  await expect(page.locator("#top-indices")).toContainText("each node names its 10 busiest indices");
  await expect(page.locator("#hot-shards tbody tr")).toHaveCount(10);
  expect(await page.locator("*").count()).toBeLessThan(2500);
  expect(errors).toEqual([]);
});

test("what must not be added is the largest of all nodes and labels", async ({ page }) => {
  const cluster = new FakeCluster({ nodes: THREE });
  await start(page, cluster);
  await page.locator("#features summary", { hasText: "write.fast-engine" }).click();
  const row = page.locator("#features tr", { hasText: "queue (the largest)" });
  await expect(row).toContainText("70 documents");
});

test("beside an index stands the promise that holds now", async ({ page }) => {
  const cluster = new FakeCluster({ nodes: ["node-1"] });
  await start(page, cluster);
  await expect(page.locator("#freshness")).toContainText("none of 6 indices is late");
  const row = (index: string) => page.locator("#freshness tbody tr", { hasText: index });
  await expect(row("logs-payments-0001")).toContainText("30 s (logs)");
  await expect(row("logs-mail-0003")).toContainText("5.0 s while searched (logs)");
  await expect(row("logs-checkout-0000")).toContainText("5.0 s (search)");
});

test("twenty nodes: the largest curves, all rows", async ({ page }) => {
  const errors = watch(page);
  const cluster = new FakeCluster({ nodes: Array.from({ length: 20 }, (_, i) => `data-${i}`) });
  await start(page, cluster);
  await expect(page.locator("#nodes-h + div tbody tr")).toHaveCount(20);
  await expect(page.locator("#ingest .legend li")).toHaveCount(8);
  await expect(page.locator("#ingest")).toContainText("the 8 largest of 20");
  expect(errors).toEqual([]);
});

test("an index name is text, never markup", async ({ page }) => {
  const errors = watch(page);
  const cluster = new FakeCluster({ nodes: ["node-1"], indexName: (i) => `<img src=x onerror=alert(${i})>` });
  await start(page, cluster);
  await expect(page.locator("#freshness")).toContainText("<img src=x");
  await expect(page.locator("img")).toHaveCount(0);
  expect(errors).toEqual([]);
});

test("features that this page never heard of appear by themselves", async ({ page }) => {
  const cluster = new FakeCluster({ nodes: ["node-1"], features: {
    "guard.inbound-budget": { on: true, metrics: {
      held: { unit: "bytes", kind: "gauge", value: 8e7 }, limit: { unit: "bytes", kind: "gauge", value: 1e8 },
      refused: { unit: "requests", kind: "counter", value: 12 } } },
  } });
  await start(page, cluster);
  await expect(page.locator("#budgets")).toContainText("guard.inbound-budget");
  await expect(page.locator("#budgets")).toContainText("80 %");
  await expect(page.locator("#refused .legend")).toContainText("inbound-budget: refused");
  await page.locator("#features summary", { hasText: "guard.inbound-budget" }).click();
  await expect(page.locator("#features")).toContainText("12 requests");
  await rounds(page, cluster, 1);
  await expect(page.locator("#features details[open]")).toHaveCount(1);
});

test("indices that read a stream show where their records wait", async ({ page }) => {
  const by = (index: string, value: number) => ({ labels: { index }, value });
  const gauge = (...samples: unknown[]) => ({ unit: "records", kind: "gauge", samples });
  const cluster = new FakeCluster({ nodes: ["node-1", "node-2"] });
  await start(page, cluster);
  await expect(page.locator("#streams")).toBeHidden();
  cluster.shape.features = { "pipelines.streams": { on: true, metrics: {
    lag: gauge(by("logs-shop", 2_000)), stopped_shards: gauge(by("logs-shop", 0), by("logs-mail", 1)),
    paused_shards: gauge(by("logs-shop", 0), by("logs-mail", 0)),
    fetch_delay: { ...gauge(by("logs-shop", 65_000), by("logs-mail", 0)), merge: "max" } } } };
  await rounds(page, cluster, 1);
  // two nodes: counts are added up, of times the longest counts; what a broker does not say is no 0
  await expect(page.locator("#streams tbody tr").nth(0)).toContainText(/logs-mail.*2 shards stopped.*\?/);
  await expect(page.locator("#streams tbody tr").nth(1)).toContainText(/logs-shop.*reading.*4000.*1\.1 min/);
});

test("panels of absent features are hidden", async ({ page }) => {
  const errors = watch(page);
  const cluster = new FakeCluster({ nodes: ["node-1"], missing: ["gc", "alarms", "stats", "shards", "freshness"] });
  await start(page, cluster);
  await expect(page.locator("#pauses")).toBeHidden();
  await expect(page.locator("#features")).toBeHidden();
  await expect(page.locator("#ingest")).toBeVisible();
  await expect(page.getByRole("status")).toContainText("alarms are off");
  expect(errors).toEqual([]);
});

const EXAMINED = {
  taken: "2026-11-21T03:17:00Z", checks: 87, counts: "1 error, 1 warn, 0 info",
  findings: [
    { check: "write-rejections", severity: "error", title: "Bulks are rejected", what: "9 bulks were rejected on node-1.", subjects: ["node-1"], subjects_total: 1,
      evidence: [{ path: "GET /_nodes/stats: nodes.n1.thread_pool.write.rejected", value: "9" }], why: "Rejected documents are lost.", source: "a field report",
      effect: "nothing is lost", fix: { calls: [], calls_total: 0, config: "+thread_pool.write.queue_size: 10000", advice: "Restart the nodes." }, undo: { calls: [], advice: "Put the old line back." } },
    { check: "refresh-interval", severity: "warn", title: "An explicit refresh interval", what: "It is 1s.", subjects: ["<img src=x onerror=alert(1)>", "b", "c", "d"], subjects_total: 4000,
      evidence: [], why: "Segments.", source: "a page", effect: "fewer segments",
      fix: { calls: [{ method: "PUT", path: "/it's/_settings", body: "{\"a\":\"it's\"}" }], calls_total: 80 }, undo: { calls: [] } },
  ],
};

test("what the doctor published stands there with numbers, fix and undo", async ({ page }) => {
  const errors = watch(page);
  const cluster = new FakeCluster({ nodes: THREE, doctor: EXAMINED });
  await start(page, cluster);
  const doctor = page.locator("#doctor");
  await expect(doctor).toContainText("87 checks looked 2.0 h ago: 1 error, 1 warn, 0 info");
  await expect(doctor.locator("details")).toHaveCount(2);
  await expect(doctor.locator("details").first()).toContainText("Bulks are rejected");
  await expect(doctor).toContainText("<img src=x onerror=alert(1)>, b, c and 3997 more");
  await expect(page.locator("img")).toHaveCount(0);
  for (const summary of await doctor.locator("summary").all()) await summary.click();
  await expect(doctor).toContainText("+thread_pool.write.queue_size: 10000");
  await expect(doctor).toContainText("Put the old line back.");
  await expect(doctor.locator("pre").nth(1)).toHaveText(
    `curl -XPUT '${ORIGIN}/it%27s/_settings' -H 'Content-Type: application/json' -d '{"a":"it'\\''s"}'`);
  await expect(doctor).toContainText("and 79 more requests");
  expect(await violations(page)).toEqual([]);
  expect(errors).toEqual([]);
});

test("a report that is new stays open where it was open; one that is old says so", async ({ page }) => {
  const cluster = new FakeCluster({ nodes: ["node-1"], doctor: EXAMINED });
  await start(page, cluster);
  const doctor = page.locator("#doctor");
  await doctor.locator("summary").nth(1).click();
  cluster.shape.doctor = { ...EXAMINED, taken: "2026-11-19T00:00:00Z", findings: EXAMINED.findings.slice(1) };
  await rounds(page, cluster, 18);
  await expect(doctor).toContainText("this report is old");
  await expect(doctor.locator("details[open]")).toHaveCount(1);
});

test("without a report the doctor says how to make one; what it cannot read is hidden", async ({ page }) => {
  const errors = watch(page);
  const cluster = new FakeCluster({ nodes: ["node-1"] });
  await start(page, cluster);
  await expect(page.locator("#doctor")).toContainText(`millrace doctor ${ORIGIN} --publish`);
  cluster.shape.doctor = { findings: "none" };
  await rounds(page, cluster, 18);
  await expect(page.locator("#doctor")).toContainText("No report yet");
  cluster.shape.missing = ["_search"];
  await rounds(page, cluster, 18);
  await expect(page.locator("#doctor")).toBeHidden();
  await expect(page.locator("#examined-h")).toBeHidden();
  expect(errors).toEqual([]);
});

test("keyboard: skip link, pause, theme; nothing is asked of anybody else", async ({ page }) => {
  const cluster = new FakeCluster({ nodes: ["node-1"] });
  await start(page, cluster);
  await page.keyboard.press("Tab");
  await expect(page.locator(".skip")).toBeFocused();
  await page.getByRole("button", { name: "Pause" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Go on" })).toBeVisible();
  const paused = cluster.round;
  await page.clock.runFor(30_000);
  expect(cluster.round).toBe(paused);
  await page.getByRole("button", { name: "Go on" }).press("Enter");
  await expect.poll(() => cluster.round).toBeGreaterThan(paused);
  await page.getByLabel("theme").selectOption("dark");
  expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe("rgb(18, 23, 28)");
  await page.reload();
  await expect(page.getByLabel("theme")).toHaveValue("dark");
  expect(cluster.requests.filter((url) => !url.startsWith(ORIGIN) && !url.startsWith("data:"))).toEqual([]);
});

test("a small screen scrolls tables, never the page", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  const cluster = new FakeCluster({ nodes: THREE });
  await start(page, cluster);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  expect(await violations(page)).toEqual([]);
});

/** Screenshots are kept only when they are asked for: they differ from machine to machine. */
function shot(name: string): string {
  return process.env.MILLRACE_SHOTS ? `${process.env.MILLRACE_SHOTS}/${name}` : `target/shots/${name}`;
}
