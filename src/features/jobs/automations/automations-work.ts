import type { Database } from "#db/database.ts";
import type { ObjectId, RepoStore } from "#git/repo-store.ts";
import type { JobId, ProjectId } from "#lib/ids.ts";

const MAX_COMMITS = 200;

/** Whether automations made all commits of a range, so that the range must not trigger another run. */
export async function isAutomationsWork(
  { submit: { database }, repoStore }: { submit: { database: Database }; repoStore: Pick<RepoStore, "log"> },
  projectId: ProjectId,
  range: { base: ObjectId | null; head: ObjectId },
): Promise<boolean> {
  if (range.base === null) return false;
  // A base that was force-pushed away and garbage-collected cannot be compared with: everything counts as new.
  const commits = await repoStore.log(projectId, { ...range, limit: MAX_COMMITS + 1 }).catch(() => null);
  if (commits === null || commits.length > MAX_COMMITS) return false;
  // Merge commits are skipped: the commits that they bring in are in the range themselves.
  const own = commits.filter((commit) => commit.parents.length < 2);
  if (own.length === 0) return commits.length === 0;
  const jobIds = new Set(own.map((commit) => commit.trailers["Docent-Job"]));
  if (jobIds.has(undefined)) return false;
  const others = await database.kysely
    .selectFrom("job")
    .select("id")
    .where("id", "in", [...jobIds] as JobId[])
    .where("automation_id", "is", null)
    .limit(1)
    .execute();
  return others.length === 0;
}
