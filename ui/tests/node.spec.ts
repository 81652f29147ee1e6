// The page as a real node serves it: headers, policy, first paint, console. MILLRACE_URL names the node.

import { expect, test } from "@playwright/test";

const url = process.env.MILLRACE_URL ?? "";
/** Where POST /kill and POST /start end and start another node of the same cluster. */
const control = process.env.MILLRACE_CONTROL ?? "";
test.skip(!url, "MILLRACE_URL names no node");

test("served with its type, a policy and an ETag; 300 KB at most", async ({ request }) => {
  const page = await request.get(`${url}/_millrace/`);
  expect(page.status()).toBe(200);
  const headers = page.headers();
  expect(headers["content-type"]).toBe("text/html; charset=UTF-8");
  expect(headers["content-security-policy"]).toContain("default-src 'none'");
  expect(headers["x-content-type-options"]).toBe("nosniff");
  expect((await page.body()).length).toBeLessThanOrEqual(300 * 1024);
  const again = await request.get(`${url}/_millrace/`, { headers: { "if-none-match": headers["etag"] ?? "" } });
  expect(again.status()).toBe(304);
  const api = await request.get(`${url}/_millrace`);
  expect(api.headers()["content-type"]).toContain("application/json");
});

test("lives on a real node: no error, paints within a second, shows what is written", async ({ page, request }) => {
  const errors: string[] = [];
  const foreign: string[] = [];
  page.on("console", (m) => ["error", "warning"].includes(m.type()) && errors.push(m.text()));
  page.on("pageerror", (e) => errors.push(String(e)));
  page.on("request", (r) => {
    if (!r.url().startsWith(url) && !r.url().startsWith("data:")) foreign.push(r.url());
  });
  await request.put(`${url}/dashboard-test`, { data: { settings: { "index.millrace.profile": "search", number_of_replicas: 0 } } });
  await page.goto(`${url}/_millrace/`);
  await expect(page.getByRole("status")).not.toHaveText("Asking the nodes…");
  const painted = () => page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? -1);
  await expect.poll(painted).toBeGreaterThan(0);
  const paint = await painted();
  test.info().annotations.push({ type: "first paint, ms", description: String(Math.round(paint)) });
  console.log(`first contentful paint: ${Math.round(paint)} ms`);
  const lines = Array.from({ length: 2000 }, (_, i) => `{"index":{}}\n{"n":${i},"message":"line ${i}"}\n`).join("");
  const bulk = await request.post(`${url}/dashboard-test/_bulk?refresh=true`, {
    headers: { "content-type": "application/x-ndjson" }, data: lines });
  expect(((await bulk.json()) as { errors: boolean }).errors).toBe(false);
  await page.getByLabel("every", { exact: true }).selectOption("2 s");
  await expect(page.locator("#freshness")).toContainText("dashboard-test", { timeout: 60_000 });
  await expect(page.locator("#ingest canvas")).toBeVisible();
  await expect(page.locator("#features")).toContainText("observe.dashboard");
  await expect(page.locator("#pauses")).toBeVisible();
  expect(errors).toEqual([]);
  expect(foreign).toEqual([]);
});

test("a real node dies and comes back while somebody watches", async ({ page, request }) => {
  test.skip(!control, "MILLRACE_CONTROL names nobody who kills a node");
  test.setTimeout(600_000);
  const errors: string[] = [];
  page.on("console", (m) => {
    // while a cluster manager is elected a node may refuse to answer, and the browser notes that
    if (["error", "warning"].includes(m.type()) && !/Failed to load resource/.test(m.text())) errors.push(m.text());
  });
  page.on("pageerror", (e) => errors.push(String(e)));
  await request.post(`${control}/start`, { timeout: 300_000 }); // a try before this one may have killed it
  await page.goto(`${url}/_millrace/`);
  await page.getByLabel("every", { exact: true }).selectOption("2 s");
  await expect(page.locator("#nodes-h + div tbody tr")).toHaveCount(3, { timeout: 120_000 });
  const { name } = (await (await request.post(`${control}/kill`)).json()) as { name: string };
  await expect(page.locator(".findings")).toContainText("A node is gone", { timeout: 120_000 });
  await expect(page.getByRole("row", { name })).toContainText("gone");
  await request.post(`${control}/start`, { timeout: 300_000 });
  await expect(page.locator("#nodes-h + div tbody tr", { hasText: "gone" })).toHaveCount(0, { timeout: 120_000 });
  await expect(page.locator("#nodes-h + div tbody tr")).toHaveCount(3);
  expect(errors).toEqual([]);
});
