import type { Database, Queryable } from "#db/database.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import type { JobId, ProjectId } from "#lib/ids.ts";
import { appendEvents, type JobEventData } from "./events.ts";
import { type Job, jobError } from "./job.ts";
import { jobFromRow, type JobRow } from "./job-rows.ts";
import { recordForWebhooks } from "./outbox.ts";

interface Deps {
  database: Database;
  clock: Clock;
  redact(text: string): string;
}

/**
 * Asks for the end of a job's work. A queued job fails at once; a running one within two seconds, its worker notices.
 * `AppError conflict` when the job is not active, `not_found`.
 */
export async function cancelJob(
  { database, clock, redact }: Deps,
  { projectId, jobId }: { projectId: ProjectId; jobId: JobId },
): Promise<Job> {
  const at = clock.now().getTime();
  const job = await database.transaction(async (transaction) => {
    let query = transaction.selectFrom("job").selectAll().where("id", "=", jobId).where("project_id", "=", projectId);
    if (database.engine === "postgres") query = query.forUpdate();
    const row = await query.executeTakeFirst();
    if (!row) throw new AppError("not_found", "There is no such job.");
    if (row.status !== "active")
      throw new AppError("conflict", `This job is ${row.status}; only an active job can be cancelled.`);
    const isRunning = row.lease_until !== null && row.lease_until > at;
    const update = transaction.updateTable("job").where("id", "=", jobId).returningAll();
    if (isRunning) return jobFromRow(await update.set({ cancel_requested_at: at }).executeTakeFirstOrThrow());
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
