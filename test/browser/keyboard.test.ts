import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { openedOnce } from "#testing/opened-once.ts";
import { operatorAddress } from "#test/support/commands.ts";
import { startTestServer } from "#test/support/server.ts";
import { useBrowser } from "#test/support/browser.ts";

const server = openedOnce(() => startTestServer({ engine: "sqlite", files: { "index.md": "# Welcome\n" } }));
const { browser } = useBrowser();

const MAX_TABS = 120;

/** A person with a keyboard and no mouse. */
function keyboardOf(page: Page) {
  /** Whether the focused element, if it is the wanted one, looks different from when it has no focus; null for another. */
  const isFocusVisible = (selector: string, text: string): Promise<boolean | null> =>
    page.evaluate(`(() => {
      const element = document.activeElement;
      if (!element.matches(${JSON.stringify(selector)}) || !element.textContent.includes(${JSON.stringify(text)})) return null;
      const look = () => ["outlineStyle", "boxShadow", "borderColor"].map((name) => getComputedStyle(element)[name]).join();
      const focused = look();
      element.blur();
      const unfocused = look();
      element.focus();
      return focused !== unfocused;
    })()`);
  /** Presses Tab until the element has the focus, which must be visible. */
  async function tabTo(selector: string, text = ""): Promise<void> {
    for (let tabs = 0; tabs < MAX_TABS; tabs++) {
      const isVisible = await isFocusVisible(selector, text);
      if (isVisible !== null) return expect([selector, text, isVisible]).toEqual([selector, text, true]);
      await page.keyboard.press("Tab");
    }
    throw new Error(`Tab does not reach ${selector} ${text} on ${page.url()}.`);
  }
  return {
    async type(selector: string, text: string): Promise<void> {
      await tabTo(selector);
      await page.keyboard.press("Control+A");
      await page.keyboard.type(text);
    },
    async press(selector: string, text = "", key = "Enter"): Promise<void> {
      await tabTo(selector, text);
      await page.keyboard.press(key);
    },
  };
}

it("leads from a fresh server to a merged pull request by keyboard alone", async () => {
  const page = await browser().newPage();
  const { type, press } = keyboardOf(page);
  await page.goto(await operatorAddress(server().instance.data, server().baseUrl));
  await type("[name=name]", "Ada Lovelace");
  await type("[name=email]", "ada@example.com");
  await type("[name=password]", "correct horse battery");
  await press("button", "Create account");
  await page.waitForSelector("text=New project");
  await press("a", "New project");
  await page.waitForURL("**/-/new");
  await press("a[href$='from=example']");
  await page.waitForURL("**from=example**");
  await type("form[action='/-/new/example'] [name=name]", "Harbor docs");
  await press("form[action='/-/new/example'] button", "", "Space");
  await page.waitForURL(`${server().baseUrl}/harbor-docs`);

  await type("[name=prompt]", "Fix the broken links.");
  await press("button", "Create job");
  await page.waitForSelector("text=Review and merge");
  await press("a", "Review and merge");
  await page.waitForSelector("button:has-text('Merge pull request')");
  await press("button", "Merge pull request");
  await page.waitForSelector("text=Merged into main");
  expect(page.url()).toBe(`${server().baseUrl}/harbor-docs/pull/1`);
});

it("the command menu opens, leads to a page, and closes by keyboard", async () => {
  const page = await browser().newPage();
  const { type, press } = keyboardOf(page);
  await page.goto(`${server().baseUrl}/sign-in`);
  await type("[name=email]", "ada@example.com");
  await type("[name=password]", "correct horse battery");
  await press("button", "Sign in");
  await page.waitForURL(`${server().baseUrl}/`);
  await page.keyboard.press("Control+K");
  await page.waitForSelector("dialog[open] input");
  await page.keyboard.type("harbor");
  await page.waitForSelector("dialog[open] a:has-text('Harbor docs')");
  await page.keyboard.press("Enter");
  await page.waitForURL(`${server().baseUrl}/harbor-docs`);
  await page.keyboard.press("Control+K");
  await page.waitForSelector("dialog[open]");
  await page.keyboard.press("Escape");
  await page.waitForSelector("dialog[open]", { state: "detached" });
  expect(page.url()).toBe(`${server().baseUrl}/harbor-docs`);
});

it("the skip link is first, and moves past the navigation", async () => {
  const page = await browser().newPage();
  await page.goto(`${server().baseUrl}/sign-in`);
  const { type, press } = keyboardOf(page);
  await type("[name=email]", "ada@example.com");
  await type("[name=password]", "correct horse battery");
  await press("button", "Sign in");
  await page.waitForURL(`${server().baseUrl}/`);
  await page.goto(`${server().baseUrl}/harbor-docs/jobs`);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  expect(await page.evaluate('document.activeElement.closest("main") !== null')).toBe(true);
});
