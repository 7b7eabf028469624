import type { ProjectId } from "#lib/ids.ts";
import { resultJson } from "#search/result-json.ts";
import { createSearch } from "#search/search.ts";
import { createStaticIndex } from "./static-index.ts";

// Runs in browsers, for sites without a server: the same search, on files next to this one.
const LIMIT = 20;
const ALL = { language: null, version: null, versionRank: 0 };

const index = createStaticIndex(async (file) => {
  const answer = await fetch(new URL(file, import.meta.url));
  if (!answer.ok) throw new Error(`${file} is not there`);
  return await answer.json();
});
const search = createSearch({ index });

/** The response that the server would send to the dialog; `page` is the reader's current page. */
export async function findInFiles(query: string, page: string) {
  const { pages, scopes } = await index.manifest();
  const path = page.replace(/(.)\/$/, "$1");
  const partOf = (route: string) => scopes[pages[route] ?? -1] ?? ALL;
  const versionOf = (route: string) => {
    const { version, versionRank } = partOf(route);
    return version === null ? null : { name: version, rank: versionRank };
  };
  const scope = partOf(path);
  const hasOthers = scope.version === null && scopes.some(({ versionRank }) => versionRank > 0);
  const request = { query, scope, limit: LIMIT, edition: "", versionOf: hasOthers ? versionOf : undefined };
  const { results, suggestions } = await search("" as ProjectId, request);
  return { results: results.map(resultJson), suggestions, indexing: false };
}
