import path from "node:path";
import type { Database, DatabaseLocation } from "#db/database.ts";
import type { Clock } from "#lib/clock.ts";
import type { KeyVault } from "#lib/secrets/key-vault.ts";
import { createLastingTrouble } from "#lib/lasting-trouble.ts";
import type { Logger } from "#lib/logger.ts";
import type { LogFolder } from "#lib/logs/log-files.ts";
import { createMeasure, secondsSince } from "#lib/measure.ts";
import { memoize } from "#lib/memoize.ts";
import { type AgentList, createAgentLists } from "#features/visitors/clients/agent-list.ts";
import { repeat } from "#kit/tasks/repeat.ts";
import { parseAddressRanges } from "#lib/network/network-address.ts";
import { type Collector, createCollector } from "./collector.ts";
import { createRecentSettings } from "#features/visitors/settings.ts";
import { type CountsCache, createCountsCache } from "#features/visitors/reports/counts-cache.ts";
import {
  type AskedErasing,
  createFoldHere,
  createFoldThread,
  type FoldRunner,
} from "#features/visitors/index/fold-runner.ts";
import { readJournalPosition } from "#features/visitors/index/fold-journal.ts";
import { type Journal, type JournalStats, listSegments, openJournal } from "#features/visitors/journal/journal.ts";
import { claimJournalSlot, claimLeftSlots, type JournalSlot } from "#features/visitors/journal/journal-slot.ts";
import { removeDamageOf, waitForJournals } from "#features/visitors/journal/settle-journals.ts";
import type { ErasedReaders } from "./erasure.ts";
import { createProxyWatch, type ProxyWatch } from "./unnamed-proxy.ts";
import type { CheckSignature } from "#features/visitors/clients/web-bot-auth.ts";

interface AnalyticsOptions {
  database: Database;
  /** The database that the folding thread connects to; null: fold in this thread, on `database`. */
  location: DatabaseLocation | null;
  dataDirectory: string;
  trustedProxies: readonly string[];
  /** Checks the signature of a request; without it none is checked. */
  checkSignature?: CheckSignature;
  clock: Clock;
  /** Decrypts the visitor secrets. */
  vault: KeyVault;
  logger: Logger;
  /** Where the folding thread also keeps its log. */
  keptLog?: LogFolder | null;
  /** The pause between two folds, which limits how old the counts are. */
  foldIntervalMs?: number;
  /** How long a journal segment is written to before it is folded and deleted. */
  segmentAgeMs?: number;
  /** The pause between two searches for journals of dead processes. */
  leftoversMs?: number;
  maxConfirmsPerMinute?: number;
  maxServedPerMinute?: number;
}

/** Everything between a request and the counts: collector, journal and folding. Dispose it before the database. */
export interface Analytics extends AsyncDisposable {
  collector: Collector;
  /** Where `sendViewsEndpoint` writes. */
  journal: Pick<Journal, "append">;
  /** For the queries of this process: see `CountsDeps`. */
  cache: CountsCache;
  /** The list of agents in use. */
  agents(): AgentList;
  /** A proxy that makes its readers one visitor; null while none was noticed. */
  unnamedProxy: ProxyWatch["found"];
  /** Resolves when everything received before is in the counts. */
  flush(): Promise<void>;
  /** Statistics of this process's journal; `lagSeconds`: how long its oldest view has waited to be counted. */
  stats(): JournalStats & { lagSeconds: number };
  /**
   * Erases the readers of an address, after everything in the journals was counted: this process's immediately, others'
   * within a minute. `hasDamage`: also deletes the files of damaged bytes, which belong to all projects, if they
   * contain the address.
   */
  eraseReaders(asked: AskedErasing & { hasDamage: boolean }): Promise<ErasedReaders>;
}

/** Successful folds of this process's journal. */
export const folds = createMeasure<{ seconds: number }>("fold");

const FOLD_INTERVAL_MS = 500;
/** Plus the duration of a fold: how long an address is on disk. */
const SEGMENT_AGE_MS = 30_000;
const LEFTOVERS_MS = 10 * 60_000;
const FIRST_MAINTENANCE_MS = 60_000;
const MAINTENANCE_MS = 6 * 3_600_000;
const RETRY_MS = 5_000;

