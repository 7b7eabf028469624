import type { RemoteKind } from "#hosts/code-host.ts";
import {
  askForSync,
  connectionRow,
  type Credential,
  newHostWebhookSecret,
  recordSync,
  replaceToken,
  requirePlace,
} from "#hosts/remote/connections.ts";
import { findHostKind, repositoryUrl } from "#hosts/remote/find-host.ts";
import { type HostApi, type RemoteRepository, repositoryPath } from "#hosts/remote/host-api.ts";
import { RepositoryMoved } from "#hosts/remote/host-call.ts";
import type { RemoteHostDeps } from "#hosts/remote/reach-host.ts";
import { gitRemote, inWords } from "#hosts/remote/remote-code-host.ts";
import { noteUnfinished } from "#hosts/unfinished-repositories.ts";
import { isBranchName } from "#git/refs/references.ts";
import type { RemoteProgress } from "#git/refs/remote.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import { newProjectId } from "#lib/ids.ts";
import type { Secret } from "#lib/secrets/secret.ts";
import type { Project } from "./project.ts";
import { insertProject, type NewProject, newProjectName } from "./projects.ts";

export type ConnectDeps = RemoteHostDeps & { clock: Clock };

/**
 * Creates a project of a repository that stays on its host: checks the permissions of the token, and mirrors the
 * branch. `AppError invalid`, `forbidden` with the missing permissions, `not_found`, `conflict` if the slug is taken,
 * `unavailable`. Leaves nothing behind on failure.
 */
export async function connectProject(
  deps: ConnectDeps,
  options: NewProject & {
    url: string;
    /** Null: use the installation of a GitHub App of this server. */
    token: Secret | null;
    kind: RemoteKind | null;
    branch: string | null;
  } & RemoteProgress,
): Promise<Project> {
  const { database, repoStore, clock } = deps;
  const { name, slug } = await newProjectName(deps, options.name, options.slug);
  const asked = repositoryUrl(options.url);
  const api = apiOf(deps, options.kind ?? (await findHostKind(deps, asked)));
  const apiUrl = api.apiUrl(new URL(asked).origin);
  const { token, credential } = await credentialsFor(deps, { url: asked, token: options.token, kind: api.kind });
  const isGranted = options.token === null;
  const found = await readUsable(deps, api, { url: asked, apiUrl, token, isGranted });
  const branch = options.branch ?? found.defaultBranch ?? "main";
  if (!isBranchName(branch)) throw new AppError("invalid", "This is not a valid branch name.");
  const now = clock.now();
  const id = newProjectId(now);
  // A renamed repository has another path but the same origin; the token is not sent elsewhere.
  const url = new URL(found.url).origin === new URL(asked).origin ? repositoryUrl(found.url) : asked;
  const project: Project = {
    id,
    slug,
    name,
    sourceUrl: url,
    codeHost: api.kind,
    branch,
    settings: options.settings ?? {},
    pin: null,
    createdAt: now,
    archivedAt: null,
  };
  await using _ = await noteUnfinished(deps, id);
  try {
    await repoStore.create(id, { branch, blobs: "at-host" });
    const remote = await gitRemote(deps, { connection: { url, token }, api });
    const tips = await inWords(api, repoStore.fetch(id, remote, [branch], options));
    if (options.branch !== null && !tips.get(branch)) {
      throw new AppError(
        "invalid",
        `The repository has no branch ${branch}. Its own is ${found.defaultBranch ?? "not there yet"}.`,
      );
    }
    const connection = { projectId: id, url, apiUrl, remoteId: found.id, credential };
    const webhookSecret = newHostWebhookSecret();
    await database.transaction(async (transaction) => {
      await options.beside?.(transaction, id);
      await insertProject(transaction, project);
      await transaction
        .insertInto("connection")
        .values(connectionRow(deps, connection, webhookSecret))
        .execute();
    });
    await recordSync(deps, id, null);
    // The first sync by the server creates the webhook and shows the previews.
    await askForSync(deps, id);
    return project;
  } catch (error) {
    await repoStore.remove(id);
    throw error;
  }
}

/** Replaces the token of a connected project after the host confirmed its permissions. */
export async function replaceProjectToken(
  deps: ConnectDeps,
  project: Pick<Project, "id">,
  token: Secret,
): Promise<void> {
  const connection = await requirePlace(deps, project.id);
  const found = await readUsable(deps, apiOf(deps, connection.kind), { ...connection, token, isGranted: false });
  if (found.id !== connection.remoteId) {
    throw new AppError("conflict", `${connection.url} is another repository now than the one that was connected.`);
  }
  await replaceToken(deps, project.id, token);
}

/** Credentials for requests to the host, and their stored form. */
async function credentialsFor(
  { hostApps }: Pick<ConnectDeps, "hostApps">,
  { url, token, kind }: { url: string; token: Secret | null; kind: RemoteKind },
): Promise<{ token: Secret; credential: Credential }> {
  if (token !== null) return { token, credential: { token } };
  if (kind !== "github") throw new AppError("invalid", "Enter a token: only GitHub has apps that replace one.");
  const installation = await hostApps.findInstallation(url);
  return { token: await hostApps.token(installation, { url, remoteId: null }), credential: { installation } };
}

function apiOf(deps: Pick<ConnectDeps, "apis">, kind: RemoteKind): HostApi {
  const api = deps.apis[kind];
  if (!api) throw new AppError("invalid", `This server does not speak with ${kind}.`);
  return api;
}

async function readUsable(
  deps: Pick<ConnectDeps, "calls">,
  api: HostApi,
  { url, apiUrl, token, isGranted }: { url: string; apiUrl: string; token: Secret; isGranted: boolean },
): Promise<RemoteRepository> {
  const call = deps.calls(api, { apiUrl, token });
  const read = (path: string) => api.readRepository(call, path, { isGranted });
  const found = await read(repositoryPath(url)).catch(async (error: unknown) => {
    if (!(error instanceof RepositoryMoved) || error.place === null) throw error;
    const there = await api.locateRepository(call, error.place);
    if (there === null || new URL(there.url).origin !== new URL(url).origin) throw error;
    return read(repositoryPath(there.url));
  });
  if (!found) throw new AppError("not_found", `${api.name} has no repository at ${url}, or the token may not see it.`);
  if (found.missing.length > 0) throw new AppError("forbidden", found.missing.join(" "));
  return found;
}
