import type { RepoStore } from "#git/repo-store.ts";
import { parsePatch } from "#git/history/diff.ts";
import type { CommitRange } from "#features/jobs/job-range.ts";
import { AppError } from "#lib/app-error.ts";
import { createLruCache } from "#lib/lru-cache.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { Thread } from "./comments.ts";

/** The current lines of threads, by ID of the thread; null: later commits changed or removed the line. */
export type CurrentLines = ReadonlyMap<string, number | null>;

/** Finds where the lines of threads are in the compared commits. */
export type LineFinder = (
  projectId: ProjectId,
  range: CommitRange | null,
  threads: readonly Thread[],
) => Promise<CurrentLines>;

type Line = (line: number) => number | null;

export function createLineFinder({ repoStore }: { repoStore: Pick<RepoStore, "patch" | "changes"> }): LineFinder {
  // Commits never change, so neither does where a line of one is in the other.
  const cache = createLruCache<string, Line>({ maxWeight: 2_000 });
  const readLines = async (projectId: ProjectId, range: CommitRange, path: string): Promise<Line> => {
    const key = JSON.stringify([projectId, range.base, range.head, path]);
    const known = cache.get(key);
    if (known) return known;
    const found = await movesOf(repoStore, { projectId, range, path });
    cache.set(key, found);
    return found;
  };
  return async (projectId, range, threads) => {
    const lines = new Map<string, number | null>();
    for (const { id, place, commit } of threads) {
      const now = place.side === "old" ? range?.base : range?.head;
      if (now === undefined) lines.set(id, null);
      else if (now === commit) lines.set(id, place.line);
      else lines.set(id, (await readLines(projectId, { base: commit, head: now }, place.path))(place.line));
    }
    return lines;
  };
}

/** Reads how lines of a file moved between two commits. */
async function movesOf(
  repoStore: Pick<RepoStore, "patch" | "changes">,
  { projectId, range, path }: { projectId: ProjectId; range: CommitRange; path: string },
): Promise<Line> {
  try {
    const change = (await repoStore.changes(projectId, range.base, range.head)).find(
      ({ path: name, oldPath }) => name === path || oldPath === path,
    );
    if (change === undefined) return (line) => line;
    if (change.status === "renamed" || change.status === "removed") return () => null;
    const [file] = parsePatch(await repoStore.patch(projectId, { ...range, paths: [path] }), [change]);
    const hunks = file?.hunks ?? [];
    return (line) => {
      let moved = 0;
      for (const { lines } of hunks) {
        for (const { kind, oldNumber } of lines) {
          if (oldNumber !== null && oldNumber > line) return line + moved;
          if (oldNumber === line) {
            if (kind === "removed") return null;
            return line + moved;
          }
          if (kind === "added") moved += 1;
          else if (kind === "removed") moved -= 1;
        }
      }
      return line + moved;
    };
  } catch (error) {
    // A commit that was replaced by a push is deleted at some time, and a large change cannot be compared.
    if (error instanceof AppError) return () => null;
    throw error;
  }
}
