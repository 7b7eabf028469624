import type { RemoteKind } from "#hosts/code-host.ts";
import { findHostKind, repositoryUrl } from "#hosts/remote/find-host.ts";
import { gitRemote } from "#hosts/remote/remote-code-host.ts";
import { noteUnfinished } from "#hosts/unfinished-repositories.ts";
import { isBranchName } from "#git/refs/references.ts";
import type { DatabaseTransaction } from "#db/database.ts";
import type { RemoteProgress } from "#git/refs/remote.ts";
import { AppError } from "#lib/app-error.ts";
import { newSourceId, type ProjectId, type SourceId } from "#lib/ids.ts";
import type { Secret } from "#lib/secrets/secret.ts";
import { listSources, mirrorOf, type SourceRepository, sourceTokenPurpose } from "./sources.ts";
import { inWordsOf, requireApi, type SourceDeps, syncSource } from "./sync-source.ts";

const MAX_SOURCES = 10;
export const SOURCE_NAME = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/;

/**
 * Adds a repository that the project's agent may read, and creates its mirror. `AppError invalid`, `forbidden` when the
 * address or the token is refused, `conflict` when the name is taken, `not_found`, `unavailable`. Nothing is left
 * behind on failure.
 */
export async function addSource(
  deps: SourceDeps,
  options: {
    projectId: ProjectId;
    name: string;
    url: string;
    token: Secret | null;
    kind: RemoteKind | null;
    branch: string | null;
    /** Writes in the transaction that stores the source, before it. */
    beside?(transaction: DatabaseTransaction, id: SourceId): Promise<void>;
  } & RemoteProgress,
): Promise<SourceRepository> {
  const { database, vault, repoStore, clock } = deps;
  const { projectId, name, token } = options;
  if (!SOURCE_NAME.test(name)) {
    throw new AppError("invalid", "The name of a source is 1 to 40 of a-z, 0-9 and -, such as api.");
  }
  await requireRoom(deps, projectId, name);
  const url = repositoryUrl(options.url);
  const kind = options.kind ?? (await findHostKind(deps, url));
  const api = requireApi(deps, kind);
  const remote = await gitRemote(deps, { connection: { url, token }, api });
  const branch = options.branch ?? (await inWordsOf(deps, { kind, token }, repoStore.remoteBranch(remote)));
  if (branch === null) {
    throw new AppError("invalid", `${url} has no branch yet. Push to it first, or name a branch.`);
  }
  if (!isBranchName(branch)) throw new AppError("invalid", "This is not a valid branch name.");
  const now = clock.now();
  const id = newSourceId(now);
  const place = { id, projectId, name, kind, url, branch };
  const source: SourceRepository = { ...place, syncedAt: now, trouble: null };
  await using _ = await noteUnfinished(deps, mirrorOf(source));
  try {
    await syncSource(deps, { ...source, token }, options);
    await database.transaction(async (transaction) => {
      await options.beside?.(transaction, id);
      await transaction
        .insertInto("source")
        .values({
          id,
          project_id: projectId,
          name,
          kind,
          url,
          branch,
          sealed_token: token && vault.seal(token, sourceTokenPurpose(id)),
          synced_at: now.getTime(),
          tried_at: now.getTime(),
          trouble: null,
          created_at: now.getTime(),
        })
        .execute();
    });
    return source;
  } catch (error) {
    await repoStore.remove(mirrorOf(source));
    // Another request took this name meanwhile.
    await requireRoom(deps, projectId, name);
    throw error;
  }
}

/**
 * Replaces the token of a source, once its host has accepted the new one. `beside` writes in the same transaction,
 * first. `AppError forbidden`, `unavailable`.
 */
export async function replaceSourceToken(
  deps: SourceDeps,
  source: SourceRepository,
  token: Secret,
  beside?: (transaction: DatabaseTransaction) => Promise<void>,
): Promise<void> {
  const { database, vault, clock } = deps;
  const { id } = source;
  await syncSource(deps, { ...source, token });
  const now = clock.now().getTime();
  await database.transaction(async (transaction) => {
    await beside?.(transaction);
    await transaction
      .updateTable("source")
      .set({ sealed_token: vault.seal(token, sourceTokenPurpose(id)), trouble: null, synced_at: now, tried_at: now })
      .where("id", "=", id)
      .execute();
  });
}

async function requireRoom({ database }: SourceDeps, projectId: ProjectId, name: string): Promise<void> {
  const all = await listSources(database, projectId);
  if (all.some((source) => source.name === name)) {
    throw new AppError("conflict", `The project has a source ${name} already. Remove it first, or take another name.`);
  }
  if (all.length >= MAX_SOURCES) throw new AppError("conflict", `A project has at most ${MAX_SOURCES} sources.`);
}
