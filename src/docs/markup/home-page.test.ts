import type { Root } from "mdast";
import { expect, it } from "vitest";
import { homePage, homePageMarkdown, putHomePageIn } from "./home-page.ts";

const HERO = { name: "Trains", tagline: "Fast" };

it("is a page of VitePress with the layout home, or one of Starlight with a hero", () => {
  expect(homePage({ layout: "home", hero: HERO }, "vitepress")?.heading).toBe("Trains");
  expect(homePage({ hero: { tagline: "Fast" }, title: "Trains" }, "starlight")?.heading).toBe("Trains");
  for (const attributes of [{ hero: HERO }, { layout: "page", hero: HERO }, { layout: "home" }])
    expect(homePage(attributes, "vitepress")).toBeNull();
  expect(homePage({ layout: "home", hero: HERO }, "docusaurus")).toBeNull();
});

it("leaves out what is broken or empty, and keeps the rest", () => {
  const actions = [{ text: "Start", link: "/start" }, { text: "Nowhere" }, { link: "/silent" }, 7];
  const features = [{ icon: "x" }, { title: "Doors" }, "nonsense", { details: "Wide." }];
  const page = homePage({ layout: "home", hero: { ...HERO, actions }, features }, "vitepress")!;
  expect(page.actions).toEqual([
    { text: "Start", href: "/start", isPrimary: true },
    { text: "Nowhere", href: null, isPrimary: true },
  ]);
  expect(page.features).toEqual([
    { title: "Doors", details: null, href: null, action: null, image: null },
    { title: "", details: "Wide.", href: null, action: null, image: null },
  ]);
});

it("has a picture for each theme", () => {
  const image = { light: "/light.svg", dark: "/dark.svg", alt: "A train" };
  expect(homePage({ layout: "home", hero: { ...HERO, image } }, "vitepress")?.images).toEqual([
    { src: "/light.svg#gh-light-mode-only", alt: "A train" },
    { src: "/dark.svg#gh-dark-mode-only", alt: "A train" },
  ]);
});

it("has a heading without tags, and lines that keep them", () => {
  const hero = { name: "A <b>train</b>, a < b", tagline: "<b>Fast</b>" };
  expect(homePage({ layout: "home", hero }, "vitepress")).toMatchObject({
    heading: "A train , a < b",
    lines: ["<b>Fast</b>"],
  });
});

it("stands between the front matter and the body, with its heading once", () => {
  const hero = { title: "Trains", tagline: "Fast" };
  const root: Root = { type: "root", children: [{ type: "yaml", value: "" }, { type: "thematicBreak" }] };
  putHomePageIn(root, homePage({ hero }, "starlight")!);
  expect(root.children.map(({ type }) => type)).toEqual(["yaml", "mdxJsxFlowElement", "thematicBreak"]);
  expect(JSON.stringify(root).match(/"Trains"/g)).toHaveLength(1);
  expect(homePageMarkdown(homePage({ hero }, "starlight")!, "Trains")).toBe("Fast");
});
