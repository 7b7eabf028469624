import { existsSync } from "node:fs";
import { createLastingTrouble } from "#lib/lasting-trouble.ts";
import { workerData } from "node:worker_threads";
import { openDatabase } from "#db/database.ts";
import { fileRemoved } from "#db/sqlite-driver.ts";
import { cacheLimit } from "#lib/cache-limit.ts";
import { systemClock } from "#lib/clock.ts";
import { createKeyVault } from "#lib/secrets/key-vault.ts";
import { createLogger } from "#lib/logger.ts";
import { keepLog } from "#lib/logs/keep-log.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { answerCalls } from "#lib/threads/called-thread.ts";
import { standBack } from "#lib/waiting/thread-priority.ts";
import { createAgentLists } from "#features/visitors/clients/agent-list.ts";
import { createFoldHere, type FoldFunctions, type FoldThreadSettings } from "./fold-runner.ts";

// The entry point of the folding thread: `createFoldThread` starts it, and no module imports it.
standBack(); // counts may be late, pages may not: on a busy machine, folding would compete with serving
const { location, journal, dataDirectory, key, logLevel, keptLog } = workerData as FoldThreadSettings;
const terminal = createLogger({ level: logLevel });
const logger =
  keptLog === null ? terminal : createLogger({ level: logLevel, keep: keepLog({ logger: terminal }, keptLog).write });
// The server has opened the store already: if it is missing, it was removed, and creating an empty one would hide that.
if (location.engine === "sqlite" && !existsSync(location.path)) throw fileRemoved();
const database = await openDatabase({
  location: location.engine === "sqlite" ? location : { engine: "postgres", url: new Secret(location.url) },
  logger,
  migrate: false,
});
// The presence table is accessed at random: with SQLite's default cache of 2 MB each access would read from the file
// system. Changes are checkpointed every 64 MB: a page that changed in several batches is then written once.
database.sqlite?.exec(`
  pragma cache_size = -${cacheLimit(131_072)}; pragma wal_autocheckpoint = 16384; pragma journal_size_limit = 67108864;
`);
const agents = createAgentLists({ dataDirectory, clock: systemClock, logger });
const runner = createFoldHere({
  database,
  clock: systemClock,
  vault: createKeyVault(key),
  logger,
  journal,
  agents,
});

const trouble = createLastingTrouble(logger, "views could not be folded or maintained for now");

/** Logs how the work ends, and passes it on. */
const withTroubleLogged =
  <Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
  async (...args: Args): Promise<Result> => {
    try {
      const result = await work(...args);
      trouble.worked();
      return result;
    } catch (error) {
      trouble.failed(error);
      throw error;
    }
  };

answerCalls<FoldFunctions>(
  {
    foldUntil: withTroubleLogged(runner.foldUntil),
    maintain: withTroubleLogged(runner.maintain),
    erase: withTroubleLogged(runner.erase),
  },
  async () => {
    await runner[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
  },
);
