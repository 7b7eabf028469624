import { afterAll, beforeAll, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { startTestServer, type TestServer } from "#test/support/server.ts";
import { useBrowser } from "#test/support/browser.ts";

let server: TestServer;
/** Holds back the push of the agent until it is let go. */
const held = Promise.withResolvers<void>();
const { open } = useBrowser(() => server.baseUrl);

beforeAll(async () => {
  server = await startTestServer({
    engine: "sqlite",
    files: { "index.md": "# Welcome\n\nHarbor Cloud delivers events.\n", "other.md": "# Other\n\nText.\n" },
    server: {
      wrapCodeHost: (host) => ({
        ...host,
        push: async (...push) => {
          await held.promise;
          return host.push(...push);
        },
      }),
    },
  });
});
afterAll(() => server[Symbol.asyncDispose]());

async function signIn(page: Page, key: string): Promise<void> {
  await page.fill("input[name=key]", key);
  await page.click("button:has-text('Sign in')");
  await page.waitForURL(`${server.baseUrl}/test-docs`);
}

it("leads from a key to a job, its pull request and the page that is live", { timeout: 60_000 }, async () => {
  const page = await open("/");
  await page.click("text=Sign in");
  await signIn(page, server.instance.key);

  await page.click("main >> text=API keys");
  await page.fill("input[name=name]", "Writer");
  await page.selectOption("select[name=lifetime]", { label: "30 days" });
  await page.selectOption("select[name=scope]", "admin");
  await page.click("text=Create key");
  const key = (await page.textContent("#new-key")) ?? "";
  await page.click("button[data-copy=new-key]");
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe(key);
  await page.reload();
  await page.waitForURL(`${server.baseUrl}/test-docs/keys?repeated`);
  expect(await page.locator("#new-key").count()).toBe(0);
  expect(await page.locator("tr:has-text('Writer')").count()).toBe(1);
  expect(await page.textContent("tr:has-text('Writer')")).toContain(`docent_…${key.slice(-4)}`);

  await page.click("text=Sign out");
  await page.goto(`${server.baseUrl}/test-docs`);
  await signIn(page, key);
  await page.fill("textarea[name=prompt]", 'Replace "Harbor Cloud" with "Harbor Platform".');
  await page.click("text=Create job");
  await page.waitForURL(/\/test-docs\/jobs\/job_/);
  await page.evaluate("window.isTheSamePage = true");
  await page.waitForSelector(".phases .current:has-text('Publishing')");
  await page.fill("textarea[name=prompt]", "half a thought");
  held.resolve();
  await page.waitForSelector(".state:has-text('completed')");
  await page.waitForSelector("#transcript >> text=Replaced “Harbor Cloud”");
  expect(await page.evaluate("window.isTheSamePage")).toBe(true);
  expect(await page.inputValue("textarea[name=prompt]")).toBe("half a thought");
  expect(await page.title()).toMatch(/^Replace “Harbor Cloud”/);

  await page.click("text=Review and merge");
  await page.click("text=Merge pull request");
  await page.waitForSelector("text=Merged into main");
  await page.click("text=Transcript and follow-ups");
  await page.waitForSelector(".pull-box:has-text('merged')");
  await page.click("header >> text=Site");
  await expect
    .poll(async () => {
      await page.reload();
      return page.textContent("main");
    })
    .toContain("Harbor Platform delivers events.");
});
