// The pictures of the page for its manual, from a real node with a night's lines: light and dark, as
// WebP of the size that a page of documentation bears. No part of CI; MILLRACE_SHOTS names the folder.

import { statSync, writeFileSync } from "node:fs";
import { expect, test, type Page } from "@playwright/test";
import { Night, NIGHT } from "./night.ts";
import { rows, watch } from "./reader.ts";

const url = process.env.MILLRACE_URL ?? "";
const folder = process.env.MILLRACE_SHOTS ?? "";
test.skip(!url || !folder, "MILLRACE_URL and MILLRACE_SHOTS name no node and folder");

/** Most bytes of a picture. */
const MOST = 150_000;

test.use({ viewport: { width: 1280, height: 720 } });

/** Writes what the page shows; the browser itself makes the WebP, as good as fits. */
async function picture(page: Page, name: string): Promise<void> {
  await page.mouse.move(0, 0);
  const png = (await page.screenshot({ animations: "disabled" })).toString("base64");
  const drawer = await page.context().newPage();
  for (const quality of [0.9, 0.8, 0.7, 0.6, 0.5]) {
    const webp = await drawer.evaluate(async ([data, q]) => {
      const image = new Image();
      image.src = `data:image/png;base64,${data}`;
      await image.decode();
      const canvas = document.createElement("canvas");
      canvas.width = image.width;
      canvas.height = image.height;
      canvas.getContext("2d")?.drawImage(image, 0, 0);
      return canvas.toDataURL("image/webp", q).split(",")[1] as string;
    }, [png, quality] as const);
    writeFileSync(`${folder}/${name}.webp`, Buffer.from(webp, "base64"));
    if (statSync(`${folder}/${name}.webp`).size < MOST) break;
  }
  await drawer.close();
  const { size } = statSync(`${folder}/${name}.webp`);
  console.log(`${name}.webp: ${size} bytes`);
  expect(size).toBeLessThan(MOST);
}

test("pictures of the lines, of an open one, of patterns and of a trace", async ({ page, request }) => {
  const night = new Night(request, url);
  await night.begin();
  const errors = watch(page);
  try {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.goto("about:blank");
      await page.goto(`${url}/_millrace/explore${night.hash(NIGHT, { q: "-service:recommender" })}`);
      await expect(page.locator(".chart .legend li").first()).toBeVisible();
      await page.locator("[data-field=service] > button").click();
      await expect(page.locator(".values .top").first()).toBeVisible();
      await picture(page, `explorer-${colorScheme}`);
      await page.goto("about:blank");
      await page.goto(`${url}/_millrace/explore${night.hash(NIGHT, { q: '"payment 1000"' })}`);
      await rows(page).first().locator(".line").click();
      await page.getByRole("button", { name: "Lines around" }).click();
      await expect(page.getByRole("region", { name: "Lines around this one" })).toContainText("no connection left");
      await picture(page, `explorer-around-${colorScheme}`);
      await page.getByRole("button", { name: "Trace", exact: true }).click();
      await expect(page.locator(".waterfall li", { hasText: "charge" })).toBeVisible();
      await picture(page, `explorer-trace-${colorScheme}`);
      await page.goto("about:blank");
      await page.goto(`${url}/_millrace/explore${night.hash(NIGHT, { tab: "patterns" })}`);
      await expect(page.locator("table.patterns tbody tr").first()).toContainText("new");
      await picture(page, `explorer-patterns-${colorScheme}`);
    }
    expect(errors).toEqual([]);
  } finally {
    await night.forget();
  }
});
