import type { Database, Queryable } from "#db/database.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import type { JobId, ProjectId } from "#lib/ids.ts";
import { appendEvents, type JobEventData } from "#jobs/events.ts";
import { claimKey, type IdempotencyKey } from "#jobs/idempotency.ts";
import { type Job, jobError } from "#jobs/job.ts";
import { jobFromRow, type JobRow } from "#jobs/job-rows.ts";
import { recordForWebhooks } from "#jobs/outbox.ts";
import { databaseNow, isLeased } from "#jobs/queue/queue.ts";

interface Deps {
  database: Database;
  clock: Clock;
  redact(text: string): string;
}

/**
 * Asks for the end of a job's work. A queued job fails at once; a running one within two seconds, its worker notices.
 * With `keepWork` what the agent has made in this turn is published first, as of any turn that ends early.
 * `AppError conflict` when the job is not active, `not_found`.
 */
export async function cancelJob(
  { database, clock, redact }: Deps,
  { projectId, jobId, keepWork = false }: { projectId: ProjectId; jobId: JobId; keepWork?: boolean },
  idempotency: IdempotencyKey | null = null,
): Promise<Job> {
  const at = clock.now().getTime();
  const job = await database.transaction(async (transaction) => {
    await claimKey(transaction, idempotency, { outcome: jobId, at });
    let query = transaction.selectFrom("job").selectAll().where("id", "=", jobId).where("project_id", "=", projectId);
    if (database.engine === "postgres") query = query.forUpdate();
    const row = await query.executeTakeFirst();
    if (!row) throw new AppError("not_found", "There is no such job.");
    if (row.status !== "active")
      throw new AppError("conflict", `This job is ${row.status}; only an active job can be cancelled.`);
    const isRunning = await isLeased(transaction, { database, clock }, jobId);
    const update = transaction.updateTable("job").where("id", "=", jobId).returningAll();
    // Only a worker can publish: it takes the job once more where it is waiting between two attempts.
    if (isRunning || (keepWork && (await hasWork(transaction, row)))) {
      const request = { cancel_requested_at: at, cancel_keeps_work: keepWork ? 1 : 0 } as const;
      const due = isRunning ? {} : { run_after: databaseNow(database, clock) };
      return jobFromRow(await update.set({ ...request, ...due }).executeTakeFirstOrThrow());
    }
    const error = jobError("cancelled", "The job was cancelled.");
    const events: JobEventData[] = [{ type: "job.failed", error }];
    const eventSeq = await appendEvents(transaction, {
      jobId,
      lastSeq: row.event_seq,
      turn: row.done_seq + 1,
      at,
      events,
      redact,
    });
    const cancelled = await update
      .set({
        status: "failed",
        phase: "idle",
        error: JSON.stringify(error),
        done_seq: row.msg_seq,
        fence: row.fence + 1,
        lease_owner: null,
        lease_until: null,
        attempt: 0,
        deaths: 0,
        event_seq: eventSeq,
        revision: row.revision + 1,
        updated_at: at,
      })
      .executeTakeFirstOrThrow();
    await recordForWebhooks(transaction, { database, job: cancelled, events, at });
    return jobFromRow(cancelled);
  });
  database.wakeUp.notify("job", jobId);
  database.wakeUp.notify("job_event", jobId);
  if (job.status === "failed") database.wakeUp.notify("outbox");
  return job;
}

/** Whether the turn that a job is at has a stored step with changed files. */
async function hasWork(queryable: Queryable, { id, done_seq }: JobRow): Promise<boolean> {
  const row = await queryable
    .selectFrom("job_step")
    .select("step")
    .where("job_id", "=", id)
    .where("turn", "=", done_seq + 1)
    .where("tree", "is not", null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether the work of a cancelled job is to be published. */
export async function keepsWork({ database }: Pick<Deps, "database">, jobId: JobId): Promise<boolean> {
  const query = database.kysely.selectFrom("job").select("cancel_keeps_work").where("id", "=", jobId);
  return (await query.executeTakeFirst())?.cancel_keeps_work === 1;
}

/** The last message that a cancellation covers, 0 without one: those accepted before it. Later ones are still handled. */
export async function lastCancelled(
  queryable: Queryable,
  job: Pick<JobRow, "id" | "cancel_requested_at">,
): Promise<number> {
  if (job.cancel_requested_at === null) return 0;
  const row = await queryable
    .selectFrom("job_message")
    .select((expression) => expression.fn.max("seq").as("seq"))
    .where("job_id", "=", job.id)
    .where("created_at", "<=", job.cancel_requested_at)
    .executeTakeFirst();
  return row?.seq ?? 0;
}
