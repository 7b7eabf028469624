import type { Database } from "#db/database.ts";
import { jobFromRow } from "#features/jobs/job-rows.ts";
import { announceMessage, lastMessage, retryIn, type SubmitDeps } from "#features/jobs/requests/submit.ts";
import { AppError } from "#lib/app-error.ts";
import type { JobId, ProjectId } from "#lib/ids.ts";
import type { Logger } from "#lib/logger.ts";

const MINUTE_MS = 60_000;
/**
 * Pauses before each retry. A retried job itself waits up to an hour for its provider, so six retries cover an outage of
 * one night. After that, people must retry it.
 */
const PAUSES_MS = [10, 30, 60, 120, 240, 480].map((minutes) => minutes * MINUTE_MS);
const LONGEST_PAUSE_MS = Math.max(...PAUSES_MS);
const MAX_WAITING = 200;

interface WaitingRetry {
  automationId: string;
  projectId: ProjectId;
  number: number;
  jobId: JobId;
  retries: number;
  dueAt: Date;
}

/**
 * The newest runs of automations that an outage ended and that will be retried. A run is no longer retried once its
 * automation is paused or has run again, or once someone sent its job another message.
 */
export async function waitingRetries(
  { kysely }: Pick<Database, "kysely">,
  { automationId }: { automationId?: string } = {},
): Promise<WaitingRetry[]> {
  let query = kysely
    .selectFrom("automation")
    .innerJoin("automation_run as run", (join) =>
      join.onRef("run.automation_id", "=", "automation.id").onRef("run.number", "=", "automation.runs"),
    )
    .innerJoin("job", "job.id", "run.job_id")
    .selectAll("job")
    .select(["automation.id as automation", "run.number", "run.retries", "run.message_seq"])
    .where("automation.enabled", "=", 1)
    .where("job.status", "=", "failed")
    .where("run.retries", "<", PAUSES_MS.length)
    .orderBy("job.updated_at")
    .limit(MAX_WAITING);
  if (automationId !== undefined) query = query.where("automation.id", "=", automationId);
  const rows = await query.execute();
  return rows.flatMap(({ automation, number, retries, message_seq: seq, ...row }) => {
    const job = jobFromRow(row);
    if (job.error?.outage !== true || job.messageCount !== (seq ?? 0) + retries) return [];
    const dueAt = new Date(job.updatedAt.getTime() + PAUSES_MS[retries]!);
    return [{ automationId: automation, projectId: job.projectId, number, jobId: job.id, retries, dueAt }];
  });
}

/** Retries the runs that are due; only one of several nodes retries a run. Returns how many runs this node retried. */
export async function retryAfterOutages(deps: { submit: SubmitDeps; logger: Logger }): Promise<number> {
  const { database, clock } = deps.submit;
  const now = clock.now();
  const due = (await waitingRetries(database)).filter(
    // Further ahead than any pause: the run ended while the clock was ahead.
    ({ dueAt }) => dueAt <= now || dueAt.getTime() - now.getTime() > LONGEST_PAUSE_MS,
  );
  let retried = 0;
  for (const { dueAt: _dueAt, ...run } of due) {
    try {
      if (await retryOnce(deps.submit, run, now)) {
        retried++;
        deps.logger.info(run, "automation run again after an outage");
      }
    } catch (error) {
      // The hourly limit is reached, or the job changed meanwhile: the next poll reads its new state.
      if (!(error instanceof AppError)) throw error;
      deps.logger.info({ ...run, reason: error.message }, "automation not run again yet");
    }
  }
  return retried;
}

async function retryOnce(submit: SubmitDeps, run: Omit<WaitingRetry, "dueAt">, now: Date): Promise<boolean> {
  const { automationId, projectId, jobId, number, retries } = run;
  const taken = await submit.database.transaction(async (transaction) => {
    const row = await transaction
      .updateTable("automation_run")
      .set({ retries: retries + 1, retried_at: now.getTime() })
      .where("automation_id", "=", automationId)
      .where("number", "=", number)
      .where("retries", "=", retries)
      .returning("number")
      .executeTakeFirst();
    return row ? retryIn(transaction, submit, { projectId, jobId, now }) : null;
  });
  if (!taken) return false;
  announceMessage(submit.database, lastMessage(taken.job));
  return true;
}
