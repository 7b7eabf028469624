import { expect, test } from "vitest";
import { createAddApiPages } from "#docs/api/pages/add-api-pages.ts";
import { sharedContent } from "#testing/shared-content.ts";
import { createInProcessParser } from "#docs/in-process-parser.ts";
import { createLinkCache } from "#docs/links/parsed-file.ts";
import { judge as judgeFiles } from "#testing/judged-change.ts";
import { createTestSnapshot } from "#testing/snapshot.ts";
import { checkChange } from "./gate.ts";

const TARGET = "# Config\n\n## Replicas\n";

/** The gate's findings when `guide.md` changes from one text to another. */
async function judge(before: string, after: string): Promise<string[]> {
  const deps = { parser: createInProcessParser(), findSecrets: () => [], linkCache: createLinkCache() };
  const snapshot = (guide: string) => createTestSnapshot({ "guide.md": guide, "reference/config.md": TARGET });
  const bytes = (text: string) => new TextEncoder().encode(text);
  const { errors } = await checkChange(deps, {
    base: snapshot(before),
    head: snapshot(after),
    contentRoot: null,
    changes: [{ path: "guide.md", before: bytes(before), after: bytes(after) }],
    changedLines: 1,
    prompts: [],
    shownOfSources: [],
  });
  return errors.map(({ message }) => message);
}

test("a link to a page generated from an API description is not broken", async () => {
  await using content = sharedContent();
  const openapi = { openapi: "3.1.0", info: {}, paths: { "/pets": { get: { summary: "List pets", tags: ["Pets"] } } } };
  const snapshot = (guide: string) =>
    createTestSnapshot({
      "docs.json": JSON.stringify({
        navigation: {
          groups: [
            { group: "A", pages: ["guide"] },
            { group: "API", openapi: "api.json" },
          ],
        },
      }),
      "api.json": JSON.stringify(openapi),
      "guide.md": guide,
    });
  const deps = { parser: createInProcessParser(), findSecrets: () => [], linkCache: createLinkCache() };
  const addApiPages = createAddApiPages(content.apiDocuments, "project");
  const after = "[a](/api-reference/pets/list-pets#response) [b](/api-reference/pets/add-a-pet)\n";
  const bytes = (text: string) => new TextEncoder().encode(text);
  const { errors } = await checkChange(
    { ...deps, addApiPages },
    {
      base: snapshot("Text.\n"),
      head: snapshot(after),
      contentRoot: null,
      changes: [{ path: "guide.md", before: bytes("Text.\n"), after: bytes(after) }],
      changedLines: 1,
      prompts: [],
      shownOfSources: [],
    },
  );
  expect(errors.map(({ message }) => message)).toEqual([
    "The link to /api-reference/pets/add-a-pet is broken now: no such page.",
  ]);
});

const NO_HEADING = "The link to /reference/config#gone is broken now: no such heading on that page.";

test("a link whose page now exists but whose heading is still missing is not an error", async () => {
  expect(await judge("[a](/old/config#gone)\n", "[a](/reference/config#gone)\n")).toEqual([]);
});

test.each([
  ["that is new", "Text.\n", "[a](/reference/config#gone)\n"],
  ["that worked", "[a](/reference/config#replicas)\n", "[a](/reference/config#gone)\n"],
  ["added next to an existing one", "[a](/old/config#gone)\n", "[a](/old/config#gone) [b](/reference/config#gone)\n"],
  ["added as a second one", "[a](/old/config#gone)\n", "[a](/reference/config#gone) [b](/reference/config#gone)\n"],
  ["with another heading", "[a](/old/config#other)\n", "[a](/reference/config#gone)\n"],
])("a link %s to a missing heading is an error", async (_name, before, after) => {
  expect(await judge(before, after)).toEqual([NO_HEADING]);
});

test("broken links may move with their page, but no new ones may be added", async () => {
  const page = "# A\n\n[gone](/nowhere)\n";
  const before = { "index.md": "# Start\n", "a.md": page };
  const linksOf = async (moved: string) => {
    const { errors } = await judgeFiles(before, { "index.md": "# Start\n", "b.md": moved });
    return errors.filter(({ check }) => check === "links").map(({ message }) => message);
  };
  expect(await linksOf(page)).toEqual([]);
  expect(await linksOf(`${page}\n[again](/nowhere)\n`)).toHaveLength(1);
  const asItWas = { "guides/a.md": "# A\n\n[gone](nope)\n" };
  expect((await judgeFiles(asItWas, { "start/b.md": asItWas["guides/a.md"] })).errors).toEqual([]);
});

