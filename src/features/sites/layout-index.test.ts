import { describe, expect, it } from "vitest";
import { loadDocs } from "#docs/tree/page-tree.ts";
import type { NavigationNode } from "#docs/tree/navigation.ts";
import { createTestSnapshot } from "#testing/snapshot.ts";
import { createLayoutIndex } from "./layout-index.ts";

async function layoutOf(navigation: unknown, pages: readonly string[]) {
  const files = Object.fromEntries(pages.map((page) => [`${page}.md`, `# ${page}`]));
  return createLayoutIndex(
    await loadDocs(createTestSnapshot({ ...files, "docs.json": JSON.stringify({ navigation }) })),
  );
}

const titles = (nodes: readonly NavigationNode[]) => nodes.map((node) => node.title);

describe("switches", () => {
  const navigation = {
    versions: [
      {
        version: "v2",
        default: true,
        tabs: [
          { tab: "Guides", groups: [{ group: "Start", pages: ["v2/a", "v2/b"] }] },
          { tab: "API", groups: [{ group: "Calls", pages: ["v2/api/x"] }] },
          { tab: "Blog", href: "https://blog.example" },
        ],
      },
      { version: "v1", tabs: [{ tab: "Guides", groups: [{ group: "Start", pages: ["v1/a"] }] }] },
    ],
    global: { anchors: [{ anchor: "Community", href: "/community" }] },
  };
  const pages = ["v2/a", "v2/b", "v2/api/x", "v1/a", "v2/unlisted"];

  it("are set to the place of the page", async () => {
    const view = (await layoutOf(navigation, pages)).view("/v2/api/x");
    expect(
      view.switches.map(({ kind, options }) => [kind, options.map((option) => [option.title, option.isActive])]),
    ).toEqual([
      [
        "version",
        [
          ["v2", true],
          ["v1", false],
        ],
      ],
      [
        "tab",
        [
          ["Guides", false],
          ["API", true],
          ["Blog", false],
        ],
      ],
      ["anchor", [["Community", false]]],
    ]);
    expect(titles(view.items)).toEqual(["Calls"]);
  });

  it("point to the same page of another version, or to its first", async () => {
    const layout = await layoutOf(navigation, pages);
    const versionHref = (route: string) => layout.view(route).switches[0]?.options[1]?.href;
    expect(versionHref("/v2/a")).toBe("/v1/a");
    expect(versionHref("/v2/b")).toBe("/v1/a");
    const [, tabs] = layout.view("/v2/a").switches;
    expect(tabs?.options.map(({ href, isExternal }) => [href, isExternal])).toEqual([
      ["/v2/a", false],
      ["/v2/api/x", false],
      ["https://blog.example", true],
    ]);
  });

  it("treat a page outside the navigation like its nearest relative", async () => {
    const view = (await layoutOf(navigation, pages)).view("/v2/unlisted");
    expect(view.switches[0]?.options.find((option) => option.isActive)?.title).toBe("v2");
    expect([view.groups, view.previous, view.next]).toEqual([[], null, null]);
  });

  it("know the language of a page", async () => {
    const layout = await layoutOf(
      {
        languages: [
          { language: "en", pages: ["a"] },
          { language: "fr", pages: ["fr/a"] },
        ],
      },
      ["a", "fr/a"],
    );
    expect([layout.language("/a"), layout.language("/fr/a")]).toEqual(["en", "fr"]);
    expect(layout.view("/a").switches[0]?.options.map((option) => option.href)).toEqual(["/a", "/fr/a"]);
  });
});

describe("the order of pages", () => {
  it("follows the groups of one tab and ends with it", async () => {
    const layout = await layoutOf(
      {
        tabs: [
          { tab: "One", groups: [{ group: "G", pages: ["a", { group: "H", root: "h", pages: ["b"] }] }] },
          { tab: "Two", pages: ["c"] },
        ],
      },
      ["a", "h", "b", "c"],
    );
    const neighbours = (route: string) => {
      const { previous, next } = layout.view(route);
      return [previous?.route ?? null, next?.route ?? null];
    };
    expect(neighbours("/a")).toEqual([null, "/h"]);
    expect(neighbours("/h")).toEqual(["/a", "/b"]);
    expect(neighbours("/b")).toEqual(["/h", null]);
    expect(neighbours("/c")).toEqual([null, null]);
    expect(layout.view("/b").groups.map((group) => group.title)).toEqual(["G", "H"]);
    expect(layout.homeRoute).toBe("/a");
  });
});

it.each([
  ["docs.json", { "README.md": "# R", "a.md": "# A" }, "/a"],
  ["docs.json", { "index.md": "# I", "a.md": "# A" }, "/"],
  ["none.json", { "README.md": "# R", "a.md": "# A" }, "/"],
  ["none.json", { "b.md": "# B", "a.md": "# A" }, "/a"],
  ["none.json", {}, null],
])("with %s and %j the front page is %s", async (config, pages, expected) => {
  const files = { ...pages, [config]: '{"navigation":{"pages":["a"]}}' };
  expect(createLayoutIndex(await loadDocs(createTestSnapshot(files))).homeRoute).toBe(expected);
});

it("has a key that changes with the navigation and not with the text of pages", async () => {
  const key = async (config: string, page: string) =>
    createLayoutIndex(await loadDocs(createTestSnapshot({ "docs.json": config, "a.md": page }))).key;
  const config = '{"navigation":{"pages":["a"]}}';
  const first = await key(config, "# A\n\none");
  expect(await key(config, "# A\n\ntwo")).toBe(first);
  expect(await key(config, "# B")).not.toBe(first);
  expect(await key('{"name":"N","navigation":{"pages":["a"]}}', "# A\n\none")).not.toBe(first);
});
