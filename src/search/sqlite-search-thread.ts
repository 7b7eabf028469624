import { workerData } from "node:worker_threads";
import type { ProjectId } from "#lib/ids.ts";
import { answerCalls } from "#lib/threads/called-thread.ts";
import { createFairTurns } from "#lib/waiting/fair-turns.ts";
import { createIndexSearch } from "./search.ts";
import { createSqliteSearch } from "./sqlite-search.ts";
import type { SearchFunctions, SearchThreadSettings } from "./sqlite-search-in-thread.ts";

// The entry point of the thread that searches: `createSqliteSearchThread` starts it, and no module imports it.
const index = createSqliteSearch(workerData as SearchThreadSettings);
const inTurn = createFairTurns();
const pause = (project: ProjectId) => new Promise<void>((resolve) => inTurn(project, resolve));

/** Each call of the index is one step of its project's; a search consists of several, with a pause before each. */
const afterPause =
  <Args extends unknown[], Result>(work: (project: ProjectId, ...args: Args) => Promise<Result>) =>
  async (project: ProjectId, ...args: Args): Promise<Result> => {
    await pause(project);
    return await work(project, ...args);
  };

answerCalls<SearchFunctions>(
  {
    search: createIndexSearch({ index, pause }),
    pages: afterPause(index.pages),
    change: afterPause(index.change),
    find: afterPause(index.find),
    vocabulary: afterPause(index.vocabulary),
    remove: afterPause(index.remove),
  },
  () => index[Symbol.asyncDispose](),
);
