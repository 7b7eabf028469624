import type { ObjectId, RepoStore, TreeEntry } from "#git/repo-store.ts";
import { AppError } from "#lib/app-error.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { FileReason } from "#tools/tool.ts";
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

/**
 * The same with the files that are gone from one path and there at another, as git pairs them in the diff: for people,
 * who count such a file once. Where files come and go together it costs a process of git's.
 */
export async function findFileMoves(
  repoStore: Pick<RepoStore, "tree" | "changes">,
  project: ProjectId,
  range: { base: ObjectId; tree: ObjectId | null },
): Promise<JobEventData[]> {
  const [event] = await findFileChanges(repoStore, project, range);
  if (event?.type !== "files.changed" || range.tree === null) return [];
  if (event.added.length === 0 || event.removed.length === 0) return [event];
  const moved = await movesOf(repoStore, project, { base: range.base, tree: range.tree });
  return [moved.length === 0 ? event : { ...event, moved }];
}

/** How many files an event of `findFileMoves` is about: one that moved is one. */
export function countFiles([event]: readonly JobEventData[]): number {
  if (event?.type !== "files.changed") return 0;
  const { added, modified, removed, moved = [] } = event;
  return added.length + modified.length + removed.length - moved.length;
}

/** What the agent says of files, without those that it did not change. */
export async function reasonsOfChangedFiles(
  repoStore: Pick<RepoStore, "tree">,
  project: ProjectId,
  { files, ...range }: { files: readonly FileReason[]; base: ObjectId; tree: ObjectId | null },
): Promise<FileReason[]> {
  const [event] = await findFileChanges(repoStore, project, range);
  if (event?.type !== "files.changed") return [];
  const changed = new Set([...event.added, ...event.modified, ...event.removed]);
  return files.filter(({ path }) => changed.has(path));
}

async function movesOf(
  repoStore: Pick<RepoStore, "changes">,
  project: ProjectId,
  { base, tree }: { base: ObjectId; tree: ObjectId },
): Promise<{ from: string; to: string }[]> {
  try {
    const changes = await repoStore.changes(project, base, tree);
    return changes.flatMap(({ oldPath, path }) => (oldPath === null ? [] : [{ from: oldPath, to: path }]));
  } catch (error) {
    // A list that long is cut in the transcript, too: there a file is counted twice.
    if (error instanceof AppError && error.code === "too_large") return [];
    throw error;
  }
}

const byPath = (entries: readonly TreeEntry[]) => new Map(entries.map((entry) => [entry.path, entry]));
