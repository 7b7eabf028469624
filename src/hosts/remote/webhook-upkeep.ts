import { AppError } from "#lib/app-error.ts";
import type { ProjectId } from "#lib/ids.ts";
import { asSentence, recordRemark } from "./connection-remarks.ts";
import { findWebhookSecret } from "./connections.ts";
import { reachHost, type RemoteHostDeps } from "./reach-host.ts";

type Deps = Pick<RemoteHostDeps, "database" | "vault" | "hostApps" | "apis" | "calls">;

/** Path of a project's webhook at this server. */
export const webhookPath = (projectId: ProjectId) => `/git/${projectId}/webhook`;

/** Whether a host at one address may be able to reach another: no other machine reaches this one by a loopback name. */
export const mayReach = (host: string, address: string) => !isLocal(address) || isLocal(host);

function isLocal(address: string): boolean {
  const { hostname } = new URL(address);
  return /(?:^|\.)localhost$|^127\.|^\[::1\]$|^0\.0\.0\.0$/.test(hostname);
}

/**
 * Creates the webhook at a project's host, once per address of this server and per token: a token that lacks the
 * permission is not tried again. A host that is unavailable is retried at the next look.
 */
export async function keepWebhook(
  deps: Deps,
  projectId: ProjectId,
  { url, signal }: { url: string; signal: AbortSignal },
): Promise<void> {
  const { database } = deps;
  const known = await database.kysely
    .selectFrom("connection")
    .select(["webhook_tried", "app_id"])
    .where("project_id", "=", projectId)
    .executeTakeFirst();
  // It was deleted meanwhile; or an app has one webhook for all of its repositories.
  if (!known || known.webhook_tried === url || known.app_id !== null) return;
  const { api, call, path, connection } = await reachHost(deps, projectId, signal);
  if (!mayReach(connection.url, url)) return;
  const secret = await findWebhookSecret(deps, projectId);
  if (!secret) return;
  const refusal = await api.notices.ensureWebhook(call, path, { url, secret }).then(
    () => null,
    (error: unknown) => {
      const isFinal = error instanceof AppError && error.code !== "unavailable" && error.code !== "rate_limited";
      if (isFinal) return error.message;
      throw error;
    },
  );
  const advice =
    "Make it by hand: `docent projects webhook` shows what to enter. Until then the host is asked every minute.";
  await recordRemark(deps, projectId, "webhook", refusal && `No webhook was made: ${asSentence(refusal)} ${advice}`);
  await database.kysely
    .updateTable("connection")
    .set({ webhook_tried: url })
    .where("project_id", "=", projectId)
    .execute();
}

/** Removes the webhook that Docent created at a project's host. No effect for a project on the embedded host. */
export async function removeHostWebhook(deps: Deps, projectId: ProjectId): Promise<void> {
  const row = await deps.database.kysely
    .selectFrom("connection")
    .select("webhook_tried")
    .where("project_id", "=", projectId)
    .executeTakeFirst();
  const url = row?.webhook_tried;
  if (url == null) return;
  const { api, call, path } = await reachHost(deps, projectId);
  await api.notices.removeWebhook(call, path, url);
}
