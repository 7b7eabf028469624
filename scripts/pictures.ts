// `npm run pictures`: opens every screen in Chromium. Screenshots go to a folder, and those that the documentation shows to
// docs/images. `npm run pictures -- --out DIR [NAME]…` writes PNG files of all screens, or of those whose name has a NAME.
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "#test/support/browser.ts";
import { SCREENS, type Screen } from "#test/support/showcase/screens.ts";
import { startShowcase, type Showcase } from "#test/support/showcase/showcase.ts";
import { toWebp } from "#test/support/showcase/webp.ts";

const IMAGES = path.join(import.meta.dirname, "..", "docs", "images");
const MAX_BYTES = 60 * 1024;

const { values, positionals } = parseArgs({ options: { out: { type: "string" } }, allowPositionals: true });
const chosen = SCREENS.filter(
  ({ name, picture }) =>
    (values.out !== undefined || picture) &&
    (positionals.length === 0 || positionals.some((part) => name.includes(part))),
);
if (values.out !== undefined) await mkdir(values.out, { recursive: true });
await takeAll();
// What tests share goes on for the next test: render processes.
process.exit();

async function takeAll(): Promise<void> {
  await using showcase = await startShowcase();
  const browser = await launchBrowser();
  try {
    for (const screen of chosen) await take(browser, showcase, screen);
  } finally {
    await browser.close();
  }
}

async function take(on: Browser, shown: Showcase, screen: Screen): Promise<void> {
  const context = await on.newContext({
    viewport: { width: screen.width ?? 1280, height: screen.height ?? 800 },
    colorScheme: screen.dark ? "dark" : "light",
    reducedMotion: "reduce",
    deviceScaleFactor: 1,
  });
  const page = await context.newPage();
  try {
    await screen.open(page, shown);
    const width = await page.evaluate<number>("document.documentElement.scrollWidth");
    if (width > page.viewportSize()!.width) console.log(`${screen.name}: ${width} pixels wide, it scrolls sideways`);
    const png = await page.screenshot({ fullPage: (screen.isWhole ?? false) && values.out !== undefined });
    if (values.out !== undefined) await writeFile(path.join(values.out, `${screen.name}.png`), png);
    else await writePicture(page, screen.name, png);
    console.log(screen.name);
  } finally {
    await context.close();
  }
}

async function writePicture(page: Page, name: string, png: Buffer): Promise<void> {
  const webp = await toWebp(await page.context().newPage(), png, MAX_BYTES);
  await writeFile(path.join(IMAGES, `${name}.webp`), webp);
}
