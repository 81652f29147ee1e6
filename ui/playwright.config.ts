import { defineConfig } from "@playwright/test";

// The browser is the machine's own Chromium: Playwright's download server is not needed, and CI
// installs Debian's package. MILLRACE_CHROMIUM names it, MILLRACE_URL a real node.
export default defineConfig({
  testDir: "tests",
  outputDir: "target/playwright",
  // bounds, not expectations: CI's two cores also run a cluster of three nodes meanwhile
  timeout: 180_000,
  expect: { timeout: 30_000 },
  workers: 2,
  fullyParallel: false, // tests of a file run one after the other, but for those that need no node
  // those on a real node take longest one after the other, so they begin; the second worker takes the others meanwhile
  projects: [{ name: "node", testMatch: "node.spec.ts" }, { name: "answers", testIgnore: "node.spec.ts" }],
  forbidOnly: true,
  reporter: process.env.MILLRACE_REPORT ? [["list"], ["json", { outputFile: process.env.MILLRACE_REPORT }]] : [["list"]],
  use: {
    browserName: "chromium",
    headless: true,
    viewport: { width: 1440, height: 900 },
    timezoneId: "UTC",
    locale: "en-GB",
    launchOptions: {
      executablePath: process.env.MILLRACE_CHROMIUM ?? "/usr/bin/chromium",
      // containers give no user namespace to build a sandbox of; only our own page is opened
      args: ["--no-sandbox"],
    },
  },
});
