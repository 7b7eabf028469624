import { randomBytes } from "node:crypto";
import type { RemoteKind } from "#hosts/code-host.ts";
import type { Database } from "#db/database.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { KeyVault } from "#lib/secrets/key-vault.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { listRemarks } from "./connection-remarks.ts";
import type { HostApps, Installation } from "./host-apps.ts";

/** How to reach a project's repository at its host. */
export interface Connection {
  projectId: ProjectId;
  kind: RemoteKind;
  /** Web address of the repository, without `.git` and without a slash at its end. */
  url: string;
  /** Base address of the REST API, without a slash at its end. */
  apiUrl: string;
  /** The host's own id of the repository. */
  remoteId: string;
  /** The current token: that of an app's installation is valid for an hour. */
  token: Secret;
}

/** How a connection authenticates: with a token, or as an installation of an app. */
export type Credential = { token: Secret } | { installation: Installation };

/** The state of a connection. */
export interface ConnectionState {
  kind: RemoteKind;
  url: string;
  /** When the branch was last known to be current. */
  syncedAt: Date | null;
  triedAt: Date | null;
  webhookAt: Date | null;
  /** What is wrong and what to do, for members of the project; null when all is well. */
  trouble: string | null;
  /** What does not work although the branch is followed, for the same readers. */
  remarks: string[];
  /** Whether this server has created the webhook there. */
  isWebhookMade: boolean;
  /** The app whose installation it uses; null with a token. */
  app: { id: string; name: string } | null;
}

interface Deps {
  database: Database;
  vault: KeyVault;
  clock: Clock;
  hostApps: Pick<HostApps, "token" | "forgetTokens">;
}

const tokenPurpose = (id: ProjectId) => `code host ${id}`;
const webhookPurpose = (id: ProjectId) => `code host webhook ${id}`;

export const newHostWebhookSecret = () => new Secret(randomBytes(32).toString("base64url"));

/** The row for `connection`, to be inserted with its project. */
export function connectionRow(
  { vault, clock }: Pick<Deps, "vault" | "clock">,
  connection: Omit<Connection, "kind" | "token"> & { credential: Credential },
  webhookSecret: Secret,
) {
  const { projectId, url, apiUrl, remoteId, credential } = connection;
  return {
    project_id: projectId,
    url,
    api_url: apiUrl,
    remote_id: remoteId,
    ...credentialColumns(vault, projectId, credential),
    sealed_webhook_secret: vault.seal(webhookSecret, webhookPurpose(projectId)),
    created_at: clock.now().getTime(),
  };
}

function credentialColumns(vault: KeyVault, projectId: ProjectId, credential: Credential) {
  if ("token" in credential) {
    return { sealed_token: vault.seal(credential.token, tokenPurpose(projectId)), app_id: null, installation_id: null };
  }
  const { appId, installationId } = credential.installation;
  return { sealed_token: null, app_id: appId, installation_id: installationId };
}

const joined = ({ database }: Pick<Deps, "database">, projectId: ProjectId) =>
  database.kysely
    .selectFrom("connection")
    .innerJoin("project", "project.id", "connection.project_id")
    .leftJoin("github_app", "github_app.id", "connection.app_id")
    .selectAll("connection")
    .select(["project.code_host", "github_app.name as app_name"])
    .where("project_id", "=", projectId)
    .executeTakeFirst();

/**
 * Null for a project on the embedded host. `AppError invalid` when its token cannot be decrypted, `forbidden` when its
 * app gets none.
 */
export async function findConnection(deps: Omit<Deps, "clock">, projectId: ProjectId): Promise<Connection | null> {
  const row = await joined(deps, projectId);
  const place = row && placeOf(row);
  if (!place) return null;
  const installation = installationOf(row);
  const token = installation
    ? await deps.hostApps.token(installation, place)
    : deps.vault.open(row.sealed_token ?? "", tokenPurpose(projectId));
  return { ...place, token };
}

/**
 * Call it when a host refused a token: returns whether another one can be requested, because it was an installation's.
 * Cached tokens are dropped.
 */
export async function forgetToken(
  { database, hostApps }: Pick<Deps, "database" | "hostApps">,
  projectId: ProjectId,
): Promise<boolean> {
  const row = await joined({ database }, projectId);
  const installation = row && installationOf(row);
  return installation ? hostApps.forgetTokens(installation) : false;
}

const installationOf = ({ app_id, installation_id }: Joined): Installation | null =>
  app_id === null || installation_id === null ? null : { appId: app_id, installationId: installation_id };

/**
 * The address of a project's connection, without the token, which may be encrypted with another key. `AppError
 * not_found`.
 */
export async function requirePlace(deps: Pick<Deps, "database">, projectId: ProjectId): Promise<Place> {
  const row = await joined(deps, projectId);
  const place = row && placeOf(row);
  if (!place) throw notConnected();
  return place;
}

type Place = Omit<Connection, "token">;
type Joined = NonNullable<Awaited<ReturnType<typeof joined>>>;

function placeOf({ project_id, code_host, url, api_url, remote_id }: Joined): Place | null {
  if (code_host === "embedded") return null;
  return { projectId: project_id, kind: code_host, url, apiUrl: api_url, remoteId: remote_id };
}

const notConnected = () => new AppError("not_found", "This project is not connected to a code host.");

