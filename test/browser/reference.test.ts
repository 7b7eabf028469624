import { expect, it } from "vitest";
import { openedOnce } from "#testing/opened-once.ts";
import { startTestServer } from "#test/support/server.ts";
import { useBrowser } from "#test/support/browser.ts";

const server = openedOnce(() => startTestServer({ engine: "sqlite", files: { "index.md": "# Welcome\n" } }));
const { browser } = useBrowser();

it("sends a request with the reader's own key from the page of an operation, and keeps the key nowhere", async () => {
  const context = await browser().newContext();
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  const called: string[] = [];
  page.on("request", (request) => {
    if (new URL(request.url()).origin !== new URL(server().baseUrl).origin) called.push(request.url());
  });
  await page.goto(`${server().baseUrl}/reference/analytics/get-unique-visitors`);
  await page.click("[data-playground] summary");
  await page.fill('[data-playground] input[type="password"]', server().instance.key);
  await page.fill('[data-playground] [data-name="projectId"]', server().instance.project.id);
  await page.click('[data-playground] button[type="submit"]');
  await page.waitForSelector(".api-try-status");
  expect(await page.textContent("[data-answer]")).toMatch(/200.*"totals"/s);
  const kept = await page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])");
  expect(kept).not.toContain(server().instance.key);
  expect(await context.cookies()).toEqual([]);
  expect([complaints, called]).toEqual([[], []]);
  await context.close();
});

it.each([
  [1440, "light"],
  [1440, "dark"],
  [375, "light"],
  [375, "dark"],
] as const)("fits a window of %i pixels in %s", async (width, colorScheme) => {
  const page = await browser().newPage({ viewport: { width, height: 800 }, colorScheme });
  for (const path of ["", "/agent-jobs/create-an-agent-job", "/interface/compatible"]) {
    await page.goto(`${server().baseUrl}/reference${path}`);
    const tooWide = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
    expect([path, tooWide]).toEqual([path, 0]);
  }
  await page.close();
});
