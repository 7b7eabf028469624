import type { RemoteKind } from "#hosts/code-host.ts";
import type { Database } from "#db/database.ts";
import type { RepoStore } from "#git/repo-store.ts";
import { AppError } from "#lib/app-error.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { Logger } from "#lib/logger.ts";
import type { OutboundHttp } from "#lib/network/outbound-http.ts";
import type { KeyVault } from "#lib/secrets/key-vault.ts";
import { recordRemark } from "./connection-remarks.ts";
import { type Connection, requireConnection } from "./connections.ts";
import { repositoryUrl } from "./find-host.ts";
import { type HostApi, repositoryPath } from "./host-api.ts";
import type { HostApps } from "./host-apps.ts";
import { type HostCall, type HostCalls, RepositoryMoved, type Sleep } from "./host-call.ts";

export interface RemoteHostDeps {
  database: Database;
  vault: KeyVault;
  repoStore: RepoStore;
  outboundHttp: OutboundHttp;
  calls: HostCalls;
  sleep: Sleep;
  hostApps: HostApps;
  /** The supported hosts, by kind. */
  apis: Readonly<Partial<Record<RemoteKind, HostApi>>>;
}

/** Everything that requests to the host of one project need. */
export interface ReachedHost {
  connection: Connection;
  api: HostApi;
  /** `acme/docs`. */
  path: string;
  call: HostCall;
}

/** `AppError not_found` for a project on the embedded host. `signal` aborts its requests. */
export async function reachHost(
  deps: Pick<RemoteHostDeps, "database" | "vault" | "hostApps" | "apis" | "calls">,
  projectId: ProjectId,
  signal?: AbortSignal,
): Promise<ReachedHost> {
  const connection = await requireConnection(deps, projectId);
  const api = deps.apis[connection.kind];
  if (!api) throw new Error(`This server does not speak with ${connection.kind}.`);
  return { connection, api, path: repositoryPath(connection.url), call: deps.calls(api, connection, signal) };
}

export interface RenameDeps extends Pick<RemoteHostDeps, "database" | "vault" | "hostApps" | "apis" | "calls"> {
  logger: Logger;
}

/**
 * Checks that a project's address still is the connected repository, by its id: content of another one must not reach
 * the site. Throws `RepositoryMoved`. A host that is temporarily unavailable changes nothing.
 */
export async function requireSameRepository({ api, call, path, connection }: ReachedHost): Promise<void> {
  const here = await api.locateRepository(call, { path }).catch((error: unknown) => {
    if (error instanceof AppError && UNANSWERED.has(error.code)) return null;
    throw error;
  });
  // git reports a repository that does not exist or is not visible itself.
  if (here !== null && here.id !== connection.remoteId) throw new RepositoryMoved(api.name);
}

const UNANSWERED: ReadonlySet<string> = new Set(["unavailable", "rate_limited"]);

async function storeName({ database, logger }: RenameDeps, { connection, api }: ReachedHost, url: string) {
  const { projectId, url: before } = connection;
  await database.transaction(async (transaction) => {
    await transaction.updateTable("connection").set({ url }).where("project_id", "=", projectId).execute();
    await transaction.updateTable("project").set({ source_url: url }).where("id", "=", projectId).execute();
  });
  const text = `${api.name} has the repository under a new name: it was ${repositoryPath(before)} and is ${repositoryPath(url)}. Docent uses the new one.`;
  await recordRemark({ database }, projectId, "name", text);
  logger.warn({ project: projectId, before, url }, "repository renamed at its host");
}

/** Retries once for a repository that was renamed: its new address is found by its id, and stored. */
export async function followingRename<T>(deps: RenameDeps, projectId: ProjectId, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RepositoryMoved)) throw error;
    await followRename(deps, projectId);
    return work();
  }
}

/** Never follows a redirect, which may point to any server: the token is sent to its own host only. */
async function followRename(deps: RenameDeps, projectId: ProjectId): Promise<void> {
  const reached = await reachHost(deps, projectId);
  const { api, call, path, connection } = reached;
  const found = await api.locateRepository(call, { id: connection.remoteId });
  if (found?.id === connection.remoteId) {
    const url = repositoryUrl(found.url);
    if (url === connection.url) return; // another process has stored it
    if (new URL(url).origin !== new URL(connection.url).origin) throw new RepositoryMoved(api.name);
    await storeName(deps, reached, url);
    return;
  }
  const isTaken = await api.locateRepository(call, { path }).then(
    (here) => here !== null,
    () => false,
  );
  const message = isTaken
    ? `${connection.url} is another repository now than the one that was connected, which ${api.name} does not have any more, or does not show to the token. To use the new one, connect it as a project of its own.`
    : `${api.name} moved the repository, and the token may not see it in its new place. Give the project a token that may.`;
  throw new AppError("forbidden", message);
}