/** The connection of a project that must have one. `AppError not_found`. */
export async function requireConnection(deps: Omit<Deps, "clock">, projectId: ProjectId): Promise<Connection> {
  const connection = await findConnection(deps, projectId);
  if (!connection) throw notConnected();
  return connection;
}

export async function findConnectionState(
  deps: Pick<Deps, "database">,
  projectId: ProjectId,
): Promise<ConnectionState | null> {
  const row = await joined(deps, projectId);
  if (!row || row.code_host === "embedded") return null;
  const instant = (value: number | null) => (value === null ? null : new Date(value));
  const remarks = await listRemarks(deps, projectId);
  return {
    kind: row.code_host,
    url: row.url,
    syncedAt: instant(row.synced_at),
    triedAt: instant(row.tried_at),
    webhookAt: instant(row.webhook_at),
    trouble: row.trouble ?? (row.refusal && `The last change was refused. ${row.refusal}`),
    remarks: remarks.map(({ text }) => text),
    isWebhookMade: row.webhook_tried !== null && !remarks.some(({ about }) => about === "webhook"),
    app: row.app_id === null ? null : { id: row.app_id, name: row.app_name ?? "" },
  };
}

/** The secret that verifies webhooks of the host. Null for a project on the embedded host. */
export async function findWebhookSecret(
  { database, vault }: Pick<Deps, "database" | "vault">,
  projectId: ProjectId,
): Promise<Secret | null> {
  const row = await database.kysely
    .selectFrom("connection")
    .select("sealed_webhook_secret")
    .where("project_id", "=", projectId)
    .executeTakeFirst();
  return row ? vault.open(row.sealed_webhook_secret, webhookPurpose(projectId)) : null;
}

/**
 * The new token is used from the next request on; requests in flight keep the old one. A webhook secret that this
 * server's key cannot decrypt is replaced. `AppError not_found`.
 */
export async function replaceToken(
  deps: Pick<Deps, "database" | "vault">,
  projectId: ProjectId,
  token: Secret,
): Promise<void> {
  const { vault } = deps;
  const isLost = await findWebhookSecret(deps, projectId).then(
    () => false,
    (error: unknown) => {
      if (error instanceof AppError && error.code === "invalid") return true;
      throw error;
    },
  );
  await deps.database.kysely
    .updateTable("connection")
    .set({
      ...credentialColumns(vault, projectId, { token }),
      ...(isLost && { sealed_webhook_secret: vault.seal(newHostWebhookSecret(), webhookPurpose(projectId)) }),
      webhook_tried: null,
      trouble: null,
      refusal: null,
    })
    .where("project_id", "=", projectId)
    .returning("project_id")
    .executeTakeFirstOrThrow(notConnected);
}

/**
 * Records the result of the last look at the host. `trouble: null`: the branch is current. False: the project is gone.
 */
export async function recordSync(
  { database, clock }: Pick<Deps, "database" | "clock">,
  projectId: ProjectId,
  trouble: string | null,
): Promise<boolean> {
  const now = clock.now().getTime();
  const recorded = await database.kysely
    .updateTable("connection")
    .set(({ eb }) => ({
      // Null: another look was requested during this one.
      tried_at: eb.case().when("tried_at", "is", null).then(null).else(now).end(),
      trouble,
      ...(trouble === null && { synced_at: now }),
    }))
    .where("project_id", "=", projectId)
    .returning("project_id")
    .executeTakeFirst();
  return recorded !== undefined;
}

/**
 * Records why the host refuses our changes, or null once it accepts one. A host that accepts a change can most likely
 * be read again, too: a connection in trouble is looked at immediately, so that outdated trouble does not stay.
 */
export async function recordRefusal(
  { database }: Pick<Deps, "database">,
  projectId: ProjectId,
  refusal: string | null,
): Promise<void> {
  const change = database.kysely.updateTable("connection").set({ refusal }).where("project_id", "=", projectId);
  await (refusal === null ? change.where("refusal", "is not", null) : change).execute();
  if (refusal !== null) return;
  await database.kysely
    .updateTable("connection")
    .set({ tried_at: null })
    .where("project_id", "=", projectId)
    .where("trouble", "is not", null)
    .execute();
}

export async function recordWebhook(
  { database, clock }: Pick<Deps, "database" | "clock">,
  projectId: ProjectId,
): Promise<void> {
  await database.kysely
    .updateTable("connection")
    .set({ webhook_at: clock.now().getTime() })
    .where("project_id", "=", projectId)
    .execute();
}

/** Makes a connected project due: the server that follows it looks at its host within a second. */
export async function askForSync({ database }: Pick<Deps, "database">, projectId: ProjectId): Promise<void> {
  await database.kysely.updateTable("connection").set({ tried_at: null }).where("project_id", "=", projectId).execute();
}

/** Connections that an event of an app concerns: one repository, or all that an installation reaches. */
export async function findConnectedBy(
  { database }: Pick<Deps, "database">,
  appId: string,
  { remoteId, installationId }: { remoteId: string | null; installationId: string | null },
): Promise<ProjectId[]> {
  const rows = await database.kysely
    .selectFrom("connection")
    .select("project_id")
    .where("app_id", "=", appId)
    .$if(remoteId !== null, (query) => query.where("remote_id", "=", remoteId!))
    .$if(installationId !== null, (query) => query.where("installation_id", "=", installationId!))
    .limit(MAX_CONNECTED)
    .execute();
  return rows.map(({ project_id }) => project_id);
}

const MAX_CONNECTED = 1_000;