/** Opens the journal of this process under `dataDirectory/journal`, and folds what dead processes left there. */
export async function createAnalytics(options: AnalyticsOptions): Promise<Analytics> {
  const { database, clock, logger, foldIntervalMs = FOLD_INTERVAL_MS, segmentAgeMs = SEGMENT_AGE_MS } = options;
  // The folding thread checkpoints SQLite's log. The main thread does so only after twice as much.
  if (options.location !== null) database.sqlite?.exec("pragma wal_autocheckpoint = 32768");
  const root = path.join(options.dataDirectory, "journal");
  const slot = await claimJournalSlot(root);
  const runner = createRunner(options, slot);
  let timer: NodeJS.Timeout | null = null;
  let folding: Promise<unknown> = Promise.resolve();
  let aging: NodeJS.Timeout | null = null;
  let isClosed = false;
  const closing = new AbortController();

  const trouble = createLastingTrouble(logger, "views wait in the journal");
  // The folding thread takes 0.3 s of processor time to start: a server without visitors does not need it.
  let isUsed = (await listSegments(slot.directory)).length > 0;
  let hasWork = isUsed;
  /** When the first view that is not folded became durable. */
  let waitingSince: number | null = null;
  const foldOnce = async () => {
    if (!hasWork) return;
    hasWork = false;
    const since = waitingSince;
    waitingSince = null;
    const startMs = performance.now();
    try {
      await runner.foldUntil(journal.durable());
      folds.publish({ seconds: secondsSince(startMs) });
    } catch (error) {
      hasWork = true;
      waitingSince = since ?? waitingSince;
      throw error;
    }
  };
  const fold = (): Promise<void> => {
    const turn = folding.then(foldOnce);
    folding = turn.then(trouble.worked, (error: unknown) => {
      trouble.failed(error);
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
  // A segment contains addresses: when its first view reaches the maximum age, the next one is started, and the fold
  // deletes it.
  const age = () => {
    if (aging !== null || isClosed) return;
    aging = setTimeout(() => {
      aging = null;
      void beginSegment().then(() => schedule(0));
    }, segmentAgeMs).unref();
  };
  const { segment: foldedSegment } = await readJournalPosition(database, slot.id);
  const journal = await openJournal({
    directory: slot.directory,
    logger,
    firstSegment: foldedSegment + 1,
    onDurable: () => {
      isUsed = hasWork = true;
      waitingSince ??= performance.now();
      schedule(foldIntervalMs);
      age();
    },
  });
  /** The next fold deletes the previous file. */
  const beginSegment = async () => {
    await journal.beginSegment();
    hasWork ||= isUsed;
  };
  schedule(0); // views that a previous run left in this journal
  // One of several processes may be killed and never restarted: its journal is folded periodically.
  const firstLeft = Promise.withResolvers<void>();
  const leftovers = repeat(
    () =>
      foldLeftSlots(options, root)
        .catch((error: unknown) => logger.error({ err: error }, "journals of earlier processes could not be folded"))
        .finally(firstLeft.resolve),
    { everyMs: options.leftoversMs ?? LEFTOVERS_MS },
  );

  const maintenance = repeat(
    () =>
      runner.maintain().catch((error: unknown) => {
        if (!isClosed) logger.error({ err: error }, "analytics could not be maintained");
      }),
    { firstAfterMs: FIRST_MAINTENANCE_MS, everyMs: MAINTENANCE_MS },
  );

  const agents = createAgentLists(options);
  const isTrustedProxy = memoize(parseAddressRanges(options.trustedProxies));
  const proxyWatch = createProxyWatch({ ...options, isTrustedProxy });
  const collector = createCollector({
    agents,
    journal,
    settings: createRecentSettings(database, clock),
    isTrustedProxy,
    proxyWatch,
    clock,
    ...(options.checkSignature && { checkSignature: options.checkSignature }),
    ...(options.maxConfirmsPerMinute === undefined ? {} : { maxConfirmsPerMinute: options.maxConfirmsPerMinute }),
    ...(options.maxServedPerMinute === undefined ? {} : { maxServedPerMinute: options.maxServedPerMinute }),
  });
  const flush = async () => {
    await firstLeft.promise;
    await collector.settle();
    await journal.flush();
    await fold();
  };
  return {
    collector,
    journal,
    cache: createCountsCache(),
    agents,
    unnamedProxy: proxyWatch.found,
    flush,
    stats: () => ({ ...journal.stats(), lagSeconds: waitingSince === null ? 0 : secondsSince(waitingSince) }),
    async eraseReaders({ hasDamage, ...asked }) {
      await flush();
      await beginSegment();
      await fold(); // and its file is deleted
      await foldLeftSlots(options, root);
      const isSettled = await waitForJournals(root, { signal: closing.signal });
      const damagedFiles = hasDamage ? await removeDamageOf(root, asked.address) : null;
      return { ...(await runner.erase(asked)), isSettled, damagedFiles };
    },
    async [Symbol.asyncDispose]() {
      isClosed = true;
      closing.abort();
      for (const pending of [timer, aging]) if (pending !== null) clearTimeout(pending);
      const maintained = maintenance[Symbol.asyncDispose](); // work in progress ends with the runner
      await leftovers[Symbol.asyncDispose]();
      await collector.settle();
      await journal.flush();
      await beginSegment();
      // What cannot be folded now stays in the journal for the next start.
      await fold().catch((error: unknown) => logger.warn({ err: error }, "views were left in the journal"));
      await journal[Symbol.asyncDispose]();
      await runner[Symbol.asyncDispose]();
      await maintained;
      slot[Symbol.dispose]();
    },
  };
}

function createRunner(
  { location, database, clock, vault, logger, keptLog, dataDirectory }: Omit<AnalyticsOptions, "trustedProxies">,
  slot: JournalSlot,
): FoldRunner {
  const journal = { directory: slot.directory, id: slot.id };
  return location === null
    ? createFoldHere({
        database,
        clock,
        vault,
        logger,
        journal,
        agents: createAgentLists({ dataDirectory, clock, logger }),
      })
    : createFoldThread({ location, journal, dataDirectory, vault, logger, keptLog: keptLog ?? null });
}

/** Folds the journals of dead processes. */
export async function foldLeftSlots(options: Omit<AnalyticsOptions, "trustedProxies">, root: string): Promise<void> {
  for await (const slot of claimLeftSlots(root)) {
    using _claimed = slot;
    if ((await listSegments(slot.directory)).length === 0) continue;
    await using runner = createRunner(options, slot);
    await runner.foldUntil(null);
  }
}
