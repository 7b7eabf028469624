import type { KeyObject } from "node:crypto";
import type { Database, DatabaseLocation } from "#db/database.ts";
import { createTrustedTime } from "#db/trusted-time.ts";
import type { Clock } from "#lib/clock.ts";
import type { KeyVault } from "#lib/secrets/key-vault.ts";
import type { Logger, LogLevel } from "#lib/logger.ts";
import type { LogFolder } from "#lib/logs/log-files.ts";
import { ownModule } from "#lib/own-module.ts";
import { createCalledThread } from "#lib/threads/called-thread.ts";
import { type AgentList, builtInAgents } from "#features/visitors/clients/agent-list.ts";
import { createClassifier } from "#features/visitors/clients/classify.ts";
import { eraseAddress, type ErasedAddress, type EraseOptions } from "./erase-address.ts";
import { createFold } from "./fold.ts";
import { foldJournal } from "./fold-journal.ts";
import { removeOldDamage } from "#features/visitors/journal/journal-damage.ts";
import type { JournalPosition } from "#features/visitors/journal/journal.ts";
import { maintainAnalytics } from "./maintenance.ts";

/** Folds one journal up to a position; calls must not overlap. */
export interface FoldRunner extends AsyncDisposable {
  foldUntil(until: JournalPosition | null): Promise<JournalPosition>;
  /** Retention, rebuilds and cleanup; may run concurrently with folds, and ends early when the runner is disposed. */
  maintain(): Promise<void>;
  /**
   * See `eraseAddress`; unused space of the database's files is left. May run concurrently with folds, and ends like
   * `maintain`.
   */
  erase(asked: AskedErasing): Promise<ErasedAddress>;
}

/** The readers to erase. */
export type AskedErasing = Omit<EraseOptions, "leaveUnusedSpace" | "signal">;

/** Folds in this thread, on the given database. */
export function createFoldHere(deps: {
  database: Database;
  clock: Clock;
  vault: KeyVault;
  logger: Logger;
  journal: { directory: string; id: string };
  /** The list of agents in use; what comes with Docent by default. */
  agents?(): AgentList;
}): FoldRunner {
  const { database, clock } = deps;
  const time = createTrustedTime({ database, clock });
  const { agents: lists = () => builtInAgents, ...rest } = deps;
  // A new list of agents needs a new fold.
  const foldBy = memoizeLast((agents: AgentList) =>
    createFold({ ...rest, time, agents, classify: createClassifier(agents.agents) }),
  );
  const stop = new AbortController();
  let maintaining: Promise<void> = Promise.resolve();
  let erasing: Promise<unknown> = Promise.resolve();
  return {
    foldUntil: (until) => foldJournal({ ...deps, fold: foldBy(lists()) }, until),
    maintain() {
      maintaining = (async () => {
        await maintainAnalytics({ ...deps, time, agents: lists() }, stop.signal);
        await removeOldDamage(deps.journal.directory, await time.now());
      })();
      return maintaining;
    },
    erase(asked) {
      // One after another: each scans all data of a project.
      const erased = erasing.then(() =>
        eraseAddress({ ...deps, agents: lists() }, { ...asked, leaveUnusedSpace: true, signal: stop.signal }),
      );
      erasing = erased.catch(() => undefined);
      return erased;
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await maintaining.catch(() => undefined); // the caller has the error
      await erasing;
    },
  };
}

function memoizeLast<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  let last: { key: Key; value: Value } | null = null;
  return (key) => {
    if (last?.key !== key) last = { key, value: make(key) };
    return last.value;
  };
}

/** The thread's configuration. The address of the database is plain text: a `Secret` cannot be transferred. */
export interface FoldThreadSettings {
  location: { engine: "sqlite"; path: string } | { engine: "postgres"; url: string };
  journal: { directory: string; id: string };
  dataDirectory: string;
  /** The vault's key: an object that never prints its content. */
  key: KeyObject;
  logLevel: LogLevel;
  keptLog: LogFolder | null;
}

/** What the thread does; it is closed as the runner is disposed. */
export type FoldFunctions = Pick<FoldRunner, "foldUntil" | "maintain" | "erase">;

/**
 * Folds in a thread of its own with a connection of its own: a batch takes 20 ms of processor time that page serving
 * must not wait for. The thread is started on the first call, and again after it died: a server without visitors does
 * not need its 25 MB, and views wait in the journal while it cannot start.
 */
export function createFoldThread(options: {
  location: DatabaseLocation;
  journal: { directory: string; id: string };
  dataDirectory: string;
  vault: KeyVault;
  logger: Logger;
  keptLog?: LogFolder | null;
}): FoldRunner {
  const { location, journal, vault, logger } = options;
  const thread = createCalledThread<FoldFunctions>({
    module: ownModule(import.meta.url, "fold-thread"),
    name: "folding",
    workerData: (): FoldThreadSettings => ({
      location: location.engine === "sqlite" ? location : { engine: "postgres", url: location.url.reveal() },
      journal,
      dataDirectory: options.dataDirectory,
      key: vault.key,
      logLevel: logger.level as LogLevel,
      keptLog: options.keptLog ?? null,
    }),
    logger,
  });
  return {
    foldUntil: (until) => thread.call("foldUntil", until),
    maintain: () => thread.call("maintain"),
    erase: (asked) => thread.call("erase", asked),
    [Symbol.asyncDispose]: () => thread[Symbol.asyncDispose](),
  };
}
