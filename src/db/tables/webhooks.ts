import type { Generated } from "kysely";
import type { JobId, ProjectId } from "#lib/ids.ts";
import type { Immutable, Instant, JsonText } from "./projects.ts";

/** A project's endpoint for webhooks about its jobs. */
export interface WebhookEndpointTable {
  id: Immutable<string>;
  project_id: Immutable<ProjectId>;
  url: string;
  description: string | null;
  format: Generated<"standard" | "slack">;
  /** Names of events. */
  events: JsonText;
  /** `whsec_…`, sealed by the key vault. */
  secret: string;
  /** Sealed; also signs until `previous_until`, so that receivers can switch to the new secret. */
  previous_secret: string | null;
  previous_until: Instant | null;
  disabled_at: Instant | null;
  disabled_reason: string | null;
  /** First failed attempt since the last success. */
  failing_since: Instant | null;
  created_at: Immutable<Instant>;
  updated_at: Instant;
}

/** An event of a job, written in the same transaction; or a test of a webhook. */
export interface WebhookEventTable {
  /** The `webhook-id` of every attempt. */
  id: Immutable<string>;
  project_id: Immutable<ProjectId>;
  /** Empty for a test, which has no job. */
  job_id: Immutable<JobId>;
  type: Immutable<string>;
  /** The job at the time of the event (`features/jobs/outbox.ts`), or a test's payload (`features/webhooks/test-event.ts`). */
  job: Immutable<JsonText>;
  created_at: Immutable<Instant>;
}

/** One event for one endpoint; due if `pending`, `next_attempt_at` is past and no lease is running. */
export interface WebhookDeliveryTable {
  id: Immutable<string>;
  endpoint_id: Immutable<string>;
  event_id: Immutable<string>;
  status: "pending" | "delivered" | "failed";
  /** Increases with every claim; the outcome of an older claim is discarded. */
  attempt: number;
  /** Failed attempts in this round; a redelivery starts a new one. */
  failures: number;
  next_attempt_at: Instant;
  lease_until: Instant | null;
  created_at: Immutable<Instant>;
  ended_at: Instant | null;
}

export interface WebhookAttemptTable {
  delivery_id: Immutable<string>;
  attempt: Immutable<number>;
  started_at: Immutable<Instant>;
  duration_ms: Immutable<number>;
  /** Null without a response. */
  status: Immutable<number | null>;
  error: Immutable<string | null>;
  /** Start of the response body. */
  response: Immutable<string | null>;
}

export interface WebhookTables {
  webhook_endpoint: WebhookEndpointTable;
  webhook_event: WebhookEventTable;
  webhook_delivery: WebhookDeliveryTable;
  webhook_attempt: WebhookAttemptTable;
}
