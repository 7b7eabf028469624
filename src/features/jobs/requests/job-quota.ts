import { type Database, type DatabaseTransaction, insideTransaction } from "#db/database.ts";
import { spendingDay } from "#features/jobs/queue/spending.ts";
import { findProject } from "#features/projects/projects.ts";
import { quotaAdvice, quotasOf } from "#features/projects/quotas.ts";
import { AppError } from "#lib/app-error.ts";
import { DAY_MS } from "#lib/clock.ts";
import type { ProjectId } from "#lib/ids.ts";

/** The largest number that the column holds. */
const NO_LIMIT = 2_147_483_647;

/**
 * Counts a new job of a project for the day in UTC, in the transaction that creates it. Deleted jobs still count. One row
 * and one upsert, so that the quota holds across nodes. `AppError rate_limited` when the quota is used up.
 */
export async function countNewJob(
  transaction: DatabaseTransaction,
  { database, jobsPerDay }: { database: Database; jobsPerDay: number | null },
  { projectId, now }: { projectId: ProjectId; now: Date },
): Promise<void> {
  const project = await findProject({ database: insideTransaction(database, transaction) }, projectId);
  if (!project) return; // the job's foreign key fails then
  const limit = quotasOf({ jobsPerDay, storageMb: null }, project).jobsPerDay;
  const counted = await transaction
    .insertInto("project_spending")
    .values({
      project_id: projectId,
      day: spendingDay(now.getTime()),
      weighted_tokens: 0,
      output_tokens: 0,
      cost_micro_usd: 0,
      jobs: 1,
    })
    .onConflict((conflict) =>
      conflict
        .columns(["project_id", "day"])
        .doUpdateSet((expression) => ({ jobs: expression("project_spending.jobs", "+", 1) }))
        .where("project_spending.jobs", "<", limit ?? NO_LIMIT),
    )
    .returning("jobs")
    .executeTakeFirst();
  if (counted) return;
  const retryAfterSeconds = Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / 1_000);
  throw new AppError(
    "rate_limited",
    `This project has created ${limit} jobs today, which is its quota (jobsPerDay). It takes new ones from 00:00 UTC. ${quotaAdvice(project, "jobsPerDay")}`,
    { retryAfterSeconds },
  );
}

/** How many jobs a project created today, by UTC. */
export async function jobsToday(
  { kysely }: Pick<Database, "kysely">,
  { projectId, now }: { projectId: ProjectId; now: Date },
): Promise<number> {
  const row = await kysely
    .selectFrom("project_spending")
    .select("jobs")
    .where("project_id", "=", projectId)
    .where("day", "=", spendingDay(now.getTime()))
    .executeTakeFirst();
  return row?.jobs ?? 0;
}
