import type { ObjectId, RepoStore, TreeEntry } from "#git/repo-store.ts";
import { AppError } from "#lib/app-error.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { FileReason } from "#tools/tool.ts";
import type { JobEventData } from "./events.ts";

/**
 * The `files.changed` event between a commit and a tree; an empty list when nothing differs. Compares object ids in this
 * process, because starting git costs more than the whole comparison.
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
 * The same event with moved files, paired as git pairs them in the diff, because people count such a file once. Starts
 * git only when files were both added and removed.
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

/** Counts the files in an event of `findFileMoves`. A moved file counts once. */
export function countFiles([event]: readonly JobEventData[]): number {
  if (event?.type !== "files.changed") return 0;
  const { added, modified, removed, moved = [] } = event;
  return added.length + modified.length + removed.length - moved.length;
}

/** The agent's reasons for its changes, without those for files that it did not change. */
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
    // The transcript truncates such a long list anyway. A moved file is counted twice there.
    if (error instanceof AppError && error.code === "too_large") return [];
    throw error;
  }
}

const byPath = (entries: readonly TreeEntry[]) => new Map(entries.map((entry) => [entry.path, entry]));
