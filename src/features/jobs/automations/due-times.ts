import type { Database } from "#db/database.ts";
import { isClockBehind } from "#db/trusted-time.ts";
import { type Clock, DAY_MS } from "#lib/clock.ts";
import type { Logger } from "#lib/logger.ts";
import { type Automation, fromRow } from "./automations.ts";
import { nextSlot } from "./cron.ts";

/** Longer than any run is put off: a daily quota ends at midnight. */
const LONGEST_PUT_OFF_MS = DAY_MS + 60_000;

/**
 * The due time that an automation should have, if its own was computed by a clock that was ahead; null if its own may be
 * right. A slot later than the next one cannot be. A run that was put off is due between slots, soon.
 */
export function correctedDueTime({ trigger, dueAt, dueBy }: Automation, now: Date): Date | null {
  if (dueAt === null || dueAt <= now) return null;
  const isLate = dueAt.getTime() - now.getTime() > LONGEST_PUT_OFF_MS;
  if (trigger.kind !== "schedule" || dueBy !== "schedule") return isLate ? now : null;
  const next = nextSlot(trigger, now);
  if (next === null || dueAt <= next) return null;
  const isSlot = nextSlot(trigger, new Date(dueAt.getTime() - 1_000))?.getTime() === dueAt.getTime();
  return isSlot || isLate ? next : null;
}

/** Automations whose due time was computed by a clock that was ahead, with the right one. */
export async function findWrongDueTimes(
  { kysely }: Pick<Database, "kysely">,
  now: Date,
): Promise<{ automation: Automation; dueAt: Date }[]> {
  const rows = await kysely.selectFrom("automation").selectAll().where("due_at", ">", now.getTime()).execute();
  return rows.map(fromRow).flatMap((automation) => {
    const dueAt = correctedDueTime(automation, now);
    return dueAt === null ? [] : [{ automation, dueAt }];
  });
}

/**
 * Corrects due times that a clock computed which was ahead; only one of several nodes corrects one. Does nothing while
 * the clock is behind, as on a machine that has not asked for the time yet: right due times look late then, and each
 * automation would run once more when the clock is set.
 */
export async function correctDueTimes({
  submit: { database, clock },
  logger,
}: {
  submit: { database: Database; clock: Clock };
  logger: Logger;
}): Promise<void> {
  const now = clock.now();
  const wrong = await findWrongDueTimes(database, now);
  if (wrong.length === 0 || (await isClockBehind(database, now))) return;
  for (const { automation, dueAt } of wrong) {
    const taken = await database.kysely
      .updateTable("automation")
      .set({ due_at: dueAt.getTime() })
      .where("id", "=", automation.id)
      .where("due_at", "=", automation.dueAt!.getTime())
      .returning("id")
      .executeTakeFirst();
    if (!taken) continue;
    logger.warn(
      { automationId: automation.id, projectId: automation.projectId, was: automation.dueAt, dueAt },
      "the next run of an automation was computed by a clock that was ahead, and is corrected",
    );
  }
}
