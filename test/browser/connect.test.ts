import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { startGithubServer } from "#testing/hosts/github-server.ts";
import { HOST_TOKEN } from "#testing/hosts/host-server.ts";
import { openedOnce } from "#testing/opened-once.ts";
import { createTestDirectory } from "#testing/repositories.ts";
import { operatorAddress } from "#test/support/commands.ts";
import { startTestServer } from "#test/support/server.ts";
import { useBrowser } from "#test/support/browser.ts";

const environment = { DOCENT_CODE_HOST_ALLOW: "127.0.0.1/32" };
const server = openedOnce(() =>
  startTestServer({ engine: "sqlite", files: { "index.md": "# Welcome\n" }, environment }),
);
const { browser } = useBrowser();

async function openAsOperator(width: number): Promise<Page> {
  const page = await (await browser().newContext({ viewport: { width, height: 760 } })).newPage();
  await page.goto(await operatorAddress(server().instance.data, server().baseUrl));
  await page.waitForURL(`${server().baseUrl}/-/setup`);
  await page.goto(`${server().baseUrl}/-/new`);
  return page;
}

async function expectToFit(page: Page): Promise<void> {
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(page.viewportSize()!.width);
}

it("uploads a folder, without what git and npm keep in it", async () => {
  await using directory = await createTestDirectory();
  const folder = directory.path;
  for (const [file, text] of Object.entries({
    "index.md": "# Up\n",
    "guides/a.md": "# A\n",
    ".git/config": "x",
    "node_modules/a/b.js": "x",
  })) {
    // oxfmt-ignore
    await mkdir(path.join(folder, path.dirname(file)), { recursive: true });
    await writeFile(path.join(folder, file), text);
  }
  const page = await openAsOperator(1100);
  await page.click("text=Your computer");
  await page.setInputFiles("input[name=folder]", folder);
  expect(await page.evaluate("document.querySelector('input[name=folder]').files.length")).toBe(2);
  await page.fill("input[name=name]", "Uploaded");
  await page.click("button:has-text('Upload')");
  await page.waitForSelector("#new-key");
  await page.goto(new URL("/guides/a", (await page.getAttribute(".new-key a", "href"))!).href);
  expect(await page.textContent("h1")).toBe("A");
});

it.each([1100, 390])("connects repositories by a token and by a GitHub App, %i pixels wide", async (width) => {
  await using host = await startGithubServer({ "index.md": "# Harbor\n\nText.\n" });
  const page = await openAsOperator(width);
  await expectToFit(page);
  await page.fill("input[name=name]", `Acme ${width}`);
  await page.fill("input[name=url]", host.url);
  if (!(await page.isVisible("input[name=token]"))) await page.click("text=Use a token in place");
  await page.fill("input[name=token]", HOST_TOKEN);
  await page.click("button:has-text('Connect')");
  await page.waitForSelector("#new-key");
  await page.click("text=Set up the webhook");
  await page.waitForURL(`${server().baseUrl}/acme-${width}/connection`);
  await expectToFit(page);
  await page.click("text=Sync now");
  await page.waitForSelector("text=The host is looked at now.");
  await page.click("text=Show the secret");
  await page.waitForSelector("#webhook-secret");

  await page.goto(`${server().baseUrl}/admin/github-app?origin=${encodeURIComponent(host.origin)}`);
  await expectToFit(page);
  await page.click("text=Create the app on GitHub");
  await page.click("text=Install it on GitHub");
  await page.goto(`${server().baseUrl}/-/new`);
  await page.click(".offers a.button");
  await page.fill("input[name=name]", `By app ${width}`);
  await page.click("text=Branch and host");
  await page.selectOption("select[name=kind]", "github");
  await page.click("button:has-text('Connect')");
  await page.waitForSelector("#new-key");
  await page.click("text=Open the project");
  await page.waitForURL(`${server().baseUrl}/by-app-${width}`);
  expect(await page.textContent("main")).toContain(host.url);
});
