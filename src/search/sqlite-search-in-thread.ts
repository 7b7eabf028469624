import type { Logger } from "#lib/logger.ts";
import { ownModule } from "#lib/own-module.ts";
import { createCalledThread } from "#lib/threads/called-thread.ts";
import type { IndexSearch } from "./search.ts";
import type { SearchIndex } from "./search-index.ts";
import { aloneInProcess } from "./sqlite-search.ts";

export interface SearchThreadSettings {
  directory: string;
}

/** What the thread does. */
export type SearchFunctions = Omit<SearchIndex, "alone" | symbol> & { search: IndexSearch };

/**
 * The index of `createSqliteSearch` and the search of it in a thread of their own: a query takes up to 14 ms in one step, and a
 * whole search twice that, for which no page should wait. Projects take turns there.
 */
export function createSqliteSearchThread({ directory, logger }: { directory: string; logger: Logger }): SearchIndex & {
  search: IndexSearch;
} {
  const thread = createCalledThread<SearchFunctions>({
    module: ownModule(import.meta.url, "sqlite-search-thread"),
    name: "search",
    workerData: (): SearchThreadSettings => ({ directory }),
    logger,
  });
  const calls =
    <Name extends keyof SearchFunctions>(name: Name) =>
    (...args: Parameters<SearchFunctions[Name]>) =>
      thread.call(name, ...args);
  return {
    search: calls("search"),
    pages: calls("pages"),
    change: calls("change"),
    find: calls("find"),
    vocabulary: calls("vocabulary"),
    remove: calls("remove"),
    alone: aloneInProcess(),
    [Symbol.asyncDispose]: () => thread[Symbol.asyncDispose](),
  };
}
