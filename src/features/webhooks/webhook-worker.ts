import type { Database } from "#db/database.ts";
import { errorText } from "#lib/app-error.ts";
import { startDueRows } from "#kit/tasks/due-rows.ts";
import type { Clock } from "#lib/clock.ts";
import type { ProjectId } from "#lib/ids.ts";
import { createActivity } from "#lib/activity.ts";
import { createMeasure } from "#lib/measure.ts";
import type { KeyVault } from "#lib/secrets/key-vault.ts";
import type { Logger } from "#lib/logger.ts";
import type { OutboundHttp, OutboundResult } from "#lib/network/outbound-http.ts";
import type { Job } from "#features/jobs/job.ts";
import type { ProjectSecrets } from "#features/projects/project-secrets.ts";
import { jobFromOutbox, TEST_EVENT } from "#features/jobs/outbox.ts";
import { firstMessages } from "#features/jobs/requests/messages.ts";
import { chatText } from "./chat-text.ts";
import { testEventFromOutbox } from "./test-event.ts";
import { webhookUrl } from "./webhook-address.ts";
import { secretPurpose, type WebhookFormat } from "./webhook-endpoints.ts";
import {
  type AttemptOutcome,
  claimDelivery,
  type DeliveryClaim,
  recordAttempt,
  releaseDelivery,
} from "./webhook-queue.ts";
import { webhookHeaders } from "./webhook-signature.ts";

export interface OutboxDeps {
  database: Database;
  clock: Clock;
  logger: Logger;
  vault: KeyVault;
  outboundHttp: OutboundHttp;
  /** A number from 0 to below 1. */
  random(): number;
  redactFor: ProjectSecrets["redactFor"];
  /** The job as the API returns it. */
  presentJob(job: Job): Promise<unknown>;
  /** The project's name and the address of its first page in the dashboard; null when it was deleted. */
  describeProject(id: ProjectId): Promise<{ name: string; url: string } | null>;
  userAgent: string;
}

export interface OutboxOptions {
  /** Concurrent attempts in this process; at most two of them to one endpoint. */
  atOnce: number;
  timeoutMs: number;
  /** Much longer than `timeoutMs`: after it, another node retries. */
  leaseMs: number;
}

export const OUTBOX_OPTIONS: OutboxOptions = { atOnce: 8, timeoutMs: 10_000, leaseMs: 60_000 };

const AT_ONCE_PER_ENDPOINT = 2; // one dead receiver must not delay the others
const STOP_GRACE_MS = 2_000;
const MAX_RESPONSE_BYTES = 4_096;
const MAX_EXCERPT_CHARACTERS = 1_000;

/** One attempt to deliver an event to an endpoint. */
export const deliveryAttempts = createActivity<{
  deliveryId: string;
  webhookId: string;
  attempt: number;
  projectId?: ProjectId;
  status?: "pending" | "delivered" | "failed";
}>("delivery attempt");

/** Counts attempts to deliver; `pending`: it failed and is retried. */
export const webhookAttempts = createMeasure<{ status: "pending" | "delivered" | "failed" }>("webhook attempt");

type TracedAttempt = Parameters<typeof deliveryAttempts.run>[0];

/**
 * Sends pending deliveries, at least once each, until disposed. Any number of processes may run it on one store. A lost
 * wake-up costs one poll interval.
 */
export function startOutbox(deps: OutboxDeps, options: OutboxOptions = OUTBOX_OPTIONS): AsyncDisposable {
  const deliveries = startDueRows<DeliveryClaim>(deps.logger, {
    claim: (busy) => claimDelivery(deps, { leaseMs: options.leaseMs, busy }),
    ownerOf: ({ endpointId }) => endpointId,
    run(claim, signal) {
      const { id: deliveryId, endpointId: webhookId, attempt } = claim;
      const traced: TracedAttempt = { deliveryId, webhookId, attempt };
      return deliveryAttempts.run(traced, () => deliver(deps, claim, { timeoutMs: options.timeoutMs, signal, traced }));
    },
    describe: ({ id }) => ({ deliveryId: id }),
    messages: { all: "webhook deliveries could not be claimed", one: "webhook delivery broke off" },
    atOnce: options.atOnce,
    atOncePerOwner: AT_ONCE_PER_ENDPOINT,
    graceMs: STOP_GRACE_MS,
  });
  const unsubscribe = deps.database.wakeUp.subscribe("outbox", deliveries.ring);
  return {
    async [Symbol.asyncDispose]() {
      unsubscribe();
      await deliveries[Symbol.asyncDispose]();
    },
  };
}

