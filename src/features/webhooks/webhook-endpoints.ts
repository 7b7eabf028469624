import type { Selectable } from "kysely";
import type { Database, DatabaseTransaction } from "#db/database.ts";
import type { Tables } from "#db/schema.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import { newId, type ProjectId } from "#lib/ids.ts";
import type { KeyVault } from "#lib/secrets/key-vault.ts";
import type { OutboundHttp } from "#lib/network/outbound-http.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { refuseCredentials } from "#lib/secrets/refuse-credentials.ts";
import { claimKey, type IdempotencyKey } from "#kit/http/request-outcomes.ts";
import { type ListPage, pageOf, readCursor } from "#features/jobs/list.ts";
import { subscribedEvents, type WebhookEventType } from "#features/jobs/outbox.ts";
import { addressPurpose, readableUrl, UNREADABLE, UNREADABLE_URL } from "./webhook-address.ts";
import { newWebhookSecret } from "./webhook-signature.ts";

export interface WebhookDeps {
  database: Database;
  clock: Clock;
  vault: KeyVault;
  outboundHttp: OutboundHttp;
}

/** What requests contain: the event by the Standard Webhooks specification, or a message for a chat. */
export const WEBHOOK_FORMATS = ["standard", "slack"] as const;
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];

/** An endpoint to which a project's events are sent, without its secret. */
export interface WebhookEndpoint {
  id: string;
  projectId: ProjectId;
  url: string;
  description: string | null;
  format: WebhookFormat;
  events: WebhookEventType[];
  enabled: boolean;
  /** Why the server disabled it; null when it did not. */
  disabledReason: string | null;
  failingSince: Date | null;
  /** Until when the previous secret signs, too. */
  previousSecretUntil: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

export interface WebhookName {
  projectId: ProjectId;
  webhookId: string;
}

const MAX_ENDPOINTS = 20;
const OVERLAP_MS = 24 * 3_600_000;

/** The purpose by which the vault binds a secret to its endpoint. */
export const secretPurpose = (webhookId: string) => `webhook ${webhookId}`;

/** An endpoint with its secret, which is returned only when the secret is created. */
export interface WebhookWithSecret {
  webhook: WebhookEndpoint;
  secret: Secret;
}

/** Creates an endpoint. Only this call returns the secret. `AppError invalid`, `conflict` above 20 in a project. */
export async function createWebhook(
  deps: WebhookDeps,
  options: { projectId: ProjectId } & Pick<WebhookEndpoint, "url" | "description" | "format" | "events">,
  idempotency: IdempotencyKey | null = null,
): Promise<WebhookWithSecret> {
  refuseCredentials({ description: options.description ?? "" });
  const url = await acceptableUrl(deps, options.url);
  const now = deps.clock.now();
  const id = newId("whk", now);
  const secret = newWebhookSecret();
  const row = await deps.database.transaction(async (transaction) => {
    await claimKey(transaction, idempotency, { outcome: id, at: now.getTime() });
    const { count } = await transaction
      .selectFrom("webhook_endpoint")
      .select((expression) => expression.fn.countAll<number>().as("count"))
      .where("project_id", "=", options.projectId)
      .executeTakeFirstOrThrow();
    if (count >= MAX_ENDPOINTS) throw new AppError("conflict", `A project has at most ${MAX_ENDPOINTS} webhooks.`);
    return transaction
      .insertInto("webhook_endpoint")
      .values({
        id,
        project_id: options.projectId,
        url: deps.vault.seal(new Secret(url), addressPurpose(id)),
        description: options.description,
        format: options.format,
        events: JSON.stringify([...new Set(options.events)]),
        secret: deps.vault.seal(secret, secretPurpose(id)),
        previous_secret: null,
        previous_until: null,
        disabled_at: null,
        disabled_reason: null,
        failing_since: null,
        created_at: now.getTime(),
        updated_at: now.getTime(),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
  });
  return { webhook: fromRow(deps, row), secret };
}

/** Newest first. */
export async function listWebhooks(
  { database, vault }: Pick<WebhookDeps, "database" | "vault">,
  options: { projectId: ProjectId; limit: number; cursor: string | null },
): Promise<ListPage<WebhookEndpoint>> {
  let query = database.kysely
    .selectFrom("webhook_endpoint")
    .selectAll()
    .where("project_id", "=", options.projectId)
    .orderBy("id", "desc")
    .limit(options.limit + 1);
  if (options.cursor !== null) query = query.where("id", "<", readCursor(options.cursor, "whk"));
  return pageOf(await query.execute(), options.limit, (row) => fromRow({ vault }, row));
}

/** `AppError not_found`. */
export async function requireWebhook(
  { database, vault }: Pick<WebhookDeps, "database" | "vault">,
  name: WebhookName,
): Promise<WebhookEndpoint> {
  return fromRow({ vault }, await rowOf(database, name).executeTakeFirstOrThrow(noWebhook));
}

/** Whether an endpoint is enabled. `AppError not_found`. */
export async function isWebhookEnabled(
  { database }: Pick<WebhookDeps, "database">,
  name: WebhookName,
): Promise<boolean> {
  return (await rowOf(database, name).executeTakeFirstOrThrow(noWebhook)).disabled_at === null;
}

/** An endpoint with its secret, for a repeated request with the Idempotency-Key that created the secret. */
export async function findWebhookWithSecret(
  { database, vault }: WebhookDeps,
  name: WebhookName,
): Promise<WebhookWithSecret | null> {
  const row = await rowOf(database, name).executeTakeFirst();
  return row ? { webhook: fromRow({ vault }, row), secret: vault.open(row.secret, secretPurpose(row.id)) } : null;
}

const rowOf = (database: Database, { projectId, webhookId }: WebhookName) =>
  database.kysely
    .selectFrom("webhook_endpoint")
    .selectAll()
    .where("id", "=", webhookId)
    .where("project_id", "=", projectId);

/**
 * Changes the given fields. Enabling an endpoint that the server disabled resets its failures. `check` receives the current,
 * locked endpoint and may throw to refuse the change. `AppError invalid`, `not_found`.
 */
export async function updateWebhook(
  deps: WebhookDeps,
  name: WebhookName,
  changes: Partial<Pick<WebhookEndpoint, "url" | "description" | "format" | "events" | "enabled">>,
  check?: (current: WebhookEndpoint) => void,
): Promise<WebhookEndpoint> {
  const { database, clock } = deps;
  await requireWebhook(deps, name);
  refuseCredentials({ description: changes.description ?? "" });
  const url = changes.url === undefined ? undefined : await acceptableUrl(deps, changes.url);
  const at = clock.now().getTime();
  const row = await database.transaction(async (transaction) => {
    if (check) check(fromRow(deps, await lockRow(transaction, name)));
    if (changes.enabled === false) await disableWebhook(transaction, { webhookId: name.webhookId, at, reason: null });
    const enabling = { disabled_at: null, disabled_reason: null, failing_since: null };
    return transaction
      .updateTable("webhook_endpoint")
      .set({
        updated_at: at,
        ...(url !== undefined && { url: deps.vault.seal(new Secret(url), addressPurpose(name.webhookId)) }),
        ...(changes.description !== undefined && { description: changes.description }),
        ...(changes.format && { format: changes.format }),
        ...(changes.events && { events: JSON.stringify([...new Set(changes.events)]) }),
        ...(changes.enabled === true && enabling),
      })
      .where("id", "=", name.webhookId)
      .where("project_id", "=", name.projectId)
      .returningAll()
      .executeTakeFirstOrThrow(noWebhook);
  });
  return fromRow(deps, row);
}

/** Disables an endpoint. Its pending deliveries count as failed and can be redelivered. */
export async function disableWebhook(
  transaction: DatabaseTransaction,
  { webhookId, at, reason }: { webhookId: string; at: number; reason: string | null },
): Promise<void> {
  await transaction
    .updateTable("webhook_endpoint")
    .set({ disabled_at: at, disabled_reason: reason, updated_at: at })
    .where("id", "=", webhookId)
    .where("disabled_at", "is", null)
    .execute();
  await transaction
    .updateTable("webhook_delivery")
    .set({ status: "failed", ended_at: at, lease_until: null })
    .where("endpoint_id", "=", webhookId)
    .where("status", "=", "pending")
    .execute();
}

/** Creates a new secret, which only this call returns. The previous one signs, too, for 24 hours. `AppError not_found`. */
export async function rotateWebhookSecret(
  { database, clock, vault }: WebhookDeps,
  name: WebhookName,
  idempotency: IdempotencyKey | null = null,
): Promise<WebhookWithSecret> {
  const at = clock.now().getTime();
  const secret = newWebhookSecret();
  const row = await database.transaction(async (transaction) => {
    await claimKey(transaction, idempotency, { outcome: name.webhookId, at });
    return transaction
      .updateTable("webhook_endpoint")
      .set((expression) => ({
        previous_secret: expression.ref("secret"),
        previous_until: at + OVERLAP_MS,
        secret: vault.seal(secret, secretPurpose(name.webhookId)),
        updated_at: at,
      }))
      .where("id", "=", name.webhookId)
      .where("project_id", "=", name.projectId)
      .returningAll()
      .executeTakeFirstOrThrow(noWebhook);
  });
  return { webhook: fromRow({ vault }, row), secret };
}

/** Removes an endpoint with its delivery log. `check` is as in `updateWebhook`. `AppError not_found`. */
export async function deleteWebhook(
  { database, vault }: { database: Database; vault: KeyVault },
  name: WebhookName,
  check?: (current: WebhookEndpoint) => void,
): Promise<void> {
  await database.transaction(async (transaction) => {
    const row = await lockRow(transaction, name);
    check?.(fromRow({ vault }, row));
    await transaction.deleteFrom("webhook_endpoint").where("id", "=", row.id).execute();
  });
}

/** Reads the row and locks it until the transaction ends. */
async function lockRow(transaction: DatabaseTransaction, { projectId, webhookId }: WebhookName) {
  return transaction
    .updateTable("webhook_endpoint")
    .set((expression) => ({ updated_at: expression.ref("updated_at") }))
    .where("id", "=", webhookId)
    .where("project_id", "=", projectId)
    .returningAll()
    .executeTakeFirstOrThrow(noWebhook);
}

async function acceptableUrl({ outboundHttp }: WebhookDeps, text: string): Promise<string> {
  const refusal = await outboundHttp.findRefusal(text);
  if (refusal !== null) {
    throw new AppError("invalid", `This address cannot be used. ${refusal}`, {
      details: [{ path: "url", message: refusal }],
    });
  }
  return new URL(text).href;
}

const noWebhook = () => new AppError("not_found", "There is no such webhook.");

function fromRow({ vault }: Pick<WebhookDeps, "vault">, row: Selectable<Tables["webhook_endpoint"]>): WebhookEndpoint {
  const date = (instant: number | null) => (instant === null ? null : new Date(instant));
  const url = readableUrl(vault, row);
  return {
    id: row.id,
    projectId: row.project_id,
    url: url ?? UNREADABLE_URL,
    description: row.description,
    format: row.format,
    events: subscribedEvents(row.events),
    enabled: row.disabled_at === null && url !== null,
    disabledReason: url === null ? UNREADABLE : row.disabled_reason,
    failingSince: date(row.failing_since),
    previousSecretUntil: date(row.previous_until),
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
  };
}
