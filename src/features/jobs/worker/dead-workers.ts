import { repeat } from "#kit/tasks/repeat.ts";
import { createLastingTrouble } from "#lib/lasting-trouble.ts";
import type { Logger } from "#lib/logger.ts";
import type { StoreDeps } from "#features/jobs/transitions/change.ts";
import { disconnectedOwners, endLeases } from "#features/jobs/transitions/by-workers.ts";

const EVERY_MS = 2_000;

/**
 * On PostgreSQL, ends the leases of workers whose process is gone, so that another node claims their jobs within about
 * five seconds instead of when the leases expire. A worker counts as gone when two consecutive checks do not find its
 * lock: one whose connection broke opens another within a second. A worker that is declared dead by mistake loses its claim
 * as it does when its lease expires: the fence rejects what it writes.
 */
export function startDeadWorkerCheck(
  deps: StoreDeps & { logger: Logger },
  { everyMs = EVERY_MS }: { everyMs?: number } = {},
): AsyncDisposable {
  const trouble = createLastingTrouble(deps.logger, "dead workers could not be looked up");
  let missing: readonly string[] = [];
  const check = async () => {
    try {
      const seen = missing;
      missing = await disconnectedOwners(deps);
      trouble.worked();
      const dead = missing.filter((owner) => seen.includes(owner));
      if (dead.length === 0) return;
      const jobs = await endLeases(deps, dead);
      deps.logger.warn({ workers: dead, jobs }, "jobs of a node that is gone are claimed again");
      deps.database.wakeUp.notify("job");
    } catch (error) {
      trouble.failed(error);
    }
  };
  return repeat(check, { everyMs });
}
