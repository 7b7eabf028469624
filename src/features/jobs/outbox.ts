import { z } from "zod";
import type { Database, DatabaseTransaction } from "#db/database.ts";
import { newId } from "#lib/ids.ts";
import type { JobEventData } from "./events.ts";
import { jobFromRow, type JobRow, JobColumns, StoredError, StoredPullRequest, StoredWaiting } from "./job-rows.ts";
import { endsJob } from "./job-mail.ts";
import { type Job, StoredPlan } from "./job.ts";

/** Events that a webhook can subscribe to. */
export const WEBHOOK_EVENTS = [
  "job.completed",
  "job.failed",
  "job.archived",
  "message.refused",
  "pull_request.opened",
  "pull_request.updated",
  "pull_request.merged",
  "pull_request.closed",
  "pull_request.reopened",
] as const;
export type WebhookEventType = (typeof WEBHOOK_EVENTS)[number];

/** The event that tests a webhook. Endpoints do not subscribe to it. */
export const TEST_EVENT = "webhook.test";
/** Every event that may be sent to a webhook. */
export const SENT_EVENTS = [...WEBHOOK_EVENTS, TEST_EVENT] as const;
export type SentEventType = (typeof SENT_EVENTS)[number];

const isWebhookEvent = (type: string): type is WebhookEventType => WEBHOOK_EVENTS.some((known) => known === type);

/** The events that an endpoint subscribes to, without those that this version does not know. */
export const subscribedEvents = (events: string): WebhookEventType[] =>
  z.array(z.string()).parse(JSON.parse(events)).filter(isWebhookEvent);

/**
 * Writes deliveries for the project's subscribed webhooks in the transaction of the events, so that a delivery exists
 * exactly when its event is in the transcript. `job` is the row after the event. Call `announceEvents` after the commit.
 */
export async function recordForWebhooks(
  transaction: DatabaseTransaction,
  { database, job, events, at }: { database: Database; job: JobRow; events: readonly JobEventData[]; at: number },
): Promise<void> {
  const types = events.map((event) => event.type).filter(isWebhookEvent);
  if (types.length === 0) return;
  let query = transaction
    .selectFrom("webhook_endpoint")
    .select(["id", "events"])
    .where("project_id", "=", job.project_id)
    .where("disabled_at", "is", null);
  // The lock keeps an endpoint that is being deleted from failing the job with a missing row.
  if (database.engine === "postgres") query = query.forKeyShare();
  const endpoints = await query.execute();
  for (const type of types) {
    const subscribed = endpoints.filter(({ events: stored }) => subscribedEvents(stored).includes(type));
    if (subscribed.length === 0) continue;
    const id = newId("evt", new Date(at));
    await transaction
      .insertInto("webhook_event")
      .values({
        id,
        project_id: job.project_id,
        job_id: job.id,
        type,
        job: outboxText(jobFromRow(job)),
        created_at: at,
      })
      .execute();
    await transaction
      .insertInto("webhook_delivery")
      .values(subscribed.map((endpoint) => newDelivery({ endpointId: endpoint.id, eventId: id, at })))
      .execute();
  }
}

/** The row of a delivery that is due immediately. */
export const newDelivery = ({ endpointId, eventId, at }: { endpointId: string; eventId: string; at: number }) => ({
  id: newId("dlv", new Date(at)),
  endpoint_id: endpointId,
  event_id: eventId,
  status: "pending" as const,
  attempt: 0,
  failures: 0,
  next_attempt_at: at,
  lease_until: null,
  created_at: at,
  ended_at: null,
});

/** Wakes the streams that follow the job and the workers that deliver webhooks and mail. */
export function announceEvents(database: Database, jobId: string, events: readonly JobEventData[]): void {
  database.wakeUp.notify("job_event", jobId);
  if (events.some((event) => isWebhookEvent(event.type))) database.wakeUp.notify("outbox");
  if (events.some(endsJob)) database.wakeUp.notify("mail");
}

const StoredJob = z.object({
  id: JobColumns.shape.id,
  projectId: JobColumns.shape.project_id,
  status: JobColumns.shape.status,
  phase: JobColumns.shape.phase,
  waiting: StoredWaiting.nullable().default(null),
  notice: z.string().nullable().default(null),
  title: z.string().nullable(),
  summary: z.string().nullable(),
  changed: z.boolean().default(false),
  question: z.string().nullable().default(null),
  error: StoredError.nullable(),
  refusal: StoredError.nullable().default(null),
  model: z.string(),
  baseRef: z.string(),
  branch: z.string().nullable(),
  draft: z.boolean(),
  dryRun: z.boolean().default(false),
  effort: JobColumns.shape.effort,
  plan: StoredPlan.nullable().default(null),
  pullRequest: StoredPullRequest.nullable(),
  messageCount: z.number(),
  handledCount: z.number(),
  usage: z.object({
    steps: z.number(),
    inputTokens: z.number(),
    cachedTokens: z.number(),
    outputTokens: z.number(),
    costMicroUsd: z.number(),
  }),
  automationId: z.string().nullable(),
  revision: z.number(),
  createdAt: z.coerce.date(),
  updatedAt: z.coerce.date(),
  archivedAt: z.coerce.date().nullable(),
  transcriptDeletedAt: z.coerce.date().nullable().default(null),
}) satisfies z.ZodType<Job>;

const Stored = z.union([
  z.object({ version: z.literal(1), job: StoredJob }).transform(({ job }) => job),
  // Earlier versions stored the row of the job.
  JobColumns.transform(jobFromRow),
]);

/** A job at the time of an event, in the form that the outbox keeps until the event is delivered. */
const outboxText = (job: Job): string => JSON.stringify({ version: 1, job });

export const jobFromOutbox = (text: string): Job => Stored.parse(JSON.parse(text));
