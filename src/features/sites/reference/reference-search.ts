import { setTimeout as sleep } from "node:timers/promises";
import { AppError } from "#lib/app-error.ts";
import type { PlainRequest } from "#lib/network/plain-http.ts";
import type { Logger } from "#lib/logger.ts";
import { createSearch } from "#search/search.ts";
import type { SearchIndex } from "#search/search-index.ts";
import { createIndexFiles } from "#search/static/index-files.ts";
import { createStaticIndex } from "#search/static/static-index.ts";
import type { PageContents } from "#features/sites/page-content.ts";
import { searchPage } from "#features/sites/search/page-sections.ts";
import { searchablePages } from "#features/sites/search/site-indexer.ts";
import { createSiteSearch, type SiteSearch } from "#features/sites/search/site-search.ts";
import { PAGE_HEADERS } from "#features/sites/serving/page-headers.ts";
import type { SiteProject } from "#features/sites/site-project.ts";
import type { SiteVersion } from "#features/sites/site-version.ts";

type Index = Pick<SearchIndex, "find" | "vocabulary">;

const EMPTY: Index = { find: () => Promise.resolve([]), vocabulary: () => Promise.resolve([]) };

/**
 * A search in memory, made beside the first page that somebody reads. It takes no place in the index of projects' sites,
 * and what is searched for is counted nowhere.
 */
export function createReferenceSearch(deps: {
  contents: PageContents;
  logger: Logger;
  admits(request: PlainRequest, peerAddress: string): boolean;
}): SiteSearch {
  const { contents, logger } = deps;
  let followed: SiteVersion | null = null;
  let index = EMPTY;
  let isComplete = false;
  let making: Promise<void> = Promise.resolve();

  async function make(project: SiteProject, version: SiteVersion): Promise<void> {
    const files = createIndexFiles();
    // One after the other: readers' pages come first.
    for (const page of searchablePages(version)) {
      const content = await contents.render(project.id, version, page);
      if (content.key === null) throw new AppError("unavailable", "A page could not be rendered.");
      files.add(searchPage(version, page, content));
    }
    const made = new Map<string, unknown>();
    for await (const [name, json] of files.files()) made.set(name, JSON.parse(json));
    if (followed !== version) return;
    index = createStaticIndex((name) => Promise.resolve(made.get(name)));
    isComplete = true;
  }

  return createSiteSearch({
    search: createSearch({
      index: {
        find: (...given) => index.find(...given),
        vocabulary: (...given) => index.vocabulary(...given),
      },
    }),
    indexer: {
      follow(project, version) {
        if (followed === version) return;
        followed = version;
        isComplete = false;
        making = make(project, version).catch((error: unknown) => {
          logger.warn({ err: error }, "the reference was not indexed");
          if (followed === version) followed = null; // the next reader's page tries again
        });
      },
      state: () => ({ edition: `${followed?.edition ?? ""} ${String(isComplete)}`, isComplete }),
      async settled(_project, patienceMs) {
        const waiting = new AbortController();
        await Promise.race([
          making,
          sleep(patienceMs, undefined, { signal: waiting.signal, ref: false }).catch(() => undefined),
        ]);
        waiting.abort();
      },
    },
    pageHeaders: PAGE_HEADERS,
    admits: deps.admits,
    count: () => undefined,
  });
}
