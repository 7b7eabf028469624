import type { ObjectId, RepoStore, TreeEntry } from "#git/repo-store.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { JobEventData } from "./events.ts";

/**
 * The `files.changed` event between a commit and a tree; none when nothing differs. Compared by the ids that git gave
 * the files, without a process of git's: starting one costs more than all of this.
 */
export async function findFileChanges(
  repoStore: Pick<RepoStore, "tree">,
  project: ProjectId,
  { base, tree }: { base: ObjectId; tree: ObjectId | null },
): Promise<JobEventData[]> {
  if (tree === null) return [];
  const before = byPath(await repoStore.tree(project, base));
  const after = byPath(await repoStore.tree(project, tree));
  const added: string[] = [];
  const modified: string[] = [];
  for (const [path, entry] of after) {
    const known = before.get(path);
    if (!known) added.push(path);
    else if (known.oid !== entry.oid || known.mode !== entry.mode) modified.push(path);
  }
  const removed = [...before.keys()].filter((path) => !after.has(path));
  if (added.length + modified.length + removed.length === 0) return [];
  return [{ type: "files.changed", added, modified, removed }];
}

const byPath = (entries: readonly TreeEntry[]) => new Map(entries.map((entry) => [entry.path, entry]));
