import { listSources, mirrorOf } from "#hosts/sources/sources.ts";
import type { Database } from "#db/database.ts";
import type { CommitInfo, RepoStore } from "#git/repo-store.ts";
import type { Clock } from "#lib/clock.ts";
import type { Logger } from "#lib/logger.ts";
import { mergedPullRequests } from "#features/jobs/source-news.ts";
import { isAutomationsWork } from "./automations-work.ts";

interface SourceTriggerDeps {
  submit: { database: Database; clock: Clock };
  repoStore: Pick<RepoStore, "resolve" | "log">;
  logger: Logger;
}

const MAX_COMMITS = 500;

/**
 * Makes automations due whose source got new commits, or new commits with a merged pull request. From where on is kept
 * until a run has it: what comes meanwhile is added, and of several processes one notices it. What an automation did
 * itself, as where the docs are a folder of their source, sets off none.
 */
export async function noticeSources(deps: SourceTriggerDeps): Promise<void> {
  const { database, clock } = deps.submit;
  const rows = await database.kysely
    .selectFrom("automation")
    .select(["id", "project_id", "source", "trigger_kind", "seen_commit"])
    .where("trigger_kind", "in", ["source_push", "source_merge"])
    .where("enabled", "=", 1)
    .execute();
  for (const { id, project_id: projectId, source: name, trigger_kind: kind, seen_commit: seen } of rows) {
    try {
      const source = (await listSources(database, projectId)).find((one) => one.name === name);
      if (!source) continue;
      const mirror = mirrorOf(source);
      const tip = await deps.repoStore.resolve(mirror, `refs/heads/${source.branch}`);
      if (tip === null || tip === seen) continue;
      const range = { base: seen, head: tip };
      const isOwn = seen === null || (await isAutomationsWork(deps, mirror, range));
      const isNews = !isOwn && (kind === "source_push" || (await hasMerge(deps, mirror, range)));
      const at = clock.now().getTime();
      await database.kysely
        .updateTable("automation")
        .set((expression) => ({
          seen_commit: tip,
          ...(isNews && {
            from_commit: expression.fn.coalesce("from_commit", expression.val(seen)),
            due_at: expression.fn.coalesce("due_at", expression.val(at)),
            due_by: kind,
          }),
        }))
        .where("id", "=", id)
        .where("enabled", "=", 1)
        .where("seen_commit", seen === null ? "is" : "=", seen)
        .execute();
    } catch (error) {
      deps.logger.warn({ err: error, automationId: id }, "source of an automation could not be read");
    }
  }
}

async function hasMerge(
  { repoStore }: SourceTriggerDeps,
  mirror: Parameters<RepoStore["log"]>[0],
  range: { base: string | null; head: string },
): Promise<boolean> {
  // A base that is not there any more, as of a repository that was made anew, cannot be compared with.
  const commits = await repoStore.log(mirror, { ...range, limit: MAX_COMMITS }).catch((): CommitInfo[] => []);
  return mergedPullRequests(commits).length > 0;
}
