// Builds the pages: each is one HTML file with its script and style inside, written to the observe module's
// resources, where it is committed: building the product needs no npm. `--check` writes nothing and
// fails when a committed page is not what these sources give.
import { build } from "esbuild";
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
// Names of members that neither browsers nor nodes know: in the page they are one or two letters.
const OWN = /^(show(Timeline|Instead|Fields|Mistake|View|Tab|Names)|(load|clear)Lines|refreshRows|toggleColumn|countable|changeTab|groupShown|openTrace|totalBefore|limitMillis|mostBytes|byField|everywhere|findable|suggestNames|suggestValues|copyLink|copyCurl|askNames|setUtc|isSpan|atTop|renew|tokens|series|columns|actions|narrow|remember|forWords|mayHold|element|view|lines|oldest|kind|toast|problem|opened|change|does|names|types|tell|times|bytes|recover|example|digits|asked|isOpen|marks|complete|ended|fresh|mode|current|asJson)$/;
const PAGES = [
  { name: "dashboard", mostBytes: 300 * 1024 },
  { name: "explorer", mostBytes: 100_000, mangleProps: OWN },
];

async function bundle(entry, format, mangleProps) {
  const result = await build({
    entryPoints: [here(entry)],
    bundle: true,
    minify: true,
    write: false,
    format,
    target: ["chrome109", "firefox115", "safari16.4"],
    charset: "utf8",
    legalComments: "none",
    mangleProps,
    logLevel: "warning",
  });
  return result.outputFiles[0].text.trim();
}

async function page({ name, mostBytes, mangleProps }) {
  const [script, style, template] = await Promise.all([
    bundle(`src/${name}/main.ts`, "iife", mangleProps),
    bundle(`src/${name}/style.css`),
    readFile(here(`src/${name}/index.html`), "utf8"),
  ]);
  if (/<\/(script|style)/i.test(script + style)) {
    throw new Error(`the bundle of the ${name} holds an end tag and cannot be inlined`);
  }
  const html = template
    .replace("<!-- style -->", () => `<style>${style}</style>`)
    .replace("<!-- script -->", () => `<script>${script}</script>`);
  const size = Buffer.byteLength(html);
  if (size > mostBytes) {
    throw new Error(`the ${name} has ${size} bytes, at most ${mostBytes} are allowed`);
  }
  return html;
}

let stale = false;
for (const each of PAGES) {
  const html = await page(each);
  const target = here(`../observe/src/main/resources/io/millrace/observe/${each.name}/index.html`);
  if (!process.argv.includes("--check")) {
    await writeFile(target, html);
  } else if ((await readFile(target, "utf8")) !== html) {
    console.error(`the committed ${each.name} is not what ui/ gives: run \`npm ci && npm run build\` in ui/ and commit the result`);
    stale = true;
  }
  console.log(`${each.name}: ${Buffer.byteLength(html)} bytes`);
}
if (stale) process.exit(1);
