import { z } from "zod";
import type { Database } from "#db/database.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import { claimKey, type IdempotencyKey } from "#kit/http/request-outcomes.ts";
import { type ListPage, pageOf, readCursor } from "#features/jobs/list.ts";
import { SENT_EVENTS, type SentEventType } from "#features/jobs/outbox.ts";
import { isWebhookEnabled, type WebhookName } from "./webhook-endpoints.ts";

const EventType = z.enum(SENT_EVENTS);

interface Deps {
  database: Database;
  clock: Clock;
}

export interface DeliveryName extends WebhookName {
  deliveryId: string;
}

export type DeliveryStatus = "pending" | "delivered" | "failed";

/** One event for one endpoint, with every finished attempt. */
export interface WebhookDelivery {
  id: string;
  /** The `webhook-id` that the receiver sees, the same in every attempt. */
  eventId: string;
  type: SentEventType;
  /** Null for a test, which belongs to no job. */
  jobId: string | null;
  status: DeliveryStatus;
  /** Null once it has ended. */
  nextAttemptAt: Date | null;
  createdAt: Date;
  endedAt: Date | null;
  attempts: {
    attempt: number;
    startedAt: Date;
    durationMs: number;
    /** Null without a response; `error` then says why. */
    status: number | null;
    error: string | null;
    /** Start of the response body. */
    response: string | null;
  }[];
}

/** The delivery log of an endpoint, newest first. `AppError not_found`, `invalid` for a bad cursor. */
export async function listDeliveries(
  { database }: Pick<Deps, "database">,
  name: WebhookName,
  options: { status: DeliveryStatus | null; limit: number; cursor: string | null },
): Promise<ListPage<WebhookDelivery>> {
  await isWebhookEnabled({ database }, name); // throws not_found
  let query = deliveryRows(database)
    .where("webhook_delivery.endpoint_id", "=", name.webhookId)
    .orderBy("webhook_delivery.id", "desc")
    .limit(options.limit + 1);
  if (options.status !== null) query = query.where("webhook_delivery.status", "=", options.status);
  if (options.cursor !== null) query = query.where("webhook_delivery.id", "<", readCursor(options.cursor, "dlv"));
  const rows = await query.execute();
  const attempts = await attemptsOf(
    database,
    rows.slice(0, options.limit).map((row) => row.id),
  );
  return pageOf(rows, options.limit, (row) => fromRow(row, attempts.get(row.id) ?? []));
}

/** Delivers again, as a new round of attempts with the same `webhook-id`. `AppError not_found`, `conflict`. */
export async function redeliver(
  { database, clock }: Deps,
  name: DeliveryName,
  idempotency: IdempotencyKey | null = null,
): Promise<WebhookDelivery> {
  const { deliveryId } = name;
  if (!(await isWebhookEnabled({ database }, name)))
    throw new AppError("conflict", "This webhook is disabled. Enable it first.");
  const at = clock.now().getTime();
  await database.transaction(async (transaction) => {
    await claimKey(transaction, idempotency, { outcome: deliveryId, at });
    await transaction
      .updateTable("webhook_delivery")
      .set({ status: "pending", failures: 0, next_attempt_at: at, ended_at: null })
      .where("id", "=", deliveryId)
      .where("endpoint_id", "=", name.webhookId)
      .returning("id")
      .executeTakeFirstOrThrow(noDelivery);
  });
  database.wakeUp.notify("outbox");
  const delivery = await findDelivery({ database }, name);
  if (!delivery) throw noDelivery();
  return delivery;
}

const noDelivery = () => new AppError("not_found", "There is no such delivery.");

/** One delivery of a webhook of the project. */
export async function findDelivery(
  { database }: Pick<Deps, "database">,
  { projectId, webhookId, deliveryId }: DeliveryName,
): Promise<WebhookDelivery | null> {
  const row = await deliveryRows(database)
    .innerJoin("webhook_endpoint", "webhook_endpoint.id", "webhook_delivery.endpoint_id")
    .where("webhook_delivery.id", "=", deliveryId)
    .where("webhook_endpoint.id", "=", webhookId)
    .where("webhook_endpoint.project_id", "=", projectId)
    .executeTakeFirst();
  return row ? fromRow(row, (await attemptsOf(database, [deliveryId])).get(deliveryId) ?? []) : null;
}

const deliveryRows = (database: Database) =>
  database.kysely
    .selectFrom("webhook_delivery")
    .innerJoin("webhook_event", "webhook_event.id", "webhook_delivery.event_id")
    .selectAll("webhook_delivery")
    .select(["webhook_event.type", "webhook_event.job_id"]);

type DeliveryRow = Awaited<ReturnType<ReturnType<typeof deliveryRows>["execute"]>>[number];

async function attemptsOf(
  database: Database,
  ids: readonly string[],
): Promise<Map<string, WebhookDelivery["attempts"]>> {
  const byDelivery = new Map<string, WebhookDelivery["attempts"]>();
  if (ids.length === 0) return byDelivery;
  const rows = await database.kysely
    .selectFrom("webhook_attempt")
    .selectAll()
    .where("delivery_id", "in", ids)
    .orderBy("attempt")
    .execute();
  for (const row of rows) {
    const list = byDelivery.get(row.delivery_id) ?? [];
    byDelivery.set(row.delivery_id, list);
    list.push({
      attempt: row.attempt,
      startedAt: new Date(row.started_at),
      durationMs: row.duration_ms,
      status: row.status,
      error: row.error,
      response: row.response,
    });
  }
  return byDelivery;
}

function fromRow(row: DeliveryRow, attempts: WebhookDelivery["attempts"]): WebhookDelivery {
  return {
    id: row.id,
    eventId: row.event_id,
    type: EventType.parse(row.type),
    jobId: row.job_id || null,
    status: row.status,
    nextAttemptAt: row.status === "pending" ? new Date(row.next_attempt_at) : null,
    createdAt: new Date(row.created_at),
    endedAt: row.ended_at === null ? null : new Date(row.ended_at),
    attempts,
  };
}
