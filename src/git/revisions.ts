import type { ProjectId } from "#lib/ids.ts";
import type { ObjectId, RepoStore } from "./repo-store.ts";

const MAX_COMMITS = 500;

/** The commit named by a tag, an id, or an unambiguous prefix of one of the newest 500 ids from `head`; else null. */
export async function findRevision(
  store: Pick<RepoStore, "resolve" | "log">,
  project: ProjectId,
  { name, head }: { name: string; head: ObjectId },
): Promise<ObjectId | null> {
  const named = (await store.resolve(project, `refs/tags/${name}`)) ?? (await store.resolve(project, name));
  if (named !== null || !/^[0-9a-f]{7,40}$/.test(name)) return named;
  const recent = await store.log(project, { base: null, head, limit: MAX_COMMITS });
  const [commit, second] = recent.filter(({ id }) => id.startsWith(name));
  return commit && !second ? commit.id : null;
}
