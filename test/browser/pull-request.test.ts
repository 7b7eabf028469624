import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { callApi, waitForJob } from "#test/support/instance.ts";
import { startTestServer, type TestServer } from "#test/support/server.ts";
import { createSiteClient } from "#test/support/site-client.ts";
import { launchBrowser } from "#test/support/browser.ts";

let server: TestServer;
let browser: Browser;
let context: BrowserContext;
let preview: URL;

beforeAll(async () => {
  const pages = Array.from({ length: 15 }, (_, index) => [`guides/page-${index}.md`, `# ${index}\n\nThe old word.\n`]);
  server = await startTestServer({
    engine: "sqlite",
    files: { "index.md": "# Start\n\nThe old word.\n", ...(Object.fromEntries(pages) as Record<string, string>) },
  });
  browser = await launchBrowser();
  const { baseUrl, instance } = server;
  const prompt = 'Replace "old word" with "new word".';
  const { body } = await callApi(baseUrl, instance, { path: "/job", body: { prompt } });
  preview = new URL((await waitForJob(baseUrl, instance, body.id)).previewLink ?? "");
});
afterEach(() => context.close());
afterAll(async () => {
  await browser.close();
  await server[Symbol.asyncDispose]();
});

/** A page of a new browser profile at an address; asked to sign in, it does. */
async function open(address: string | URL, width = 1440): Promise<Page> {
  context = await browser.newContext({ viewport: { width, height: 900 } });
  const page = await context.newPage();
  await page.goto(new URL(address, server.baseUrl).href);
  if (new URL(page.url()).pathname === "/sign-in") {
    await page.fill("input[name=key]", server.instance.key);
    await page.click("button:has-text('Sign in')");
    // With its style sheet: what is measured before has another size.
    await page.waitForURL((url) => url.pathname !== "/sign-in", { waitUntil: "load" });
  }
  return page;
}

it("leads from a preview's address through the sign-in to the page that was asked for", async () => {
  const page = await open(new URL("/guides/page-3", preview.origin));
  await page.waitForURL(new URL("/guides/page-3", preview.origin).href);
  expect(await page.textContent("article")).toContain("new word");
  await page.click(".site-preview a");
  await page.waitForURL(`${server.baseUrl}/test-docs/pull/1`);
});

it("opens a preview by its link for somebody without a key, on further pages too, without the token in the address", async () => {
  const page = await open(preview);
  expect(page.url()).toBe(`${preview.origin}/`);
  await page.goto(new URL("/guides/page-3", preview.origin).href);
  expect(await page.textContent("article")).toContain("new word");
});

it.each([1440, 375])(
  "shows at a width of %i what can be done with a pull request at once, with nothing nested",
  async (width) => {
    const page = await open("/test-docs/pull/1", width);
    const merge = await page.locator(".merge-box .primary").boundingBox();
    expect(merge!.y + merge!.height).toBeLessThan(900);
    const seen = await page.evaluate<object>(`({
    nested: [...document.querySelectorAll("a, button, summary")]
      .filter((each) => each.querySelector("a, button, input, select, textarea, summary")).length,
    sideways: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    small: [...document.querySelectorAll(".file-list a, .file-links a")]
      .map((each) => each.getBoundingClientRect().height).filter((height) => height > 0 && height < 24).length,
    scrolling: [...document.querySelectorAll(".file-list")]
      .filter((each) => each.scrollHeight > each.clientHeight + 1).length,
  })`);
    expect(seen).toEqual({ nested: 0, sideways: 0, small: 0, scrolling: 0 });
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    expect(await page.evaluate("document.activeElement.id")).toBe("content");
  },
);

it("has headings in order on every page of the dashboard", async () => {
  const page = await open("/test-docs");
  for (const path of ["", "/jobs", "/pulls", "/pull/1", "/pull/1/commits", "/pull/1/files", "/analytics", "/keys"]) {
    await page.goto(`${server.baseUrl}/test-docs${path}`);
    const ranks = await page.evaluate<number[]>(
      `[...document.querySelectorAll("h1, h2, h3, h4, h5, h6")].map((heading) => Number(heading.tagName[1]))`,
    );
    const jumps = ranks.filter((rank, index) => rank > (ranks[index - 1] ?? 0) + 1);
    expect([path, ranks[0], jumps]).toEqual([path, 1, []]);
  }
});

it("shows visitors on a phone in words and in letters that can be read", async () => {
  using site = createSiteClient(server);
  await site.send("/index.md", { headers: { "user-agent": "ChatGPT-User/1.0" } });
  const page = await open("/test-docs/analytics", 375);
  await expect.poll(async () => (await page.reload(), page.locator(".figures.many tr").count())).toBeGreaterThan(1);
  // A cell of one letter a line is many times as high as it is wide.
  const seen = await page.evaluate<object>(`({
    sideways: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    thin: [...document.querySelectorAll(".figures td")]
      .map((cell) => cell.getBoundingClientRect()).filter(({ width, height }) => height > 60 && width < 60).length,
    small: [...document.querySelectorAll(".chart text")]
      .map((label) => label.getBoundingClientRect().height).filter((height) => height > 0 && height < 11).length,
  })`);
  expect(seen).toEqual({ sideways: 0, thin: 0, small: 0 });
});
