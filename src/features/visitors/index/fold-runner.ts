import type { KeyObject } from "node:crypto";
import { once } from "node:events";
import { setFlagsFromString } from "node:v8";
import { Worker } from "node:worker_threads";
import type { Database, DatabaseLocation } from "#db/database.ts";
import { createTrustedTime } from "#db/trusted-time.ts";
import type { Clock } from "#lib/clock.ts";
import type { KeyVault } from "#lib/secrets/key-vault.ts";
import type { Logger, LogLevel } from "#lib/logger.ts";
import type { LogFolder } from "#lib/logs/log-files.ts";
import { ownModule } from "#lib/own-module.ts";
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

export type FoldTask =
  | { task: "fold"; until: JournalPosition | null }
  | { task: "maintain" }
  | { task: "erase"; asked: AskedErasing }
  | { task: "close" };
export type FoldRequest = FoldTask & { id: number };
export interface FoldReply {
  id: number;
  position: JournalPosition | null;
  erased: ErasedAddress | null;
  error: string | null;
}

/**
 * Node's type stripper is WebAssembly. When two threads of a process recompile its calls into JavaScript at the same
 * time, V8 13.6 aborts the process: 2 of 4 runs of 450 threads that strip types concurrently crashed, none of 9 with a
 * budget that no thread uses up. Existing threads keep theirs.
 */
const NO_WRAPPER_TIER_UP = "--wasm-wrapper-tiering-budget=1000000000";

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
  const waiting = new Map<number, (reply: FoldReply) => void>();
  let worker: Worker | null = null;
  let lastId = 0;

  const start = (): Worker => {
    const workerData: FoldThreadSettings = {
      location: location.engine === "sqlite" ? location : { engine: "postgres", url: location.url.reveal() },
      journal,
      dataDirectory: options.dataDirectory,
      key: vault.key,
      logLevel: logger.level as LogLevel,
      keptLog: options.keptLog ?? null,
    };
    setFlagsFromString(NO_WRAPPER_TIER_UP);
    const made = new Worker(ownModule(import.meta.url, "fold-thread"), { workerData });
    made.on("message", (reply: FoldReply) => waiting.get(reply.id)?.(reply));
    made.on("error", (error) => logger.error({ err: error }, "the thread that folds views failed"));
    made.on("exit", () => {
      worker = null;
      for (const [id, resolve] of waiting) resolve({ id, position: null, erased: null, error: "the thread ended" });
    });
    return made;
  };

  const request = async (task: FoldTask): Promise<Omit<FoldReply, "error">> => {
    worker ??= start();
    const id = ++lastId;
    const answered = Promise.withResolvers<FoldReply>();
    waiting.set(id, answered.resolve);
    worker.ref();
    worker.postMessage({ ...task, id } satisfies FoldRequest);
    const { error, ...reply } = await answered.promise;
    waiting.delete(id);
    if (waiting.size === 0) worker?.unref(); // an idle thread does not keep the process alive
    if (error !== null) throw new Error(`the thread that folds views: ${error}`);
    return reply;
  };

  return {
    async foldUntil(until) {
      const { position } = await request({ task: "fold", until });
      return position ?? { segment: 0, position: 0 };
    },
    async maintain() {
      await request({ task: "maintain" });
    },
    async erase(asked) {
      const { erased } = await request({ task: "erase", asked });
      if (!erased) throw new Error("the thread that folds views did not say what it erased");
      return erased;
    },
    async [Symbol.asyncDispose]() {
      if (!worker) return;
      const exited = once(worker, "exit");
      worker.ref();
      worker.postMessage({ task: "close", id: 0 } satisfies FoldRequest);
      await exited;
    },
  };
}
