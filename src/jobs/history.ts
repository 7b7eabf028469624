import type { HistoryEntry } from "#agent/tool.ts";
import type { ObjectId, RepoStore } from "#git/repo-store.ts";
import { AppError } from "#lib/app-error.ts";
import type { ProjectId } from "#lib/ids.ts";

const MAX_COMMITS = 200;

/** Past commits of the base branch, newest first, from after `since` (a commit or a tag) on. */
export async function readHistory(
  repoStore: RepoStore,
  project: ProjectId,
  head: ObjectId,
  range: { since: string | null; limit: number },
): Promise<HistoryEntry[]> {
  const since = range.since === null ? null : await resolveSince(repoStore, project, range.since);
  const commits = await repoStore.log(project, { base: since, head, limit: Math.min(range.limit, MAX_COMMITS) });
  return Promise.all(
    commits.map(async (commit) => {
      const parent = commit.parents[0];
      const changes = parent ? await repoStore.changes(project, parent, commit.id) : [];
      return {
        commit: commit.id,
        subject: commit.subject,
        authoredAt: commit.authoredAt,
        tags: [],
        paths: changes.map((change) => change.path),
      };
    }),
  );
}

async function resolveSince(repoStore: RepoStore, project: ProjectId, since: string): Promise<ObjectId> {
  const commit = (await repoStore.resolve(project, `refs/tags/${since}`)) ?? (await repoStore.resolve(project, since));
  if (commit === null) throw new AppError("not_found", `There is no tag or commit "${since}".`);
  return commit;
}
