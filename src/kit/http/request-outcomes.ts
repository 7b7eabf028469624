import { createHash } from "node:crypto";
import type { Database, DatabaseTransaction, Queryable } from "#db/database.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import type { ProjectId } from "#lib/ids.ts";

/** Identifies a repeated request: the caller's key, and a hash of the request. */
export interface IdempotencyKey {
  /** Null for requests outside a project, such as creating one. */
  projectId: ProjectId | null;
  /** Hash of the caller's key: people derive keys from what they have at hand, tokens among it. */
  keyHash: string;
  requestHash: string;
}

const INSTANCE = "instance";
const KEPT_MS = 24 * 3_600_000;

/** `asked` is the request as sent, before defaults that may differ at the next attempt. */
export function idempotencyKey(projectId: ProjectId | null, key: string, asked: unknown): IdempotencyKey {
  return { projectId, keyHash: sha256(key), requestHash: sha256(JSON.stringify(asked)) };
}

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** Identifies a form by its field `once`: sent twice, it is carried out once. Null for a form without it. */
export function formKey(projectId: ProjectId, once: string, asked: unknown): IdempotencyKey | null {
  const name = /^req_[0-9a-z]{26}$/.exec(once)?.[0];
  return name === undefined ? null : idempotencyKey(projectId, `form ${name}`, asked);
}

/** Ends a transaction that found its key claimed by the same request. Only `onlyOnce` catches it. */
class RepeatedRequest extends Error {
  readonly outcome: string;
  constructor(outcome: string) {
    super("This request was carried out before.");
    this.outcome = outcome;
  }
}

/**
 * Carries a request out once, or repeats its response within 24 hours, also under concurrency. `carryOut` claims the
 * key with `claimKey` in the transaction that does the work, so that a failed attempt may be retried. `repeat` gets the
 * outcome that was claimed, and returns null when that has been deleted. The store is queried first, before anything
 * that may have changed since, such as a branch. `AppError idempotency_mismatch`, `conflict`.
 */
export async function onlyOnce<T>(
  { database, clock }: { database: Database; clock: Clock },
  idempotency: IdempotencyKey | null,
  request: { carryOut(): Promise<T>; repeat(outcome: string): Promise<T | null> },
): Promise<{ answer: T; isReplay: boolean }> {
  if (!idempotency) return { answer: await request.carryOut(), isReplay: false };
  let outcome = await findOutcome(database.kysely, idempotency, clock.now().getTime());
  if (outcome === null) {
    try {
      return { answer: await request.carryOut(), isReplay: false };
    } catch (error) {
      if (error instanceof RepeatedRequest) outcome = error.outcome;
      // The conflict may be with the result of the same request, made just before this one looked.
      else if (error instanceof AppError && error.code === "conflict") {
        outcome = await findOutcome(database.kysely, idempotency, clock.now().getTime());
      }
      if (outcome === null) throw error;
    }
  }
  const answer = await request.repeat(outcome);
  if (answer === null) {
    throw new AppError(
      "conflict",
      "What the request with this Idempotency-Key made has been deleted. Use another key.",
    );
  }
  return { answer, isReplay: true };
}

/**
 * The first statement of a transaction that creates or changes `outcome`. Concurrent claims wait for the first one's
 * commit. A null key: the caller sent none. Call it inside `onlyOnce`. `AppError idempotency_mismatch`.
 */
export async function claimKey(
  transaction: DatabaseTransaction,
  idempotency: IdempotencyKey | null,
  { outcome, at }: { outcome: string; at: number },
): Promise<void> {
  if (!idempotency) return;
  const { projectId, keyHash, requestHash } = idempotency;
  const taken = await transaction
    .insertInto("idempotency_key")
    .values({
      owner: ownerOf(projectId),
      project_id: projectId,
      key: keyHash,
      body_hash: requestHash,
      outcome,
      created_at: at,
    })
    .onConflict((conflict) =>
      conflict
        .columns(["owner", "key"])
        .doUpdateSet({ body_hash: requestHash, outcome, created_at: at })
        .where(({ eb, and, or }) =>
          or([
            eb("idempotency_key.created_at", "<=", at - KEPT_MS),
            and([
              eb("idempotency_key.created_at", ">", at + KEPT_MS),
              eb("idempotency_key.body_hash", "!=", requestHash),
            ]),
          ]),
        ),
    )
    .returning("outcome")
    .executeTakeFirst();
  if (taken) return;
  const before = await findOutcome(transaction, idempotency, at);
  throw new RepeatedRequest(before ?? outcome);
}

/** Cannot collide: a project's owner is its id. */
const ownerOf = (projectId: ProjectId | null): string => projectId ?? INSTANCE;

/** Replaces an outcome that is known only after the request was carried out. */
export async function storeOutcome(
  queryable: Queryable,
  { projectId, keyHash }: IdempotencyKey,
  outcome: string,
): Promise<void> {
  await queryable
    .updateTable("idempotency_key")
    .set({ outcome })
    .where("owner", "=", ownerOf(projectId))
    .where("key", "=", keyHash)
    .execute();
}

async function findOutcome(
  queryable: Queryable,
  { projectId, keyHash, requestHash }: IdempotencyKey,
  now: number,
): Promise<string | null> {
  const known = await queryable
    .selectFrom("idempotency_key")
    .select(["body_hash", "outcome", "created_at"])
    .where("owner", "=", ownerOf(projectId))
    .where("key", "=", keyHash)
    .executeTakeFirst();
  if (!known || isFree(known, requestHash, now)) return null;
  if (known.body_hash === requestHash) return known.outcome;
  throw new AppError(
    "idempotency_mismatch",
    "This Idempotency-Key was used with another request in the last 24 hours.",
  );
}

/**
 * Whether a key may be reused: after a day. A row that is further than that in the future was written by a wrong clock:
 * it still repeats its own request, but does not block others.
 */
function isFree(known: { body_hash: string; created_at: number }, requestHash: string, now: number): boolean {
  const { body_hash: hash, created_at: at } = known;
  return at <= now - KEPT_MS || (at > now + KEPT_MS && hash !== requestHash);
}
