import { isOutOfReach, isStoreFull, isUnwritable } from "#db/database.ts";
import { isShutdown } from "#lib/app-error.ts";
import { isDiskFull } from "#lib/disk-full.ts";
import { createLastingTrouble, type LastingTrouble } from "#lib/lasting-trouble.ts";
import type { Logger } from "#lib/logger.ts";

/** What the log hears of requests that fail by our fault. */
export interface FaultLog {
  /** `logger` is the request's own; `message` says what failed, unless it is part of a trouble that is known. */
  failed(error: unknown, to: { logger: Logger; message: string; fields: object }): void;
  /** A request was answered well. */
  answered(): void;
}

/** How often it is looked whether a trouble is over, by the way of a request that was answered. */
const LOOK_MS = 10_000;

/**
 * A full disk and a database that is away fail every request that needs them: each is one state in the log, over when
 * there is no reason any more why the server would not be ready. Every other failure is told with its stack.
 */
export function createFaultLog(
  logger: Logger,
  {
    reasonsNotReady,
    monotonicMs = () => performance.now(),
  }: { reasonsNotReady: () => Promise<string[]>; monotonicMs?: () => number },
): FaultLog {
  const disk = createLastingTrouble(logger, "requests fail: the disk is full", { monotonicMs });
  const database = createLastingTrouble(logger, "requests fail: the database is out of reach", { monotonicMs });
  let lookAt: number | null = null; // null: nothing fails
  const look = async () => {
    const since = lookAt;
    const reasons = await reasonsNotReady().catch(() => null);
    if (reasons?.length !== 0 || lookAt !== since) return; // not ready, or something failed in the meantime
    lookAt = null;
    disk.worked();
    database.worked();
  };
  return {
    failed(error, { logger: own, message, fields }) {
      if (isShutdown(error)) return own.debug({ err: error, ...fields }, message);
      const trouble = troubleOf(error, { disk, database });
      if (trouble === null) return own.error({ err: error, ...fields }, message);
      own.debug({ err: error, ...fields }, message);
      lookAt = monotonicMs() + LOOK_MS;
      trouble.failed(error);
    },
    answered() {
      if (lookAt === null || monotonicMs() < lookAt) return;
      lookAt = monotonicMs() + LOOK_MS;
      void look();
    },
  };
}

function troubleOf(
  error: unknown,
  { disk, database }: { disk: LastingTrouble; database: LastingTrouble },
): LastingTrouble | null {
  const cause = error instanceof Error ? error.cause : undefined; // an error for the caller is made of the one that it was
  for (const one of [error, cause]) {
    if (isDiskFull(one) || isStoreFull(one)) return disk;
    if (isUnwritable(one) || isOutOfReach(one)) return database;
  }
  return null;
}
