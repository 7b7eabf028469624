import { deletedRows, inBatches } from "#db/batches.ts";
import type { TrustedTime } from "#db/trusted-time.ts";
import { DAY_MS } from "#lib/clock.ts";
import { repeat } from "#kit/tasks/repeat.ts";
import type { Logger } from "#lib/logger.ts";
import { archiveIdleJobs } from "./lifecycle.ts";
import { spendingDay } from "#features/jobs/queue/spending.ts";
import type { TransitionDeps } from "#features/jobs/transitions/change.ts";

export interface SweeperDeps extends TransitionDeps {
  /** Decides what is old, so that a clock that jumped archives and deletes nothing. */
  time: TrustedTime;
  logger: Logger;
  /** How long webhook events and their deliveries are kept. */
  deliveryDays: number;
}

const EVERY_MS = 3_600_000;
const FIRST_AFTER_MS = 60_000;
const BATCH = 100;
const IDLE_MS = 30 * DAY_MS;
const RUN_LOG_MS = 90 * DAY_MS;
/** Twice as long as a key is valid. */
const IDEMPOTENCY_MS = 2 * DAY_MS;
/** Budgets apply to one day. */
const SPENDING_MS = 30 * DAY_MS;

/** Archives and deletes what is old once an hour, until disposed. Several processes may do so at the same time. */
export function startSweeper(deps: SweeperDeps): AsyncDisposable {
  const sweepOnce = async (signal: AbortSignal) => {
    try {
      const swept = await sweep(deps, signal);
      if (swept.archivedJobs > 0 || swept.deletedEvents > 0) deps.logger.info(swept, "swept");
    } catch (error) {
      deps.logger.error({ err: error }, "sweeping failed");
    }
  };
  return repeat(sweepOnce, { firstAfterMs: FIRST_AFTER_MS, everyMs: EVERY_MS });
}

interface Swept {
  archivedJobs: number;
  /** Events of webhooks, with their deliveries. */
  deletedEvents: number;
}

/**
 * One round: archives jobs after 30 days without activity; deletes webhook deliveries after `deliveryDays` days, runs of
 * automations after 90, idempotency keys after 2 and daily spending after 30.
 */
export async function sweep(deps: SweeperDeps, signal: AbortSignal): Promise<Swept> {
  const { database, time } = deps;
  const now = (await time.now()).getTime();
  let archivedJobs = 0;
  for (;;) {
    const archived = await archiveIdleJobs(deps, { before: now - IDLE_MS, limit: BATCH });
    archivedJobs += archived;
    if (archived < BATCH || signal.aborted) break;
  }
  const { kysely } = database;
  const deletedEvents = await inBatches((limit) => {
    const old = kysely
      .selectFrom("webhook_event")
      .select("id")
      .where("created_at", "<", now - deps.deliveryDays * DAY_MS)
      .where("id", "not in", (builder) =>
        builder.selectFrom("webhook_delivery").select("event_id").where("status", "=", "pending"),
      );
    return deletedRows(kysely.deleteFrom("webhook_event").where("id", "in", old.limit(limit)));
  }, signal);
  await kysely
    .deleteFrom("automation_run")
    .where("started_at", "<", now - RUN_LOG_MS)
    .execute();
  await kysely
    .deleteFrom("idempotency_key")
    .where("created_at", "<", now - IDEMPOTENCY_MS)
    .execute();
  await kysely
    .deleteFrom("project_spending")
    .where("day", "<", spendingDay(now - SPENDING_MS))
    .execute();
  return { archivedJobs, deletedEvents };
}
