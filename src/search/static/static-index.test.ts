import { expect, test } from "vitest";
import type { ProjectId } from "#lib/ids.ts";
import type { SearchScope } from "#search/search-page.ts";
import { createSearch } from "#search/search.ts";
import { createIndexFiles } from "./index-files.ts";
import { createStaticIndex, type StaticPart } from "./static-index.ts";

const PROJECT = "" as ProjectId;
const ALL: SearchScope = { language: null, version: null };

/** The exported index of pages about a lantern, each of its own language and version. */
async function indexOf(pages: Record<string, Partial<StaticPart>>) {
  const index = createIndexFiles();
  for (const [route, part] of Object.entries(pages))
    index.add({
      route,
      title: "Harbour",
      keywords: "",
      isReference: false,
      ...ALL,
      versionRank: 0,
      ...part,
      sections: [{ anchor: null, heading: "", text: `A lantern at ${route}.`, reference: "" }],
    });
  const files = new Map<string, string>();
  for await (const [name, json] of index.files()) files.set(name, json);
  return createStaticIndex((file) => Promise.resolve(JSON.parse(files.get(file)!) as unknown));
}

/** The routes that a search in a part of these pages finds. */
async function searchOf(pages: Record<string, Partial<StaticPart>>) {
  const search = createSearch({ index: await indexOf(pages) });
  return async (part: Partial<SearchScope>) => {
    const { results } = await search(PROJECT, { query: "lantern", scope: { ...ALL, ...part }, limit: 10, edition: "" });
    return results.map(({ route }) => route).toSorted();
  };
}

test("a search in one language finds the pages that belong to none, too", async () => {
  const found = await searchOf({ "/en": { language: "en" }, "/de": { language: "de" }, "/all": {} });
  expect(await found({ language: "de" })).toEqual(["/all", "/de"]);
});

test("a search that names no version leaves out pages of versions other than the default one on request", async () => {
  const { find } = await indexOf({ "/old": { version: "v1", versionRank: 1 }, "/new": { version: "v2" } });
  const terms = [[{ text: "lantern", isPrefix: true }]];
  const found = await find(PROJECT, { terms, match: "all", scope: ALL, isDefaultVersion: true, limit: 5 });
  expect(found.map(({ route }) => route)).toEqual(["/new"]);
});

test("a search in one version of a language finds no page of another version", async () => {
  const found = await searchOf({
    "/one": { language: "en", version: "v1" },
    "/two": { language: "en", version: "v2" },
  });
  expect(await found({ language: "en", version: "v2" })).toEqual(["/two"]);
});
