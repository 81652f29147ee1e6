// Builds the page: one HTML file with its script and style inside, written to the observe module's
// resources, where it is committed: building the product needs no npm. `--check` writes nothing and
// fails when the committed page is not what these sources give.
import { build } from "esbuild";
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const target = here("../observe/src/main/resources/io/millrace/observe/dashboard/index.html");
const MOST_BYTES = 300 * 1024;

async function bundle(entry, format) {
  const result = await build({
    entryPoints: [here(entry)],
    bundle: true,
    minify: true,
    write: false,
    format,
    target: ["chrome109", "firefox115", "safari16.4"],
    charset: "utf8",
    legalComments: "none",
    logLevel: "warning",
  });
  return result.outputFiles[0].text.trim();
}

const [script, style, template] = await Promise.all([
  bundle("src/main.ts", "iife"),
  bundle("src/style.css"),
  readFile(here("src/index.html"), "utf8"),
]);
if (/<\/(script|style)/i.test(script + style)) {
  throw new Error("the bundle holds an end tag and cannot be inlined");
}
const page = template
  .replace("<!-- style -->", () => `<style>${style}</style>`)
  .replace("<!-- script -->", () => `<script>${script}</script>`);
const size = Buffer.byteLength(page);
if (size > MOST_BYTES) {
  throw new Error(`the page has ${size} bytes, at most ${MOST_BYTES} are allowed`);
}
if (process.argv.includes("--check")) {
  const committed = await readFile(target, "utf8");
  if (committed !== page) {
    console.error("the committed page is not what ui/ gives: run `npm ci && npm run build` in ui/ and commit the result");
    process.exit(1);
  }
  console.log(`the committed page is what ui/ gives: ${size} bytes`);
} else {
  await writeFile(target, page);
  console.log(`${size} bytes`);
}
