import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { launchBrowser } from "#test/support/browser.ts";
import { startTestServer, type TestServer } from "#test/support/server.ts";

const FILES = {
  "docs.json": JSON.stringify({ name: "Harbor", feedback: { suggestEdit: true } }),
  "index.md": "# Start\n\nThe old words.\n",
  "other.md": "# Other\n\nOne.\n\nTwo.\n\nThree.\n",
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

const editor = (path: string) => `${server.baseUrl}/test-docs/pages/edit?path=${path}`;
const drafts = (page: Page) =>
  page.evaluate<string[]>(
    `Object.keys(localStorage).filter((key) => key.startsWith("docent:edit:")).flatMap((key) => JSON.parse(localStorage[key]).map(({ text }) => text))`,
  );
const source = "textarea[name=text]";
const shown = (page: Page) => page.frameLocator(".seen iframe:not(.next)").locator("article");

it("previews what is typed, keeps it over a reload, and drops it when it is proposed", async () => {
  const page = await openEditor();
  await page.fill(source, "# Start\n\nThe new words, [away](/missing).\n");
  await shown(page).getByText("The new words").waitFor();
  expect(await page.locator(".seen iframe:not(.next)").getAttribute("sandbox")).toBe("allow-same-origin"); // no scripts
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
  await page.goto(editor("index.md"));
  expect(await page.locator(".kept").isVisible()).toBe(false);
  expect(await page.locator(".other-pulls").innerText()).toMatch(/^An open pull request changes this page too: #\d+/);
});

it("keeps a draft whose change did not arrive, and says why there is no preview", async () => {
  const page = await openEditor();
  await page.context().setOffline(true);
  await page.fill(source, "# Start\n\nWords on a train.\n");
  await page.getByText("The preview could not be made: there is no connection to the server.").waitFor();
  expect(await page.locator(".seen").getAttribute("aria-busy")).toBe(null);
  const failed = page.waitForEvent(
    "requestfailed",
    (request) => request.frame() === page.mainFrame() && request.isNavigationRequest(),
  );
  await page.click("button:has-text('Propose changes')", { noWaitAfter: true });
  await failed;

  await page.context().setOffline(false);
  await page.goto(editor("other.md"));
  await page.goto(`${server.baseUrl}/test-docs/pulls`);
  await page.goto(editor("index.md"));
  await page.click("button:has-text('Restore')");
  expect(await page.inputValue(source)).toContain("Words on a train.");
});

it("says that the text is kept when the session has ended", async () => {
  const page = await openEditor();
  await page.context().clearCookies();
  await page.fill(source, "# Start\n\nWords after the session.\n");
  await page.getByText("You are signed out. Your text is kept in this browser").waitFor();
  await expect.poll(() => drafts(page)).toEqual(["# Start\n\nWords after the session.\n"]);
});

it("keeps a draft for each tab, and drops only the one that is proposed", async () => {
  const one = await openEditor();
  const two = await one.context().newPage();
  await two.goto(editor("index.md"));
  await one.fill(source, "# Start\n\nFrom the first tab.\n");
  await expect.poll(() => drafts(two)).toHaveLength(1);
  await two.fill(source, "# Start\n\nFrom the second tab.\n");
  await expect.poll(() => drafts(two)).toHaveLength(2);
  await two.click("button:has-text('Propose changes')");
  await two.waitForURL(/\/test-docs\/pull\/\d+$/);
  expect(await drafts(two)).toEqual(["# Start\n\nFrom the first tab.\n"]);
});

it("undoes what was typed also after a line was selected and a draft was restored", async () => {
  const page = await openEditor();
  await page.focus(source);
  await page.keyboard.press("Control+End");
  await page.keyboard.type("[away](/missing)");
  await page.click(".draft-problems button:has-text('Line 4')");
  await page.keyboard.press("Control+z");
  expect(await page.inputValue(source)).toBe(FILES["index.md"]);
  await page.keyboard.press("Control+Shift+z");
  await expect.poll(() => drafts(page)).toHaveLength(1);

  await page.reload();
  await page.click("button:has-text('Restore')");
  expect(await page.inputValue(source)).toContain("/missing");
  await page.keyboard.press("Control+z");
  expect(await page.inputValue(source)).toBe(FILES["index.md"]);
  await page.keyboard.press("Control+Enter");
  expect(await page.evaluate("document.activeElement.name")).toBe("title");
});

it("combines both changes in one draft", async () => {
  const page = await openEditor();
  await page.goto(editor("other.md"));
  const other = await page.context().newPage();
  await other.goto(editor("other.md"));
  await other.fill(source, "# Other\n\nOne, by another.\n\nTwo.\n\nThree.\n");
  await other.click("button:has-text('Propose changes')");
  await other.click("button:has-text('Merge')");
  await other.getByText("merged").first().waitFor();

  await page.fill(source, "# Other\n\nOne.\n\nTwo.\n\nThree, by me.\n");
  await page.click("button:has-text('Propose changes')");
  await page.getByText("This file changed on main").waitFor();
  // Enter proposes the text as it is, which is refused again, also from a draft that was restored.
  await page.press("input[name=title]", "Enter");
  await page.getByText("This file changed on main").waitFor();
  expect(await page.inputValue(source)).toBe("# Other\n\nOne.\n\nTwo.\n\nThree, by me.\n");
  await page.goto(editor("other.md"));
  await page.click("button:has-text('Restore')");
  await page.click("button:has-text('Propose changes')");
  await page.click("button:has-text('Combine both')");
  await page.getByText("Both changes are in your text.").waitFor();
  expect(await page.locator(".kept").isVisible()).toBe(false);
  expect(await drafts(page)).toEqual(["# Other\n\nOne, by another.\n\nTwo.\n\nThree, by me.\n"]);
});

it("keeps a new page only once something is typed", async () => {
  const page = await openEditor();
  await page.goto(`${server.baseUrl}/test-docs/pages/new?title=Sail&path=sail.md`);
  await shown(page).getByText("Sail").first().waitFor();
  expect(await drafts(page)).toEqual([]);
  await page.type(source, "Set sail.");
  await expect.poll(() => drafts(page)).toEqual(['---\ntitle: "Sail"\n---\n\nSet sail.']);
});

it("warns of a browser that cannot store drafts, and previews all the same", async () => {
  const page = await openEditor();
  await page.evaluate("Storage.prototype.setItem = () => { throw new Error('full'); }");
  await page.fill(source, "# Start\n\nWords in a full browser.\n");
  await page.getByText("This browser cannot store drafts.").waitFor();
  await shown(page).getByText("Words in a full browser.").waitFor();
  expect(await page.locator(".kept").isVisible()).toBe(false);
});

it("opens a link of the preview in a new tab", async () => {
  const page = await openEditor();
  await page.fill(source, "# Start\n\nSee [the other page](other.md).\n");
  const [opened] = await Promise.all([page.waitForEvent("popup"), shown(page).getByText("the other page").click()]);
  await opened.getByRole("heading", { name: "Other" }).waitFor();
  expect(await shown(page).getByText("See the other page").isVisible()).toBe(true);
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
