import type { ProjectId } from "#lib/ids.ts";
import { resultJson } from "#search/result-json.ts";
import { createSearch } from "#search/search.ts";
import { createStaticIndex } from "./static-index.ts";

// Runs in browsers, of sites without a server: the same search, on files beside this one.
const LIMIT = 20;
const ALL = { language: null, version: null };

const index = createStaticIndex(async (file) => {
  const answer = await fetch(new URL(file, import.meta.url));
  if (!answer.ok) throw new Error(`${file} is not there`);
  return await answer.json();
});
const search = createSearch({ index });

/** What the server would answer to the dialog; `page` is the one that the reader is at. */
export async function findInFiles(query: string, page: string) {
  const { pages, scopes } = await index.manifest();
  const path = page.replace(/(.)\/$/, "$1");
  const scope = scopes[pages[path] ?? -1] ?? ALL;
  const { results, suggestions } = await search("" as ProjectId, { query, scope, limit: LIMIT, edition: "" });
  return { results: results.map(resultJson), suggestions, indexing: false };
}
