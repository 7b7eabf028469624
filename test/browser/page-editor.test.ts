import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { launchBrowser } from "#test/support/browser.ts";
import { startTestServer, type TestServer } from "#test/support/server.ts";

const FILES = {
  "docs.json": JSON.stringify({ name: "Harbor", feedback: { suggestEdit: true } }),
  "index.md": "# Start\n\nThe old words.\n",
};

let server: TestServer;
let browser: Browser;

beforeAll(async () => {
  server = await startTestServer({ engine: "sqlite", files: FILES });
  browser = await launchBrowser();
});
afterEach(async () => {
  for (const context of browser.contexts()) await context.close();
});
afterAll(async () => {
  await browser.close();
  await server[Symbol.asyncDispose]();
});

/** From "Edit this page" of the site through the sign-in to the editor. */
async function openEditor({ script = true } = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, javaScriptEnabled: script });
  const page = await context.newPage();
  await page.goto(`http://test-docs.localhost:${server.port}/`);
  await page.click("text=Edit this page");
  await page.waitForURL(/\/sign-in\?to=/);
  await page.fill("input[name=key]", server.instance.key);
  await page.click("button:has-text('Sign in')");
  await page.waitForURL(`${server.baseUrl}/test-docs/pages/edit?path=index.md`);
  return page;
}

const source = "textarea[name=text]";
const shown = (page: Page) => page.frameLocator(".seen iframe:not(.next)").locator("article");

it("previews what is typed, keeps it over a reload, and drops it when it is proposed", async () => {
  const page = await openEditor();
  await page.fill(source, "# Start\n\nThe new words, [away](/missing).\n");
  await shown(page).getByText("The new words").waitFor();
  await page.locator(".draft-problems", { hasText: "/missing" }).waitFor();

  await page.reload();
  expect(await page.inputValue(source)).toBe(FILES["index.md"]);
  await page.click("button:has-text('Restore')");
  expect(await page.inputValue(source)).toContain("The new words");
  await shown(page).getByText("The new words").waitFor();

  await page.click(".draft-problems button:has-text('Line 3')");
  expect(await page.evaluate<string>("getSelection().toString()")).toBe("The new words, [away](/missing).");

  await page.click("button:has-text('Propose changes')");
  await page.waitForURL(/\/test-docs\/pull\/\d+$/);
  await page.goto(`${server.baseUrl}/test-docs/pages/edit?path=index.md`);
  expect(await page.locator(".kept").isVisible()).toBe(false);
});

it("previews and proposes without scripts", async () => {
  const page = await openEditor({ script: false });
  await page.fill(source, "# Start\n\nWords without a script.\n");
  await page.click("button:has-text('Preview')");
  await shown(page).getByText("Words without a script.").waitFor();
  await page.click("button:has-text('Propose changes')");
  await page.waitForURL(/\/test-docs\/pull\/\d+$/);
  expect(await page.locator("h1").innerText()).toContain('Edit "Start"');
});