test("broken links of a moved page are compared by their resolved targets", async () => {
  const before = {
    "index.md": "# Start\n\n[x](/guides/a#nope)\n",
    "guides/a.md": "# A\n\n![i](a.png) [x](nope) [me](/guides/a#none)\n",
  };
  const errorsOf = async (index: string, moved: string) => {
    const { errors } = await judgeFiles(before, { "index.md": index, "start/a.md": moved });
    return errors.filter(({ check }) => check === "links").map(({ message }) => message);
  };
  const index = "# Start\n\n[x](/start/a#nope)\n";
  const moved = "# A\n\n![i](../guides/a.png) [x](../guides/nope) [me](/start/a#none)\n";
  expect(await errorsOf(index, moved)).toEqual([]);
  expect(await errorsOf(`${index}\n[y](/start/a#nope)\n`, moved)).toEqual([
    "The link to /start/a#nope is broken now: no such heading on that page.",
  ]);
  expect(await errorsOf(index, `${moved}\n![again](../guides/a.png)\n`)).toHaveLength(1);
  expect(await errorsOf(index, moved.replace("../guides/a.png", "../guides/b.png"))).toHaveLength(1);
  expect(await errorsOf(index, moved.replace("#none", "#nothing"))).toHaveLength(1);
});

test("a broken link of a deleted page does not excuse one on an unrelated page", async () => {
  const gone = { "index.md": "# Start\n", "old.md": "# Old\n\nWords of old. [z](nothing.md)\n" };
  const errorsOf = async (after: Record<string, string>) =>
    (await judgeFiles(gone, { "index.md": "# Start\n", ...after })).errors.map(({ message }) => message);
  const broken = (url: string) => [`The link to ${url} is broken now: no such page.`];
  expect(await errorsOf({ "new.md": "# New\n\n[other](/nothing)\n" })).toEqual(broken("/nothing"));
  expect(await errorsOf({ "new.md": "# New\n\n[other](nothing.md)\n" })).toEqual(broken("nothing.md"));
  expect(await errorsOf({ "index.md": "# Start\n\n[other](nothing.md)\n" })).toEqual(broken("nothing.md"));
  expect(await errorsOf({ "x/new.md": "# Old\n\nWords of old. [z](../nothing.md)\n" })).toEqual([]);
  expect(await errorsOf({ "index.md": "# Start\n\n## Old\n\nWords of old. [z](nothing.md)\n" })).toEqual([]);
  const half = { "a.md": "# A\n\nWords of old. [z](nothing.md)\n", "b.md": "# B\n\nMore. [z](nothing.md)\n" };
  expect(await errorsOf(half)).toEqual(broken("nothing.md"));
});

test("a link with a missing heading is an error again when its page is deleted", async () => {
  const before = { "index.md": "# Start\n\n[a](/a#gone)\n", "a.md": "# A\n" };
  const { errors } = await judgeFiles(before, { "index.md": before["index.md"], "g/b.md": "# A\n" });
  expect(errors.map(({ message }) => message)).toEqual(["The link to /a#gone is broken now: no such page."]);
  const led = await judgeFiles(before, { "index.md": "# Start\n\n[a](/g/b#gone)\n", "g/b.md": "# A\n" });
  expect(led.errors).toEqual([]);
});

const OTHERS = {
  "other.md": "# Other\n\n[to it](/guide#two) and [gone](/nowhere)\n",
  "aside.md": "# Aside\n\n[there](/other)\n",
};

test.each([
  ["a heading that another page links to", "# One\n\n## Two\n", "# One\n\n## Three\n", ["other.md"]],
  ["only text", "# One\n\n## Two\n", "# One\n\nWords.\n\n## Two\n", []],
  ["a link to a missing page", "# One\n\n## Two\n", "# One\n\n## Two\n\n[x](/away)\n", ["guide.md"]],
  ["a link to a missing heading", "# One\n\n## Two\n", "# One\n\n## Two\n\n[x](/aside#b)\n", ["guide.md"]],
  ["a link to an existing heading", "# One\n\n## Two\n", "# One\n\n## Two\n\n[x](/aside#aside)\n", []],
])("a page that changes %s", async (_what, before, after, broken) => {
  const { errors } = await judgeFiles({ ...OTHERS, "guide.md": before }, { ...OTHERS, "guide.md": after });
  expect(errors.map(({ path }) => path)).toEqual(broken);
});

test("a change that keeps all addresses and headings does not parse the other pages", async () => {
  const parser = createInProcessParser();
  const parsed: string[] = [];
  const files = (guide: string) => createTestSnapshot({ ...OTHERS, "guide.md": guide });
  const bytes = (text: string) => new TextEncoder().encode(text);
  const [before, after] = ["# One\n\n[x](/other#other)\n", "# One\n\nNew. [x](/other#other)\n"];
  await checkChange(
    {
      parser: { parse: (source, format) => (parsed.push(source), parser.parse(source, format)) },
      findSecrets: () => [],
      linkCache: createLinkCache(),
    },
    {
      base: files(before),
      head: files(after),
      contentRoot: null,
      changes: [{ path: "guide.md", before: bytes(before), after: bytes(after) }],
      changedLines: 1,
      prompts: [],
      shownOfSources: [],
    },
  );
  expect(parsed).toContain(OTHERS["other.md"]);
  expect(parsed).not.toContain(OTHERS["aside.md"]);
});
