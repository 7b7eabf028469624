import { sql } from "kysely";
import type { Database } from "#db/database.ts";
import type { Clock } from "#lib/clock.ts";
import { disableWebhook } from "./webhook-endpoints.ts";

interface Deps {
  database: Database;
  clock: Clock;
}

/** A hold on one due delivery. `attempt` is its fence: the outcome is ignored after a later claim. */
export interface DeliveryClaim {
  id: string;
  endpointId: string;
  eventId: string;
  attempt: number;
  failures: number;
}

/** Seconds to the next attempt after the first failure, the second …: eleven attempts in 23 h 43 min. */
export const RETRY_SECONDS = [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 28_800] as const;
const JITTER = 0.2;
/** An endpoint without a successful attempt for this long is disabled when a delivery is given up. */
const MAX_FAILING_MS = 3 * 24 * 3_600_000;
const MAX_RETRY_AFTER_MS = 6 * 3_600_000;
/** The longest delay of an attempt. A time further ahead was written by a wrong clock, and the attempt is due. */
const MAX_WAIT_MS = Math.max(...RETRY_SECONDS) * 1_000 * (1 + JITTER);

/** Claims the delivery that has been due the longest, if any, of an endpoint that is not in `busy`. */
export async function claimDelivery(
  { database, clock }: Deps,
  { leaseMs, busy }: { leaseMs: number; busy: readonly string[] },
): Promise<DeliveryClaim | null> {
  const now = clock.now().getTime();
  const lock = database.engine === "postgres" ? sql`for update skip locked` : sql``;
  const others = busy.length > 0 ? sql`and endpoint_id not in (${sql.join(busy)})` : sql``;
  const candidate = sql<string>`(
    select id from webhook_delivery
    where status = 'pending' and (next_attempt_at <= ${now} or next_attempt_at > ${now + MAX_WAIT_MS})
      and (lease_until is null or lease_until <= ${now} or lease_until > ${now + 2 * leaseMs}) ${others}
    order by next_attempt_at, id limit 1 ${lock})`;
  const row = await database.kysely
    .updateTable("webhook_delivery")
    .set((expression) => ({ lease_until: now + leaseMs, attempt: expression("attempt", "+", 1) }))
    .where("id", "=", candidate)
    .returningAll()
    .executeTakeFirst();
  if (!row) return null;
  return {
    id: row.id,
    endpointId: row.endpoint_id,
    eventId: row.event_id,
    attempt: row.attempt,
    failures: row.failures,
  };
}

/** Releases a claimed delivery when this process stops. */
export async function releaseDelivery({ database }: Pick<Deps, "database">, claim: DeliveryClaim): Promise<void> {
  await database.kysely
    .updateTable("webhook_delivery")
    .set({ lease_until: null })
    .where("id", "=", claim.id)
    .where("attempt", "=", claim.attempt)
    .execute();
}

export interface AttemptOutcome {
  startedAt: Date;
  durationMs: number;
  status: number | null;
  error: string | null;
  response: string | null;
  retryAfterMs: number | null;
  /** Whether a retry is useless. */
  isFinal: boolean;
}

/** Logs an attempt and decides what comes next, unless the claim is no longer the latest. */
export async function recordAttempt(
  { database, clock, random }: Deps & { random(): number },
  claim: DeliveryClaim,
  outcome: AttemptOutcome,
): Promise<{ status: "pending" | "delivered" | "failed"; isDisabled: boolean }> {
  const at = clock.now().getTime();
  const isDelivered = outcome.status !== null && outcome.status >= 200 && outcome.status < 300;
  const failures = claim.failures + 1;
  const retrySeconds = RETRY_SECONDS[failures - 1];
  const mayRetry = retrySeconds !== undefined && !outcome.isFinal;
  const status = isDelivered ? "delivered" : mayRetry ? "pending" : "failed";
  const jittered = (retrySeconds ?? 0) * 1000 * (1 - JITTER + 2 * JITTER * random());
  const delayMs = Math.max(jittered, Math.min(outcome.retryAfterMs ?? 0, MAX_RETRY_AFTER_MS));
  return database.transaction(async (transaction) => {
    // Locks the endpoint before its deliveries, like a deletion does. The reverse order would cause deadlocks.
    if (database.engine === "postgres") {
      await transaction
        .selectFrom("webhook_endpoint")
        .select("id")
        .where("id", "=", claim.endpointId)
        .forNoKeyUpdate()
        .execute();
    }
    const held = await transaction
      .updateTable("webhook_delivery")
      .set({
        status,
        lease_until: null,
        ...(!isDelivered && { failures }),
        ...(status === "pending" ? { next_attempt_at: Math.round(at + delayMs) } : { ended_at: at }),
      })
      .where("id", "=", claim.id)
      .where("attempt", "=", claim.attempt)
      .where("status", "=", "pending")
      .returning("id")
      .executeTakeFirst();
    if (!held) return { status, isDisabled: false };
    await transaction
      .insertInto("webhook_attempt")
      .values({
        delivery_id: claim.id,
        attempt: claim.attempt,
        started_at: outcome.startedAt.getTime(),
        duration_ms: Math.round(outcome.durationMs),
        status: outcome.status,
        error: outcome.error,
        response: outcome.response,
      })
      .execute();
    const endpoint = await transaction
      .updateTable("webhook_endpoint")
      .set((expression) => ({
        failing_since: isDelivered ? null : expression.fn.coalesce("failing_since", expression.val(at)),
      }))
      .where("id", "=", claim.endpointId)
      .returning("failing_since")
      .executeTakeFirst();
    const reason = disablingReason({ outcome, status, at, failingSince: endpoint?.failing_since ?? null });
    if (reason) await disableWebhook(transaction, { webhookId: claim.endpointId, at, reason });
    return { status, isDisabled: reason !== null };
  });
}

function disablingReason(end: {
  outcome: AttemptOutcome;
  status: "pending" | "delivered" | "failed";
  at: number;
  failingSince: number | null;
}): string | null {
  if (end.outcome.status === 410) return "The receiver answered 410 Gone, which disables the webhook.";
  if (end.status !== "failed" || end.failingSince === null || end.at - end.failingSince < MAX_FAILING_MS) return null;
  return `Every attempt since ${new Date(end.failingSince).toISOString()} failed.`;
}
