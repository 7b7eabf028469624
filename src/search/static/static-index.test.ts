import { expect, test } from "vitest";
import type { ProjectId } from "#lib/ids.ts";
import type { SearchScope } from "#search/search-page.ts";
import { createSearch } from "#search/search.ts";
import { createIndexFiles } from "./index-files.ts";
import { createStaticIndex } from "./static-index.ts";

/** The routes that a search finds in an exported index of these pages, each of its own language and version. */
async function searchOf(pages: Record<string, Partial<SearchScope>>) {
  const index = createIndexFiles();
  for (const [route, part] of Object.entries(pages))
    index.add({
      route,
      title: "Harbour",
      keywords: "",
      isReference: false,
      language: null,
      version: null,
      versionRank: 0,
      ...part,
      sections: [{ anchor: null, heading: "", text: `A lantern at ${route}.`, reference: "" }],
    });
  const files = new Map<string, string>();
  for await (const [name, json] of index.files()) files.set(name, json);
  const read = (file: string) => Promise.resolve(JSON.parse(files.get(file)!) as unknown);
  const search = createSearch({ index: createStaticIndex(read) });
  return async (part: Partial<SearchScope>) => {
    const scope = { language: null, version: null, ...part };
    const { results } = await search("" as ProjectId, { query: "lantern", scope, limit: 10, edition: "" });
    return results.map(({ route }) => route).toSorted();
  };
}

test("a search in one language finds the pages that belong to none, too", async () => {
  const found = await searchOf({ "/en": { language: "en" }, "/de": { language: "de" }, "/all": {} });
  expect(await found({ language: "de" })).toEqual(["/all", "/de"]);
});

test("a search that names no version leaves out the pages of others than the default one where that is asked for", async () => {
  const files = new Map<string, unknown>();
  const index = createIndexFiles();
  const page = { title: "Harbour", keywords: "", isReference: false, language: null };
  const sections = [{ anchor: null, heading: "", text: "A lantern.", reference: "" }];
  index.add({ ...page, route: "/old", version: "v1", versionRank: 1, sections });
  index.add({ ...page, route: "/new", version: "v2", versionRank: 0, sections });
  for await (const [name, json] of index.files()) files.set(name, JSON.parse(json));
  const { find } = createStaticIndex((file) => Promise.resolve(files.get(file)));
  const terms = [[{ text: "lantern", isPrefix: true }]];
  const query = {
    terms,
    match: "all",
    scope: { language: null, version: null },
    isDefaultVersion: true,
    limit: 5,
  } as const;
  expect((await find("" as ProjectId, query)).map(({ route }) => route)).toEqual(["/new"]);
});

test("a search in one version of a language finds no page of another version", async () => {
  const found = await searchOf({
    "/one": { language: "en", version: "v1" },
    "/two": { language: "en", version: "v2" },
  });
  expect(await found({ language: "en", version: "v2" })).toEqual(["/two"]);
});
