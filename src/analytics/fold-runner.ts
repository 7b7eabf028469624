import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Database, DatabaseLocation } from "#db/database.ts";
import type { Clock } from "#lib/clock.ts";
import type { Logger, LogLevel } from "#lib/logger.ts";
import { createClassifier } from "./classify.ts";
import { createFold } from "./fold.ts";
import { foldJournal } from "./fold-journal.ts";
import type { JournalPosition } from "./journal.ts";

/** Folds one journal up to a position; calls must not overlap. */
export interface FoldRunner extends AsyncDisposable {
  foldUntil(until: JournalPosition | null): Promise<JournalPosition>;
}

/** Folds in this thread, on the given database. */
export function createFoldHere(deps: {
  database: Database;
  clock: Clock;
  logger: Logger;
  journal: { directory: string; id: string };
}): FoldRunner {
  const fold = createFold({ database: deps.database, classify: createClassifier(), clock: deps.clock });
  return {
    foldUntil: (until) => foldJournal({ ...deps, fold }, until),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** What the thread is told at its start. The address of the database is plain text: a `Secret` cannot cross. */
export interface FoldThreadSettings {
  location: { engine: "sqlite"; path: string } | { engine: "postgres"; url: string };
  journal: { directory: string; id: string };
  logLevel: LogLevel;
}

export type FoldRequest = { until: JournalPosition | null } | "close";
export type FoldReply = { position: JournalPosition } | { error: string };

/**
 * Folds in a thread of its own with a connection of its own: a batch takes 20 ms of processor that page serving must
 * not wait for. The thread is started at the first call, and again after it died.
 */
export function createFoldThread(options: {
  location: DatabaseLocation;
  journal: { directory: string; id: string };
  logger: Logger;
}): FoldRunner {
  const { location, journal, logger } = options;
  let worker: Worker | null = null;

  const start = (): Worker => {
    const workerData: FoldThreadSettings = {
      location: location.engine === "sqlite" ? location : { engine: "postgres", url: location.url.reveal() },
      journal,
      logLevel: logger.level as LogLevel,
    };
    const made = new Worker(new URL("./fold-thread.ts", import.meta.url), { workerData });
    made.unref();
    made.on("error", (error) => logger.error({ err: error }, "the thread that folds views failed"));
    made.on("exit", () => {
      if (worker === made) worker = null;
    });
    return made;
  };

  return {
    async foldUntil(until) {
      worker ??= start();
      const used = worker;
      const request: FoldRequest = { until };
      const ended = new AbortController();
      used.ref();
      used.postMessage(request);
      try {
        const reply = await Promise.race([
          once(used, "message", { signal: ended.signal }).then(([message]) => message as FoldReply),
          once(used, "exit", { signal: ended.signal }).then((): FoldReply => ({ error: "the thread ended" })),
        ]);
        if ("error" in reply) throw new Error(`views could not be folded: ${reply.error}`);
        return reply.position;
      } finally {
        ended.abort();
        used.unref();
      }
    },
    async [Symbol.asyncDispose]() {
      if (!worker) return;
      const exited = once(worker, "exit");
      worker.ref();
      worker.postMessage("close" satisfies FoldRequest);
      await exited;
    },
  };
}
