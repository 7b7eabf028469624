import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { openedOnce } from "#testing/opened-once.ts";
import { operatorAddress } from "#test/support/commands.ts";
import { startTestServer } from "#test/support/server.ts";
import { useBrowser } from "#test/support/browser.ts";

const server = openedOnce(() => startTestServer({ engine: "sqlite", files: { "index.md": "# Welcome\n" } }));
const { browser } = useBrowser();

const newPage = async (): Promise<Page> =>
  (await browser().newContext({ viewport: { width: 1280, height: 800 } })).newPage();

it("leads from a fresh server to a merged pull request of a second person, without a terminal", async () => {
  const ada = await newPage();
  await ada.goto(await operatorAddress(server().instance.data, server().baseUrl));
  await ada.fill("[name=name]", "Ada Lovelace");
  await ada.fill("[name=email]", "ada@example.com");
  await ada.fill("[name=password]", "correct horse");
  await ada.click("text=Create account");
  await ada.click("text=New project");
  await ada.click("a[href$='from=example']");
  await ada.fill("form[action='/-/new/example'] [name=name]", "Harbor docs");
  await ada.click(".send button");
  await ada.waitForURL(`${server().baseUrl}/harbor-docs`);
  await ada.click("nav >> text=Settings");
  await ada.click("nav >> text=Members");
  await ada.fill("[name=email]", "grace@example.com");
  await ada.click("button:has-text('Add member')");
  const link = await ada.textContent(".new-key code");

  const grace = await newPage();
  await grace.goto(server().baseUrl + new URL(link!.trim()).pathname);
  await grace.fill("[name=name]", "Grace Hopper");
  await grace.fill("[name=password]", "amazing grace");
  await grace.click("text=Create account and join");
  await grace.waitForURL(`${server().baseUrl}/harbor-docs`);
  await grace.click("nav >> text=Settings");
  await grace.waitForURL(`${server().baseUrl}/harbor-docs/automations`);
  expect(await grace.locator("nav >> text=Members").count()).toBe(0);
  await grace.click("nav >> text=Overview");
  await grace.fill("[name=prompt]", "Fix the broken links.");
  await grace.click("text=Create job");
  await grace.click("text=Review and merge");
  await grace.click("button:has-text('Merge pull request')");
  await grace.waitForSelector("text=Merged into main");

  await ada.goto(`${server().baseUrl}/harbor-docs/audit`);
  expect(await ada.textContent("table tbody tr")).toContain("Grace Hopper");
  expect(await ada.textContent("table tbody tr")).toContain("merged pull request #1");
});
