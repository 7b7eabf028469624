import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { startTestServer, type TestServer } from "#test/support/server.ts";
import { useBrowser } from "#test/support/browser.ts";

let server: TestServer;
/** Holds back each push of an agent until it is let go. */
let held = Promise.withResolvers<void>();
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
afterEach(() => {
  held.resolve();
  held = Promise.withResolvers();
});
afterAll(() => server[Symbol.asyncDispose]());

async function signIn(page: Page, key: string): Promise<void> {
  await page.fill("input[name=key]", key);
  await page.click("button:has-text('Sign in')");
  await page.waitForURL(`${server.baseUrl}/test-docs`);
}

it("says how long a form takes", async () => {
  const page = await open("/sign-in");
  await signIn(page, server.instance.key);
  const note = Promise.withResolvers<string>();
  await page.exposeFunction("tellNote", note.resolve);
  await page.evaluate(`new MutationObserver(() => {
    const note = document.querySelector(".working[role=status]");
    if (note?.textContent.endsWith("s")) window.tellNote(note.textContent);
  }).observe(document.body, { subtree: true, childList: true, characterData: true })`);
  await page.route("**/test-docs/jobs", async (route) => {
    await note.promise;
    held.resolve();
    await route.continue();
  });
  await page.fill("textarea[name=prompt]", 'Replace "Text." with "Words.".');
  await page.click("text=Create job");
  await page.waitForURL(/\/test-docs\/jobs\/job_/);
  expect(await note.promise).toMatch(/^Working… \d s$/);
});

it("works without scripts: the page of an active job loads itself again", { timeout: 60_000 }, async () => {
  const page = await open("/sign-in", { script: false });
  await page.fill("input[name=key]", server.instance.key);
  await page.click("button:has-text('Sign in')");
  await page.click("nav >> text=Jobs");
  await page.fill("textarea[name=prompt]", 'Replace "Text." with "Words.".');
  await page.click("text=Create job");
  await page.waitForSelector("noscript a[href*='paused']");
  held.resolve();
  await page.waitForSelector(".state:has-text('completed')");
  expect(await page.isVisible("text=Review and merge")).toBe(true);
});

it.each([
  [1280, false],
  [1280, true],
  [360, false],
])("does not scroll sideways at %i pixels, dark %s", async (width, dark) => {
  held.resolve();
  const page = await open("/", { width, dark });
  await page.click("text=Sign in");
  await signIn(page, server.instance.key);
  await page.fill("textarea[name=prompt]", `Something${"LongerThanAnyLine".repeat(20)}`);
  await page.click("text=Create job");
  await page.waitForSelector(".state:has-text('failed')");
  const job = new URL(page.url()).pathname;
  const colour = dark ? "rgb(19, 23, 26)" : "rgb(255, 255, 255)";
  for (const path of ["", "/jobs", "/keys", "/pulls?state=all", "/analytics", job.slice("/test-docs".length)]) {
    await page.goto(`${server.baseUrl}/test-docs${path}`);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    expect(await page.evaluate("getComputedStyle(document.documentElement).backgroundColor")).toBe(colour);
  }
});

it("tries a chore while its form is filled in, and opens a pull request of it", async () => {
  held.resolve();
  const page = await open("/test-docs");
  await signIn(page, server.instance.key);
  await page.goto(`${server.baseUrl}/test-docs/jobs`);
  await page.getByRole("link", { name: "Run a chore" }).click();
  await page.locator("[name=from]").fill("Text");
  await page.locator("[name=to]").fill("Words");
  await page.getByRole("heading", { name: "1 file, 1 line" }).waitFor();
  expect(await page.textContent("#trial")).toContain("Words.");
  await page.getByRole("button", { name: "Open a pull request" }).click();
  await page.waitForURL(/jobs\/job_/);
  await page.getByText("Replace “Text” with “Words”").first().waitFor();
});

it("tries a chore without scripts too, and says what is in the way", async () => {
  const page = await open("/test-docs", { script: false, width: 390 });
  await signIn(page, server.instance.key);
  await page.goto(`${server.baseUrl}/test-docs/jobs/chores?chore=remove_page&page=nowhere`);
  await page.getByRole("button", { name: "Dry run" }).click();
  await page.getByRole("heading", { name: "This cannot be done" }).waitFor();
  expect(await page.textContent("#trial")).toContain("There is no page “nowhere”");
});

it("says of a moment ahead the nearest number of days, and of one that is past the whole days", async () => {
  const page = await open("/sign-in");
  await signIn(page, server.instance.key);
  const moment = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  await page.evaluate(
    `document.querySelector("main").innerHTML = '<time datetime="${moment(29.99)}"></time><time datetime="${moment(-2.9)}"></time>'; dispatchEvent(new Event("docent:shown"))`,
  );
  expect(await page.locator("main time").allTextContents()).toEqual(["in 30 days", "2 days ago"]);
});

it("keeps what is typed while the dialog of a site's first search is loaded", async () => {
  const page = await open("/");
  const script = Promise.withResolvers<void>();
  await page.route(/\/_docent\/search-[0-9a-f]+\.js/, async (route) => {
    await script.promise;
    await route.continue();
  });
  await page.goto(`http://test-docs.localhost:${server.port}/`);
  await page.keyboard.type("/callb");
  script.resolve();
  await page.locator("dialog[open] input").waitFor();
  await page.keyboard.type("ack");
  expect(await page.inputValue("dialog[open] input")).toBe("callback");
});
