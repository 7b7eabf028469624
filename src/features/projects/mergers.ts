import type { Queryable } from "#db/database.ts";
import type { ProjectId } from "#lib/ids.ts";

/**
 * The names of the people who merged pull requests on the embedded host, by the commit of the merge. Not read from the
 * trailers of commits, which say whatever their author pushed.
 */
export async function mergersOf(
  queryable: Queryable,
  projectId: ProjectId,
  commits: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (commits.length === 0) return new Map();
  const rows = await queryable
    .selectFrom("pull_request")
    .select(["merged_sha", "merged_by"])
    .where("project_id", "=", projectId)
    .where("merged_sha", "in", commits)
    .where("merged_by", "is not", null)
    .execute();
  return new Map(rows.map(({ merged_sha, merged_by }) => [merged_sha!, merged_by!]));
}
