import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { Logger } from "#lib/logger.ts";
import { createToldTroubles, type ToldTroubles } from "#lib/told-troubles.ts";
import { forgetToken, recordSync, recordWebhook } from "./connections.ts";
import { createLookLoop, type LookLoop } from "./look-loop.ts";
import { followingRename, reachHost, requireSameRepository, type RemoteHostDeps } from "./reach-host.ts";
import { gitRemote, inWords } from "./remote-code-host.ts";

export interface FollowingDeps extends RemoteHostDeps {
  clock: Clock;
  logger: Logger;
  /** Called after each look at a branch; must return at once. */
  afterLook?(projectId: ProjectId): void;
}

/**
 * Keeps the mirrors of connected projects current; webhooks of the hosts are hints. When a host is unavailable, its
 * mirrors become stale but keep working.
 */
export function createFollowing(deps: FollowingDeps): LookLoop<ProjectId> {
  const troubles = createToldTroubles(deps.logger, { label: "project", message: "project not followed" });
  return createLookLoop<ProjectId>(deps, {
    rows: { table: "connection", id: "project_id" },
    messages: { one: "project not followed", all: "connected projects could not be followed" },
    async look(projectId, { isHinted, signal }) {
      if (isHinted) await recordWebhook(deps, projectId);
      await look(deps, projectId, { troubles, signal });
      if (!signal.aborted) deps.afterLook?.(projectId);
    },
  });
}

async function look(
  deps: FollowingDeps,
  projectId: ProjectId,
  { troubles, signal }: { troubles: ToldTroubles; signal: AbortSignal },
): Promise<void> {
  try {
    const fetchCurrent = () => followingRename(deps, projectId, () => bringCurrent(deps, projectId, signal));
    await fetchCurrent().catch(async (error: unknown) => {
      // An installation's token may end early; request the next one, or find out why there is none.
      const isRefused = error instanceof AppError && error.code === "forbidden";
      if (!isRefused || !(await forgetToken(deps, projectId))) throw error;
      await fetchCurrent();
    });
    await recordSync(deps, projectId, null);
    troubles.worked(projectId);
  } catch (error) {
    if (signal.aborted) return; // the next server looks again
    const words = error instanceof AppError ? error.message : "An unexpected error; the server's log has more.";
    // A failure for a project that was deleted meanwhile is not logged.
    if (await recordSync(deps, projectId, words)) troubles.failed(projectId, words, error);
  }
}

/** Fetches the published branch; notifies listeners when it moved. */
async function bringCurrent(deps: FollowingDeps, projectId: ProjectId, signal: AbortSignal): Promise<void> {
  const { database, repoStore } = deps;
  const reached = await reachHost(deps, projectId, signal);
  const { connection, api } = reached;
  const { branch } = await database.kysely
    .selectFrom("project")
    .select("branch")
    .where("id", "=", projectId)
    .executeTakeFirstOrThrow();
  const before = await repoStore.resolve(projectId, `refs/heads/${branch}`);
  const remote = await gitRemote(deps, { connection, api });
  const beforeFetch = () => requireSameRepository(reached);
  const tips = await inWords(api, repoStore.fetch(projectId, remote, [branch], { signal, beforeFetch }));
  const after = tips.get(branch) ?? null;
  if (after === null && before !== null) {
    throw new AppError("not_found", `${api.name} has no branch ${branch} any more. The site shows what it had.`);
  }
  if (after !== before) database.wakeUp.notify("repository", projectId);
}
