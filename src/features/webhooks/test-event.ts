import { z } from "zod";
import type { Database } from "#db/database.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import { newId, type JobId } from "#lib/ids.ts";
import { claimKey, type IdempotencyKey } from "#kit/http/request-outcomes.ts";
import { newDelivery, TEST_EVENT } from "#features/jobs/outbox.ts";
import { findDelivery, type WebhookDelivery } from "./webhook-deliveries.ts";
import { isWebhookEnabled, type WebhookName } from "./webhook-endpoints.ts";

/** The data of a test event: the webhook that it tests. */
const TestEventData = z.object({ projectId: z.string(), webhookId: z.string() });
export type TestEventData = z.infer<typeof TestEventData>;

/** `job_id` of an event that belongs to no job. */
export const NO_JOB = "" as JobId;

const HOUR_MS = 3_600_000;
/** Each test is stored for 30 days and sends a request to someone else's machine. */
const TESTS_PER_HOUR = 60;

/**
 * Sends a test event to one webhook, regardless of its subscriptions, through the outbox like any other event: signed,
 * retried and logged. `AppError not_found`, `conflict` for a disabled webhook, `rate_limited`.
 */
export async function sendTestEvent(
  { database, clock }: { database: Database; clock: Clock },
  name: WebhookName,
  idempotency: IdempotencyKey | null = null,
): Promise<WebhookDelivery> {
  const { projectId, webhookId } = name;
  if (!(await isWebhookEnabled({ database }, name)))
    throw new AppError("conflict", "This webhook is disabled. Enable it first.");
  const now = clock.now();
  const at = now.getTime();
  const eventId = newId("evt", now);
  const delivery = newDelivery({ endpointId: webhookId, eventId, at });
  await database.transaction(async (transaction) => {
    await claimKey(transaction, idempotency, { outcome: delivery.id, at });
    // Locks the endpoint's row, so that it is not deleted meanwhile and concurrent tests count each other.
    await transaction
      .updateTable("webhook_endpoint")
      .set((expression) => ({ updated_at: expression.ref("updated_at") }))
      .where("id", "=", webhookId)
      .where("project_id", "=", projectId)
      .returning("id")
      .executeTakeFirstOrThrow(() => new AppError("not_found", "There is no such webhook."));
    const sent = await transaction
      .selectFrom("webhook_delivery")
      .innerJoin("webhook_event", "webhook_event.id", "webhook_delivery.event_id")
      .select("webhook_delivery.created_at")
      .where("endpoint_id", "=", webhookId)
      .where("type", "=", TEST_EVENT)
      .where("webhook_delivery.created_at", ">", at - HOUR_MS)
      .where("webhook_delivery.created_at", "<=", at)
      .orderBy("webhook_delivery.created_at", "desc")
      .limit(TESTS_PER_HOUR)
      .execute();
    const oldest = sent[TESTS_PER_HOUR - 1];
    if (oldest) {
      throw new AppError("rate_limited", `A webhook is sent at most ${TESTS_PER_HOUR} test events an hour.`, {
        retryAfterSeconds: Math.ceil((oldest.created_at + HOUR_MS - at) / 1_000),
      });
    }
    const data: TestEventData = { projectId, webhookId };
    await transaction
      .insertInto("webhook_event")
      .values({
        id: eventId,
        project_id: projectId,
        job_id: NO_JOB,
        type: TEST_EVENT,
        job: JSON.stringify(data),
        created_at: at,
      })
      .execute();
    await transaction.insertInto("webhook_delivery").values(delivery).execute();
  });
  database.wakeUp.notify("outbox");
  const made = await findDelivery({ database }, { ...name, deliveryId: delivery.id });
  if (!made) throw new AppError("not_found", "There is no such webhook.");
  return made;
}

export const testEventFromOutbox = (text: string): TestEventData => TestEventData.parse(JSON.parse(text));
