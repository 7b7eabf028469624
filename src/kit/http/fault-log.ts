import { isOutOfReach, isStoreDamaged, isStoreFull, isUnwritable } from "#db/database.ts";
import { isShutdown } from "#lib/app-error.ts";
import { isDiskFull } from "#lib/disk-full.ts";
import { createLastingTrouble, type LastingTrouble } from "#lib/lasting-trouble.ts";
import type { Logger } from "#lib/logger.ts";
import { StorageUnavailable } from "#lib/storage-unavailable.ts";

/** Logs requests that fail by our fault. */
export interface FaultLog {
  /**
   * `logger` is the request's own; `message` says what failed, unless the failure belongs to a state that is already
   * logged.
   */
  failed(error: unknown, to: { logger: Logger; message: string; fields: object }): void;
  /** A request succeeded. */
  answered(): void;
}

/** How often a successful request checks whether the failure is over. */
const LOOK_MS = 10_000;

/**
 * A full disk, a damaged or an unreachable database fails every request that needs it, so each is one state in the log, which is
 * over when the server would be ready again. Every other failure is logged with its stack.
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
  const damage = createLastingTrouble(logger, "requests fail: the database is damaged", { monotonicMs });
  const troubles = { disk, database, damage };
  let lookAt: number | null = null; // null: nothing is failing
  const look = async () => {
    const since = lookAt;
    const reasons = await reasonsNotReady().catch(() => null);
    if (reasons?.length !== 0 || lookAt !== since) return; // not ready, or another failure happened meanwhile
    lookAt = null;
    for (const trouble of Object.values(troubles)) trouble.worked();
  };
  return {
    failed(error, { logger: own, message, fields }) {
      if (isShutdown(error)) return own.debug({ err: error, ...fields }, message);
      const trouble = troubleOf(error, troubles);
      if (trouble === null) return own.error({ err: error, ...fields }, message);
      own.debug({ err: error, ...fields }, message);
      if (trouble === "logged") return;
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
  { disk, database, damage }: Record<"disk" | "database" | "damage", LastingTrouble>,
): LastingTrouble | "logged" | null {
  const cause = error instanceof Error ? error.cause : undefined; // errors for callers wrap the original one
  for (const one of [error, cause]) {
    if (one instanceof StorageUnavailable) return "logged"; // by the bucket, for all that use it
    if (isDiskFull(one) || isStoreFull(one)) return disk;
    if (isStoreDamaged(one)) return damage;
    if (isUnwritable(one) || isOutOfReach(one)) return database;
  }
  return null;
}