async function deliver(
  deps: OutboxDeps,
  claim: DeliveryClaim,
  { timeoutMs, signal, traced }: { timeoutMs: number; signal: AbortSignal; traced: TracedAttempt },
): Promise<void> {
  const found = await deps.database.kysely
    .selectFrom("webhook_event")
    .innerJoin("webhook_endpoint", (join) => join.on("webhook_endpoint.id", "=", claim.endpointId))
    .select(["webhook_event.project_id", "type", "job", "url", "format", "secret", "previous_secret", "previous_until"])
    .select("webhook_event.created_at as happened_at")
    .where("webhook_event.id", "=", claim.eventId)
    .executeTakeFirst();
  if (!found) return; // deleted meanwhile, together with the delivery
  traced.projectId = found.project_id;
  // The response of a failing receiver may contain anything, including its own keys.
  const redact = await deps.redactFor(deps.database.kysely, found.project_id);
  const startedAt = deps.clock.now();
  const before = performance.now();
  let outcome: AttemptOutcome;
  try {
    const purpose = secretPurpose(claim.endpointId);
    const secrets = [deps.vault.open(found.secret, purpose)];
    if (found.previous_secret !== null && (found.previous_until ?? 0) > startedAt.getTime()) {
      secrets.push(deps.vault.open(found.previous_secret, purpose));
    }
    const body = JSON.stringify(await contentOf(deps, found));
    const result = await deps.outboundHttp.send({
      url: webhookUrl(deps.vault, { id: claim.endpointId, url: found.url }),
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        "User-Agent": deps.userAgent,
        ...webhookHeaders({ id: claim.eventId, at: startedAt, body }, secrets),
      },
      body,
      timeoutMs,
      maxResponseBytes: MAX_RESPONSE_BYTES,
      signal,
    });
    outcome = { startedAt, durationMs: performance.now() - before, ...readResult(result, startedAt, redact) };
  } catch (error) {
    if (signal.aborted) return releaseDelivery(deps, claim);
    deps.logger.error({ err: error, deliveryId: claim.id }, "webhook could not be made");
    const failed = { status: null, error: errorText(error), response: null, retryAfterMs: null, isFinal: false };
    outcome = { startedAt, durationMs: performance.now() - before, ...failed };
  }
  const { status, isDisabled } = await recordAttempt(deps, claim, outcome);
  webhookAttempts.publish({ status });
  traced.status = status;
  const fields = { deliveryId: claim.id, webhookId: claim.endpointId, attempt: claim.attempt, status };
  if (isDisabled) deps.logger.warn(fields, "webhook disabled");
  else deps.logger.info({ ...fields, answer: outcome.status }, "webhook attempted");
}

interface Happened {
  project_id: ProjectId;
  type: string;
  job: string;
  happened_at: number;
  format: WebhookFormat;
}

async function contentOf(deps: OutboxDeps, { project_id: id, type, job: stored, happened_at: at, format }: Happened) {
  const job = type === TEST_EVENT ? null : jobFromOutbox(stored);
  if (format === "slack") {
    const project = await deps.describeProject(id);
    const prompt = job?.title === null ? (await firstMessages(deps, { projectId: id, jobIds: [job.id] })).get(job.id)?.prompt : undefined; // oxfmt-ignore
    return { text: chatText(type, { project: project?.name ?? "", projectUrl: project?.url ?? "", job, prompt }) };
  }
  const data = job === null ? testEventFromOutbox(stored) : await deps.presentJob(job);
  return { type, timestamp: new Date(at).toISOString(), data };
}

function readResult(
  result: OutboundResult,
  now: Date,
  redact: (text: string) => string,
): Omit<AttemptOutcome, "startedAt" | "durationMs"> {
  if (!result.ok) {
    const isFinal = result.reason === "refused";
    return { status: null, error: result.message, response: null, retryAfterMs: null, isFinal };
  }
  // PostgreSQL stores no NUL, and neither engine half a surrogate pair.
  const text = redact(result.body.toString("utf8").replaceAll("\0", ""))
    .slice(0, MAX_EXCERPT_CHARACTERS)
    .toWellFormed();
  return {
    status: result.status,
    error:
      result.status >= 300 && result.status < 400 ? "Redirects are not followed; change the webhook's address." : null,
    response: text,
    retryAfterMs: readRetryAfter(result.headers["retry-after"], now),
    isFinal: result.status === 410,
  };
}

/** `Retry-After` of RFC 9110 in either form. */
function readRetryAfter(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime());
}
