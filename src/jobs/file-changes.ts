import type { ObjectId, RepoStore } from "#git/repo-store.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { JobEventData } from "./events.ts";

/** The `files.changed` event between a commit and a tree; none when nothing differs. */
export async function findFileChanges(
  repoStore: RepoStore,
  project: ProjectId,
  base: ObjectId,
  tree: ObjectId | null,
): Promise<JobEventData[]> {
  if (tree === null) return [];
  const changes = await repoStore.changes(project, base, tree);
  if (changes.length === 0) return [];
  const paths = (status: string) => changes.filter((change) => change.status === status).map((change) => change.path);
  const renamedFrom = changes.flatMap((change) =>
    change.status === "renamed" && change.oldPath ? [change.oldPath] : [],
  );
  return [
    {
      type: "files.changed",
      added: [...paths("added"), ...paths("renamed")],
      modified: paths("modified"),
      removed: [...paths("removed"), ...renamedFrom],
    },
  ];
}
