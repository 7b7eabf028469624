// `npm run bench bench/search/main.ts -- [--sites FOLDER] [--list]`: how often the intended page of a query is the first result,
// or among the first three, compared with MiniSearch over the same sections. `FOLDER` has checkouts of the other sites in
// `queries.ts`, by their names there; missing ones are skipped.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import MiniSearch from "minisearch";
import { composeDirectorySite } from "#app/directory-site.ts";
import { silentLogger } from "#lib/logger.ts";
import { createSearch } from "#search/search.ts";
import { createSqliteSearch } from "#search/sqlite-search.ts";
import { searchPage } from "#features/sites/search/page-sections.ts";
import { readSearch } from "#features/sites/search/search-request.ts";
import { createSiteIndexer, searchablePages } from "#features/sites/search/site-indexer.ts";
import { createSiteSearch } from "#features/sites/search/site-search.ts";
import { type Query, type SearchedSite, SITES } from "./queries.ts";

const { values } = parseArgs({ options: { sites: { type: "string" }, list: { type: "boolean", default: false } } });
const LIMIT = 20;

/** Finds routes, the best one first. */
type Finder = (query: string) => Promise<string[]>;

for (const [name, site] of Object.entries(SITES)) {
  const directory = site.repository === null ? process.cwd() : path.join(values.sites ?? "", name);
  if (site.repository !== null && (values.sites === undefined || !existsSync(directory))) continue;
  await measure(name, site, directory);
}

async function measure(name: string, searched: SearchedSite, directory: string) {
  const { contentRoot, from, version: named, queries, heldOut } = searched;
  const folder = mkdtempSync(path.join(tmpdir(), "docent-relevance-"));
  try {
    await using site = composeDirectorySite({ logger: silentLogger }, { directory, contentRoot, isServed: true });
    await using index = createSqliteSearch({ directory: folder });
    await using indexer = createSiteIndexer({ index, contents: site.contents, logger: silentLogger });
    const version = await site.load();
    const project = { id: site.project, slug: "site", name, branch: "main" };
    const search = createSiteSearch({
      search: createSearch({ index }),
      indexer,
      admits: () => true,
      count: () => undefined,
      pageHeaders: {},
    });
    indexer.follow(project, version);
    while (!indexer.state(site.project).isComplete) await indexer.settled(site.project, 60_000);

    const headers = { get: () => null };
    const docent =
      (given: Record<string, string>): Finder =>
      async (query) => {
        const url = new URL(
          `http://localhost/?${new URLSearchParams({ q: query, limit: `${LIMIT}`, ...given }).toString()}`,
        );
        const request = { method: "GET", url: url.href, location: url, headers, textUpTo: async () => null };
        const asked = readSearch(url.searchParams, version.docs);
        const { results } = await search.ask({ request, url, project, version, peerAddress: "192.0.2.1" }, asked);
        return results.map(({ route }) => route);
      };
    const pages = searchablePages(version);
    const sections = [];
    for (const page of pages) {
      const { sections: own, ...about } = searchPage(
        version,
        page,
        await site.contents.render(site.project, version, page),
      );
      for (const { heading, text, reference } of own)
        sections.push({ ...about, id: sections.length, heading, text: `${text}\n${reference}` });
    }
    const mini = new MiniSearch<(typeof sections)[number]>({
      fields: ["title", "heading", "text"],
      storeFields: ["route", "version"],
      searchOptions: { boost: { title: 4, heading: 3 }, prefix: true, fuzzy: 0.2 },
    });
    await mini.addAllAsync(sections);
    const miniSearch =
      (wanted?: string): Finder =>
      async (query) => {
        const filter = (found: { [field: string]: unknown }) =>
          wanted === undefined || found["version"] === null || found["version"] === wanted;
        const all = mini.search(query, { combineWith: "AND", filter });
        const some = mini.search(query, { combineWith: "OR", filter });
        return [...all, ...some].map((each) => each["route"] as string);
      };

    const finders: Record<string, Finder> = {
      "Docent, as a program asks": docent({}),
      ...(from !== undefined && { "Docent, from a page": docent({ from }) }),
      ...(named !== undefined && { "Docent, with the version": docent({ version: named }) }),
      MiniSearch: miniSearch(),
      ...(named !== undefined && { "MiniSearch, with the version": miniSearch(named) }),
    };
    for (const [kind, asked] of Object.entries({ queries, "held out": heldOut })) {
      console.log(`\n${name}: ${pages.length} pages, ${sections.length} sections, ${asked.length} ${kind}`);
      for (const [finder, find] of Object.entries(finders)) await report(finder, find, asked);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function report(finder: string, find: Finder, queries: readonly Query[]): Promise<void> {
  let first = 0;
  let three = 0;
  let inAll = 0;
  const missed: string[] = [];
  for (const { query, expected } of queries) {
    const routes = [...new Set(await find(query))];
    const at = routes.findIndex((route) => expected.includes(route));
    if (at === 0) first += 1;
    if (at !== -1 && at < 3) three += 1;
    if (at !== -1) inAll += 1;
    if (at !== 0)
      missed.push(`    ${query}: ${at === -1 ? "not found" : `place ${at + 1}`}; ${routes.slice(0, 4).join(" ")}`);
  }
  console.log(`  ${finder}: first ${first}, among three ${three}, found ${inAll} of ${queries.length}`);
  if (values.list) console.log(missed.join("\n"));
}
