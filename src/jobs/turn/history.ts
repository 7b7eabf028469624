import type { HistoryEntry } from "#agent/tool.ts";
import type { ObjectId, RepoStore } from "#git/repo-store.ts";
import { AppError } from "#lib/app-error.ts";
import type { ProjectId } from "#lib/ids.ts";

const MAX_COMMITS = 500;

/** Past commits of the base branch, newest first, from after `since` (a tag, a commit, or the start of its id) on. */
export async function readHistory(
  repoStore: RepoStore,
  project: ProjectId,
  { head, since, limit }: { head: ObjectId; since: string | null; limit: number },
): Promise<HistoryEntry[]> {
  const base = since === null ? null : await resolveSince(repoStore, project, { since, head });
  const commits = await repoStore.log(project, { base, head, limit: Math.min(limit, MAX_COMMITS) });
  const tags = Map.groupBy(await repoStore.tags(project), (tag) => tag.commit);
  return commits.map(({ id, subject, authoredAt }) => ({
    commit: id,
    subject,
    authoredAt,
    tags: (tags.get(id) ?? []).map((tag) => tag.name),
  }));
}

async function resolveSince(
  repoStore: RepoStore,
  project: ProjectId,
  { since, head }: { since: string; head: ObjectId },
): Promise<ObjectId> {
  const named = (await repoStore.resolve(project, `refs/tags/${since}`)) ?? (await repoStore.resolve(project, since));
  if (named !== null) return named;
  const recent = /^[0-9a-f]{7,40}$/.test(since)
    ? await repoStore.log(project, { base: null, head, limit: MAX_COMMITS })
    : [];
  const [commit, second] = recent.filter(({ id }) => id.startsWith(since));
  if (commit && !second) return commit.id;
  throw new AppError("not_found", `There is no tag or commit "${since}".`);
}
