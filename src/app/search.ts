import { addressPrefix, clientAddress } from "#features/visitors/client-address.ts";
import { createRateGuard } from "#features/visitors/collect/rate-guard.ts";
import { createSearchCounter } from "#features/visitors/searches/search-counter.ts";
import type { ContentProcess } from "#docs/render/process/content-process.ts";
import { createFairTurns } from "#lib/waiting/fair-turns.ts";
import { createPostgresSearch } from "#search/postgres-search.ts";
import { createSearch, type Search, withVersions } from "#search/search.ts";
import { searchDirectory } from "#search/search-files.ts";
import type { SearchIndex } from "#search/search-index.ts";
import { createSqliteSearchThread } from "#search/sqlite-search-in-thread.ts";
import { createSqliteSearch } from "#search/sqlite-search.ts";
import { createPageContents } from "#features/sites/page-content.ts";
import { createSiteIndexer } from "#features/sites/search/site-indexer.ts";
import { createSiteSearch, type SiteSearch } from "#features/sites/search/site-search.ts";
import { PAGE_HEADERS } from "#features/sites/serving/page-headers.ts";
import type { Context } from "./context.ts";
import type { Store } from "./store.ts";

type SearchedStore = Pick<Store, "database"> & { isOneThread?: boolean | undefined };

/** Enough for typing speed, and for a few colleagues behind the same address. */
const SEARCHES_PER_MINUTE = 600;

/**
 * Search of published sites, with the worker that keeps its index up to date. With `isOneThread` nothing of it runs in a thread of
 * its own, which loads modules first.
 */
export function composeSearch(
  context: Context,
  { content, ...store }: SearchedStore & { content: ContentProcess },
): SiteSearch & AsyncDisposable {
  const { logger, clock, isTrustedProxy } = context;
  const { database } = store;
  const { index, find } = openIndex(context, store);
  const contents = createPageContents({
    contentProcess: content.inBackground,
    logger,
    maxCharacters: 0,
    isColoured: false,
  });
  const indexer = createSiteIndexer({ index, contents, logger });
  const guard = createRateGuard({ clock, perMinute: SEARCHES_PER_MINUTE });
  const counter = createSearchCounter({ database, clock, logger });
  const search = createSiteSearch({
    count: counter.count,
    search: find,
    indexer,
    pageHeaders: PAGE_HEADERS,
    admits(request, peer) {
      const forwardedFor = request.headers.get("x-forwarded-for");
      return guard.admits(addressPrefix(clientAddress({ peer, forwardedFor, isTrustedProxy })));
    },
  });
  return {
    ...search,
    async [Symbol.asyncDispose]() {
      await indexer[Symbol.asyncDispose]();
      await counter[Symbol.asyncDispose]();
      await index[Symbol.asyncDispose]();
    },
  };
}

/** A query of SQLite blocks the thread in which it runs; one of PostgreSQL runs in the database. */
function openIndex(
  { config, logger }: Context,
  { database, isOneThread = false }: SearchedStore,
): { index: SearchIndex; find: Search } {
  const directory = searchDirectory(config.dataDirectory);
  if (database.engine === "sqlite" && !isOneThread) {
    const index = createSqliteSearchThread({ directory, logger });
    return { index, find: withVersions(index.search) };
  }
  const index = database.engine === "sqlite" ? createSqliteSearch({ directory }) : createPostgresSearch({ database });
  const inTurn = createFairTurns();
  return {
    index,
    find: createSearch({ index, pause: (project) => new Promise((resolve) => inTurn(project, resolve)) }),
  };
}
