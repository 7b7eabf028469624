import path from "node:path";
import type { Database, DatabaseLocation } from "#db/database.ts";
import type { Clock } from "#lib/clock.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { Logger } from "#lib/logger.ts";
import { addressRanges } from "./client-address.ts";
import { type Collector, createCollector } from "./collector.ts";
import { BoundedMap, type CountsCache, createCountsCache } from "./counts-cache.ts";
import { createFoldHere, createFoldThread, type FoldRunner } from "./fold-runner.ts";
import { type Journal, type JournalStats, openJournal } from "./journal.ts";
import { claimJournalSlot, claimLeftSlots, type JournalSlot } from "./journal-slot.ts";
import { type AnalyticsSettings, readAnalyticsSettings } from "./settings.ts";

interface AnalyticsOptions {
  database: Database;
  /** Where the folding thread connects to; null = fold in this thread, on `database`. */
  location: DatabaseLocation | null;
  dataDirectory: string;
  trustedProxies: readonly string[];
  clock: Clock;
  logger: Logger;
  /** Rest between two folds: how far behind the counts may be. */
  foldIntervalMs?: number;
  maxConfirmsPerMinute?: number;
}

/** Everything between a request and the counts: collector, journal and folding. Dispose before the database. */
export interface Analytics extends AsyncDisposable {
  collector: Collector;
  /** Where `sendViewsEndpoint` writes. */
  journal: Pick<Journal, "append">;
  /** For the queries of this process: see `CountsDeps`. */
  cache: CountsCache;
  /** Resolves when everything taken in before is in the counts. */
  flush(): Promise<void>;
  stats(): JournalStats;
}

const FOLD_INTERVAL_MS = 500;
const FIRST_MAINTENANCE_MS = 60_000;
const MAINTENANCE_MS = 6 * 3_600_000;
const RETRY_MS = 5_000;
const SETTINGS_MS = 5_000;

/** Opens the journal of this process under `dataDirectory/journal`, and folds what dead processes left there. */
export async function createAnalytics(options: AnalyticsOptions): Promise<Analytics> {
  const { database, clock, logger, foldIntervalMs = FOLD_INTERVAL_MS } = options;
  const root = path.join(options.dataDirectory, "journal");
  const slot = await claimJournalSlot(root);
  const runner = createRunner(options, slot);
  let timer: NodeJS.Timeout | null = null;
  let folding: Promise<unknown> = Promise.resolve();
  let maintenance: NodeJS.Timeout | null = null;
  let isClosed = false;

  const fold = (): Promise<void> => {
    const turn = folding.then(() => runner.foldUntil(journal.durable())).then(() => undefined);
    folding = turn.catch((error: unknown) => {
      logger.error({ err: error }, "views wait in the journal");
      schedule(RETRY_MS);
    });
    return turn;
  };
  const schedule = (delayMs: number) => {
    if (timer !== null || isClosed) return;
    timer = setTimeout(() => {
      timer = null;
      void fold().catch(() => undefined); // logged above
    }, delayMs).unref();
  };
  const journal = await openJournal({
    directory: slot.directory,
    logger,
    onDurable: () => schedule(foldIntervalMs),
  });
  schedule(0); // what a run before left in this journal
  const leftovers = foldLeftSlots(options, root).catch((error: unknown) => {
    logger.error({ err: error }, "journals of earlier processes could not be folded");
  });

  const maintain = (delayMs: number) => {
    maintenance = setTimeout(() => {
      runner
        .maintain()
        .catch((error: unknown) => isClosed || logger.error({ err: error }, "analytics could not be maintained"))
        .finally(() => isClosed || maintain(MAINTENANCE_MS));
    }, delayMs).unref();
  };
  maintain(FIRST_MAINTENANCE_MS);

  const collector = createCollector({
    journal,
    settings: rememberedSettings(database, clock),
    isTrustedProxy: addressRanges(options.trustedProxies),
    clock,
    ...(options.maxConfirmsPerMinute === undefined ? {} : { maxConfirmsPerMinute: options.maxConfirmsPerMinute }),
  });
  const flush = async () => {
    await leftovers;
    await journal.flush();
    await fold();
  };
  return {
    collector,
    journal,
    cache: createCountsCache(),
    flush,
    stats: () => journal.stats(),
    async [Symbol.asyncDispose]() {
      isClosed = true;
      for (const pending of [timer, maintenance]) if (pending !== null) clearTimeout(pending);
      // What cannot be folded now stays in the journal for the next start.
      await flush().catch((error: unknown) => logger.warn({ err: error }, "views were left in the journal"));
      await journal[Symbol.asyncDispose]();
      await runner[Symbol.asyncDispose]();
      slot[Symbol.dispose]();
    },
  };
}

function createRunner({ location, database, clock, logger }: AnalyticsOptions, slot: JournalSlot): FoldRunner {
  const journal = { directory: slot.directory, id: slot.id };
  return location === null
    ? createFoldHere({ database, clock, logger, journal })
    : createFoldThread({ location, journal, logger });
}

async function foldLeftSlots(options: AnalyticsOptions, root: string): Promise<void> {
  for await (const slot of claimLeftSlots(root)) {
    using _claimed = slot;
    await using runner = createRunner(options, slot);
    await runner.foldUntil(null);
  }
}

function rememberedSettings(database: Database, clock: Clock) {
  const known = new BoundedMap<ProjectId, { settings: AnalyticsSettings | null; until: number }>(1_000);
  return async (projectId: ProjectId): Promise<AnalyticsSettings | null> => {
    const now = clock.now().getTime();
    const remembered = known.get(projectId);
    if (remembered && remembered.until > now) return remembered.settings;
    const settings = await readAnalyticsSettings(database.kysely, projectId);
    known.set(projectId, { settings, until: now + SETTINGS_MS });
    return settings;
  };
}
