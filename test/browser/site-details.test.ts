import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { createTestSite } from "#testing/site.ts";
import { serveSite, useBrowser, useSite } from "#test/support/browser.ts";

const FILES = {
  "docs.json": JSON.stringify({
    name: "Harbor",
    navigation: {
      tabs: [
        {
          tab: "Guides",
          groups: [
            { group: "Start", pages: ["index", "tabs", "long"] },
            { group: "More", pages: ["more", "pictures"] },
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
  "wide.md":
    '# Wide\n\n<div>\n<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 300" width="900" height="300"><rect width="900" height="300"/></svg>\n</div>\n',
  "pictures.md":
    '# Pictures\n\n![flow](/flow.svg)\n\n<picture><source media="(prefers-color-scheme: dark)" srcset="/dark.svg"><img src="/light.svg" alt="logo" width="20"></picture>\n\n![only dark](/dark.svg#gh-dark-mode-only)\n',
  "drawings.mdx":
    '# Drawings\n\n<Frame><img src="/flow.svg" alt="framed" /></Frame>\n\n<div style={{display: "flex"}}><img src="/flow.svg" alt="in a row" /></div>\n\n<picture><source media="print" srcset="/dark.svg" /><img src="/flow.svg" alt="chosen" /></picture>\n\n<Tabs><Tab title="One">![in a tab](/flow.svg)</Tab></Tabs>\n\n| A |\n| --- |\n| ![in a cell](/flow.svg) |\n\n![of all](/percent.svg)\n\n![with a doctype](/doctype.svg)\n\n- ![in a list](/flow.svg)\n',
  "percent.svg":
    '<svg xmlns="http://www.w3.org/2000/svg" width="100%" height="100%" viewBox="0 0 600 140"><rect width="600" height="140"/></svg>',
  "doctype.svg":
    '<?xml version="1.0"?>\n<!DOCTYPE svg>\n<!-- drawn -->\n<svg xmlns="http://www.w3.org/2000/svg" style="max-width: 600px" viewBox="0,0,600,140"><rect width="600" height="140"/></svg>',
  "flow.svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 140"><rect width="600" height="140"/></svg>',
  ...Object.fromEntries(
    ["dark", "light"].map((name) => [
      `${name}.svg`,
      `<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><title>${name}</title></svg>`,
    ]),
  ),
  "api.md": "# API\n",
};

const served = useSite(FILES);
const { open, complaints } = useBrowser(() => served().origin);

const background = (page: Page) => page.evaluate("getComputedStyle(document.body).backgroundColor");
const LIGHT = "rgb(255, 255, 255)";
const DARK = "rgb(19, 23, 26)";

it("follows the system again once the reader is back at its theme", async () => {
  const page = await open("/", { dark: true });
  await page.click("[data-theme-switch]");
  await page.click("[data-theme-switch]");
  expect(await background(page)).toBe(DARK);
  await page.emulateMedia({ colorScheme: "light" });
  expect(await background(page)).toBe(LIGHT);
  await page.reload();
  expect(await background(page)).toBe(LIGHT);
});

it.each([1280, 375])("draws a picture that has a shape and no size, on %i pixels", async (width) => {
  const page = await open("/pictures", { width });
  const box = await page.locator('img[alt="flow"]').boundingBox();
  const text = await page.locator(".content").boundingBox();
  expect(box?.width).toBeCloseTo(text?.width ?? 0, 0);
  expect(box?.height).toBeCloseTo(((text?.width ?? 0) * 140) / 600, 0);
});

it("draws a picture with a shape and no size wherever it stands", async () => {
  const page = await open("/drawings", { width: 375 });
  for (const place of [
    "framed",
    "in a row",
    "chosen",
    "in a tab",
    "in a cell",
    "of all",
    "with a doctype",
    "in a list",
  ]) {
    const box = await page.locator(`img[alt="${place}"]`).boundingBox();
    expect([place, (box?.width ?? 0) > 100]).toEqual([place, true]);
    expect(box?.height).toBeCloseTo(((box?.width ?? 0) * 140) / 600, 0);
  }
});

it("shows the pictures of the theme that the reader chose", async () => {
  const page = await open("/pictures", { dark: true });
  const shown = () => page.locator('img[alt="logo"]').evaluate((image) => (image as { currentSrc: string }).currentSrc);
  const isOnlyDarkSeen = () => page.isVisible('img[alt="only dark"]');
  await expect.poll(shown).toContain("/dark.svg");
  expect(await isOnlyDarkSeen()).toBe(true);
  await page.click("[data-theme-switch]");
  await expect.poll(shown).toContain("/light.svg");
  expect(await isOnlyDarkSeen()).toBe(false);
  await page.reload();
  await expect.poll(shown).toContain("/light.svg");
});

it("opens a closed section that the address leads to", async () => {
  const page = await open("/tabs#closed-part");
  expect(await page.isVisible("text=inner text")).toBe(true);
});

it("finds a heading by the anchor that another host made of it", async () => {
  const page = await open("/long#Part.6");
  await expect.poll(() => page.url()).toBe(`${served().origin}/long#part-6`);
  await expect.poll(() => page.textContent("[data-contents] [aria-current]")).toBe("Part 6");
});

it.each([true, false])("shows the contents of a page on small screens, with script %s", async (script) => {
  const page = await open("/long", { width: 390, script });
  expect(await page.isVisible("#site-contents")).toBe(false);
  await page.click("[popovertarget=site-contents]");
  await page.click("#site-contents >> text=Part 6");
  await page.waitForURL(`${served().origin}/long#part-6`);
  // Without the script it stays until the reader taps beside it.
  if (!script) await page.mouse.click(195, 40);
  await expect.poll(() => page.isVisible("#site-contents")).toBe(false);
});

it("shows the contents beside a page on large screens, without a button", async () => {
  const page = await open("/long");
  expect(await page.isVisible("#site-contents >> text=Part 6")).toBe(true);
  expect(await page.isVisible("[popovertarget=site-contents]")).toBe(false);
});

it("does not scroll sideways on small screens", async () => {
  for (const path of ["/", "/tabs", "/long", "/wide"]) {
    const page = await open(path, { width: 360 });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
  }
});

it("keeps the names of a version and a product within a small header", async () => {
  const page = await open("/", { width: 360 });
  const menu = "<details class='site-switch'><summary><span>v4.0.0 (first beta)</span></summary></details>";
  await page.evaluate(
    `document.querySelector(".site-brand").insertAdjacentHTML("afterend", ${JSON.stringify(menu + menu)})`,
  );
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
});

it("lets the keyboard skip to the content", async () => {
  const page = await open("/");
  await page.keyboard.press("Tab");
  expect(await page.evaluate("document.activeElement.textContent")).toBe("Skip to the content");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("content");
});

it("keeps search and theme in reach beside many links in the header", async () => {
  const links = Array.from(
    { length: 14 },
    (_, at) => `{ text: "Another place ${at}", link: "https://place${at}.example" }`,
  );
  const menu = `{ text: "More", items: [{ text: "First of a menu", link: "https://a.example" }, { text: "Second of a menu", link: "https://b.example" }] }`;
  await using many = await createTestSite({
    ".vitepress/config.js": `export default { title: "Harbor", themeConfig: { nav: [${[menu, ...links].join(", ")}] } };`,
    "index.md": "# Welcome",
  });
  await using server = await serveSite(many);
  const page = await open(server.origin);
  expect(await page.isVisible("text=First of a menu")).toBe(true);
  expect(await page.locator("text=Second of a menu").count()).toBe(0);
  const search = `<a class="site-search-button" href="#search"><span class="site-search-label">Search</span></a>`;
  await page.evaluate(
    `document.querySelector(".site-bar-links").insertAdjacentHTML("beforebegin", ${JSON.stringify(search)})`,
  );
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(1280);
  await page.click(".site-search-button");
  await page.click("[data-theme-switch]");
});

it("does not confirm what was not found", async () => {
  served().site.confirmed.length = 0;
  const page = await open("/gone");
  await page.waitForLoadState("networkidle");
  expect(complaints.splice(0)).toEqual([expect.stringContaining("404")]);
  expect(served().site.confirmed).toEqual([]);
});
