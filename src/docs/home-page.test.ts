import type { Root } from "mdast";
import { expect, it } from "vitest";
import { homePage, putHomePageIn } from "./home-page.ts";

const HERO = { name: "Trains", tagline: "Fast" };

it("is a page of VitePress with the layout home, or one of Starlight with a hero", () => {
  expect(homePage({ layout: "home", hero: HERO }, "vitepress")?.title).toBe("Trains");
  expect(homePage({ hero: { tagline: "Fast" }, title: "Trains" }, "starlight")?.heading).toBe("Trains");
  for (const attributes of [{ hero: HERO }, { layout: "page", hero: HERO }, { layout: "home" }])
    expect(homePage(attributes, "vitepress")).toBeNull();
  expect(homePage({ layout: "home", hero: HERO }, "docusaurus")).toBeNull();
});

it("leaves out what is broken or empty, and keeps the rest", () => {
  const actions = [{ text: "Start", link: "/start" }, { text: "Nowhere" }, { link: "/silent" }, 7];
  const features = [{ icon: "x" }, { title: "Doors" }, "nonsense", { details: "Wide." }];
  const page = homePage({ layout: "home", hero: { ...HERO, actions }, features }, "vitepress")!;
  expect(page.actions).toEqual([{ text: "Start", href: "/start", isPrimary: true }]);
  expect(page.features).toEqual([
    { title: "Doors", details: null, href: null },
    { title: "", details: "Wide.", href: null },
  ]);
});

it("has a picture for each theme", () => {
  const image = { light: "/light.svg", dark: "/dark.svg", alt: "A train" };
  expect(homePage({ layout: "home", hero: { ...HERO, image } }, "vitepress")?.images).toEqual([
    { src: "/light.svg#gh-light-mode-only", alt: "A train" },
    { src: "/dark.svg#gh-dark-mode-only", alt: "A train" },
  ]);
});

it("stands between the front matter and the body, with its heading once", () => {
  const hero = { title: "Trains", tagline: "Fast" };
  const root: Root = { type: "root", children: [{ type: "yaml", value: "" }, { type: "thematicBreak" }] };
  putHomePageIn(root, homePage({ hero }, "starlight")!);
  expect(root.children.map(({ type }) => type)).toEqual(["yaml", "mdxJsxFlowElement", "thematicBreak"]);
  expect(JSON.stringify(root).match(/"Trains"/g)).toHaveLength(1);
});
