import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { AxeResults } from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchBrowser } from "#test/support/browser.ts";
import { SCREENS } from "#test/support/showcase/screens.ts";
import { startShowcase, type Showcase } from "#test/support/showcase/showcase.ts";

const AXE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");
/** The screens that `npm run pictures` takes, without those that differ in scheme or width alone. */
const KINDS = SCREENS.filter(({ name }) => !/-(?:dark|375)$/.test(name) || name === "site-menu-375");

let showcase: Showcase;
let browser: Browser;

beforeAll(async () => {
  showcase = await startShowcase();
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await showcase[Symbol.asyncDispose]();
});

async function faults(page: Page): Promise<string[]> {
  await page.waitForLoadState(); // a click of `open` may still be leading to another page
  const window = page.viewportSize()!.width;
  const width = await page.evaluate<number>("document.documentElement.scrollWidth");
  await page.evaluate(AXE);
  const { violations } = (await page.evaluate("axe.run({ resultTypes: ['violations'] })")) as AxeResults;
  const found = violations.map(({ id, nodes }) =>
    `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" ")}`.slice(0, 500),
  );
  return width > window ? [`scrolls sideways, ${width} of ${window} pixels`, ...found] : found;
}

it("axe finds nothing on any screen, and none scrolls sideways: wide and light, narrow and dark", async () => {
  const found: string[] = [];
  for (const screen of KINDS) {
    const viewport = { width: screen.width ?? 1280, height: 800 };
    const options = { viewport, colorScheme: "light", bypassCSP: true, reducedMotion: "reduce" } as const;
    const context = await browser.newContext(options);
    const page = await context.newPage();
    await screen.open(page, showcase);
    for (const fault of await faults(page)) found.push(`${screen.name}, light: ${fault}`);
    await page.emulateMedia({ colorScheme: "dark" });
    await page.setViewportSize({ width: 375, height: 760 });
    for (const fault of await faults(page)) found.push(`${screen.name}, dark: ${fault}`);
    await context.close();
  }
  expect(KINDS.length).toBeGreaterThan(35);
  expect(found).toEqual([]);
}, 600_000);
