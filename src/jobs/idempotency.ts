import { createHash } from "node:crypto";
import type { Database, DatabaseTransaction, Queryable } from "#db/database.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import type { JobId, ProjectId } from "#lib/ids.ts";
import type { Job } from "./job.ts";
import { jobFromRow, type JobRow } from "./job-rows.ts";

/** What tells a repeated request from a new one: the caller's key, and the body as it was sent. */
export interface IdempotencyKey {
  projectId: ProjectId;
  key: string;
  bodyHash: string;
}

const KEPT_MS = 24 * 3_600_000;

/** `body` is what the caller said, before any default that may be another one at the next try. */
export function idempotencyKey(projectId: ProjectId, key: string, body: unknown): IdempotencyKey {
  return { projectId, key, bodyHash: createHash("sha256").update(JSON.stringify(body)).digest("hex") };
}

/**
 * The job that the same request made within 24 hours; null for a new one. To be asked before anything is looked at
 * that may have changed since, like a branch. `AppError idempotency_mismatch`, `conflict` when the job was deleted.
 */
export async function findRepeatedJob(
  { database, clock }: { database: Database; clock: Clock },
  idempotency: IdempotencyKey,
): Promise<Job | null> {
  const known = await findKey(database.kysely, idempotency);
  if (!known || known.key_created_at <= clock.now().getTime() - KEPT_MS) return null;
  return jobFromRow(sameRequest(known, idempotency));
}

/** Takes the key for `jobId`, or answers with the job that has it. Concurrent takers wait for the first one's commit. */
export async function claimIdempotencyKey(
  transaction: DatabaseTransaction,
  idempotency: IdempotencyKey,
  { jobId, at }: { jobId: JobId; at: number },
): Promise<JobRow | null> {
  const { projectId, key, bodyHash } = idempotency;
  const taken = await transaction
    .insertInto("idempotency_key")
    .values({ project_id: projectId, key, body_hash: bodyHash, job_id: jobId, created_at: at })
    .onConflict((conflict) =>
      conflict
        .columns(["project_id", "key"])
        .doUpdateSet({ body_hash: bodyHash, job_id: jobId, created_at: at })
        .where("idempotency_key.created_at", "<=", at - KEPT_MS),
    )
    .returning("job_id")
    .executeTakeFirst();
  return taken ? null : sameRequest(await findKey(transaction, idempotency), idempotency);
}

type KnownKey = Partial<JobRow> & { body_hash: string; key_created_at: number };

async function findKey(queryable: Queryable, { projectId, key }: IdempotencyKey): Promise<KnownKey | undefined> {
  return queryable
    .selectFrom("idempotency_key")
    .leftJoin("job", "job.id", "idempotency_key.job_id")
    .selectAll("job")
    .select(["idempotency_key.body_hash", "idempotency_key.created_at as key_created_at"])
    .where("idempotency_key.project_id", "=", projectId)
    .where("idempotency_key.key", "=", key)
    .executeTakeFirst() as Promise<KnownKey | undefined>;
}

function sameRequest(known: KnownKey | undefined, { bodyHash }: IdempotencyKey): JobRow {
  if (known && known.body_hash !== bodyHash) {
    throw new AppError(
      "idempotency_mismatch",
      "This Idempotency-Key was used with another request body in the last 24 hours.",
    );
  }
  if (!known?.id) {
    throw new AppError("conflict", "The job made with this Idempotency-Key has been deleted. Use another key.");
  }
  return known as JobRow;
}
