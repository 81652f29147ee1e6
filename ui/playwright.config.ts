import { defineConfig } from "@playwright/test";

// The browser is the machine's own Chromium: Playwright's download server is not needed, and CI
// installs Debian's package. MILLRACE_CHROMIUM names it, MILLRACE_URL a real node.
export default defineConfig({
  testDir: "tests",
  outputDir: "target/playwright",
  timeout: 30_000,
  workers: 1,
  fullyParallel: false,
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
      // root in a container has no user namespace to build a sandbox of
      args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
    },
  },
});
