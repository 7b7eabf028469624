import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { LONG_TESTS } from "#testing/long-tests.ts";
import { useBrowser, useSite } from "#test/support/browser.ts";

const FILES = {
  "docs.json": JSON.stringify({
    name: "Harbor",
    navigation: {
      tabs: [
        {
          tab: "Guides",
          groups: [
            { group: "Start", pages: ["index", "tabs", "long"] },
            { group: "More", pages: ["more"] },
          ],
        },
        { tab: "API", pages: ["api"] },
      ],
    },
  }),
  "index.mdx": "# Welcome\n\n```sh\nharbor login\n```\n\n[Tabs](/tabs)\n",
  "tabs.mdx":
    '# Tabs\n\n<Tabs><Tab title="npm">npm body</Tab><Tab title="pnpm">pnpm body</Tab></Tabs>\n\n<Tabs><Tab title="npm">second npm</Tab><Tab title="pnpm">second pnpm</Tab></Tabs>\n\n<Accordion title="Closed part">inner text</Accordion>\n',
  "long.md": `# Long\n\n${Array.from({ length: 12 }, (_, index) => `## Part ${index + 1}\n\n${"Words to read. ".repeat(120)}`).join("\n\n")}\n`,
  "more.md": "# More\n",
  "api.md": "# API\n",
};

const served = useSite(FILES);
const { open } = useBrowser(() => served().origin);

const background = (page: Page) => page.evaluate("getComputedStyle(document.body).backgroundColor");
const LIGHT = "rgb(255, 255, 255)";
const DARK = "rgb(19, 23, 26)";

it("follows the system's theme until the reader chooses, and then keeps the choice", async () => {
  const page = await open("/", { dark: true });
  expect(await background(page)).toBe(DARK);
  await page.click("[data-theme-switch]");
  expect(await background(page)).toBe(LIGHT);
  await page.click("text=Tabs >> nth=0");
  expect(await background(page)).toBe(LIGHT);
});

it("copies code", async () => {
  const page = await open("/");
  await page.hover(".code-block");
  await page.click("button[data-copy]");
  await page.waitForSelector("button[data-copy]:has-text('Copied')");
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe("harbor login");
});

it("moves tabs of one title together, by keyboard too, and remembers them", async () => {
  const page = await open("/tabs");
  expect(await page.isVisible("text=second npm")).toBe(true);
  await page.focus("input[data-tab='npm'] >> nth=0");
  await page.keyboard.press("ArrowRight");
  expect(await page.isVisible("text=pnpm body")).toBe(true);
  expect(await page.isVisible("text=second pnpm")).toBe(true);
  await page.reload();
  expect(await page.isVisible("text=second pnpm")).toBe(true);
});

it("marks the part that is being read", async () => {
  const page = await open("/long");
  const marked = () => page.textContent("[data-contents] [aria-current]");
  expect(await marked()).toBe("Part 1");
  await page.click("[data-contents] >> text=Part 6");
  await expect.poll(marked).toBe("Part 6");
});

it.each(LONG_TESTS ? [true, false] : [true])("has a menu on small screens, with script %s", async (script) => {
  const page = await open("/", { width: 390, script });
  expect(await page.isVisible("#menu >> text=More")).toBe(false);
  await page.click("[popovertarget=menu] >> nth=0");
  expect(await page.isVisible("#menu >> text=API")).toBe(true);
  await page.click("#menu >> text=Long");
  await page.waitForURL(`${served().origin}/long`);
  expect(await page.isVisible("#menu")).toBe(false);
});

it("confirms each view once, and one for each address that a script moves to", async () => {
  served().site.confirmed.length = 0;
  const page = await open("/");
  const paths = () => served().site.confirmed.map(({ body }) => (body as { path: string }).path);
  await expect.poll(paths).toEqual(["/"]);
  await page.evaluate("history.pushState({}, '', '/tabs'); history.pushState({}, '', '/tabs#closed-part')");
  await expect.poll(paths).toEqual(["/", "/tabs"]);
  await page.goBack();
  await page.goBack();
  await expect.poll(paths).toEqual(["/", "/tabs", "/"]);
  const ids = new Set(served().site.confirmed.map(({ body }) => (body as { id: string }).id));
  expect(ids.size).toBe(3);
});

it("confirms no view of a reader who does not want to be counted, until they do", async () => {
  served().site.confirmed.length = 0;
  const page = await open("/#docent-do-not-count");
  await page.goto(`${served().origin}/tabs`);
  await page.goto(`${served().origin}/long#docent-count`);
  await expect
    .poll(() => served().site.confirmed.map(({ body }) => (body as { path: string }).path))
    .toEqual(["/long"]);
});
