import { findRevision } from "#git/revisions.ts";
import type { ObjectId, RepoStore } from "#git/repo-store.ts";
import { AppError } from "#lib/app-error.ts";
import type { ProjectId } from "#lib/ids.ts";

/** Past commits of a branch, for the tools that read history. */
export interface HistoryEntry {
  commit: string;
  subject: string;
  authoredAt: Date;
  /** Names of its tags. */
  tags: readonly string[];
}

const MAX_COMMITS = 500;

/** Past commits of a branch, newest first, after `since` (a tag, a commit, or the start of its id). */
export async function readHistory(
  repoStore: RepoStore,
  project: ProjectId,
  { head, since, limit }: { head: ObjectId; since: string | null; limit: number },
): Promise<HistoryEntry[]> {
  const base = since === null ? null : await findRevision(repoStore, project, { name: since, head });
  if (since !== null && base === null) throw new AppError("not_found", `There is no tag or commit "${since}".`);
  const commits = await repoStore.log(project, { base, head, limit: Math.min(limit, MAX_COMMITS) });
  const tags = Map.groupBy(await repoStore.tags(project), (tag) => tag.commit);
  return commits.map(({ id, subject, authoredAt }) => ({
    commit: id,
    subject,
    authoredAt,
    tags: (tags.get(id) ?? []).map((tag) => tag.name),
  }));
}
