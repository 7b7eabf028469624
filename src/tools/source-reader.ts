import { mirrorOf, type SourceRepository } from "#hosts/sources/sources.ts";
import { commitSnapshot } from "#git/commit-snapshot.ts";
import type { CommitInfo, FileChange, ObjectId, RepoStore } from "#git/repo-store.ts";
import { findRevision } from "#git/revisions.ts";
import { AppError } from "#lib/app-error.ts";
import { readHistory } from "./history.ts";
import type { HistoryEntry } from "./history.ts";
import { createVirtualTree, type VirtualTree } from "./virtual-tree.ts";

/** One source as tools read it: its mirror, by commits of the branch. There is nothing in it that writes. */
export interface SourceReader {
  name: string;
  url: string;
  branch: string;
  /** Commit of a tag, an id, the start of one, or of the branch (null). `AppError not_found`. */
  resolve(revision: string | null): Promise<ObjectId>;
  /** The files of a commit. Those that hold credentials are listed, and have no content. */
  files(commit: ObjectId): VirtualTree;
  /** Newest first; of one file or folder where a path is given. */
  log(options: { base: ObjectId | null; head: ObjectId; path: string | null; limit: number }): Promise<CommitInfo[]>;
  /** With the tags on the commits, from after `since`. `AppError not_found`. */
  history(options: { since: string | null; limit: number }): Promise<HistoryEntry[]>;
  changes(base: ObjectId, head: ObjectId): Promise<FileChange[]>;
  /** Commits that lines come from, by line. */
  blame(options: { commit: ObjectId; path: string; from: number; to: number }): Promise<ReadonlyMap<number, ObjectId>>;
  /** The commits by their ids. */
  commit(id: ObjectId): Promise<CommitInfo>;
}

export function createSourceReader(
  { repoStore }: { repoStore: RepoStore },
  source: Pick<SourceRepository, "id" | "name" | "url" | "branch">,
): SourceReader {
  const mirror = mirrorOf(source);
  const { name, url, branch } = source;
  const reader: SourceReader = {
    name,
    url,
    branch,
    async resolve(revision) {
      const head = await repoStore.resolve(mirror, `refs/heads/${branch}`);
      if (head === null) throw new AppError("not_found", `The source ${name} has not been fetched yet.`);
      if (revision === null || revision === branch || revision === "HEAD") return head;
      const found = await findRevision(repoStore, mirror, { name: revision, head });
      if (found === null) {
        throw new AppError("not_found", `The source ${name} has no tag or commit ${JSON.stringify(revision)}.`);
      }
      return found;
    },
    files: (commit) => createVirtualTree(commitSnapshot(repoStore, mirror, commit)),
    log: ({ path, ...range }) => repoStore.log(mirror, { ...range, ...(path !== null && { path }) }),
    history: async (range) => readHistory(repoStore, mirror, { ...range, head: await reader.resolve(null) }),
    changes: (base, head) => repoStore.changes(mirror, base, head),
    async blame(lines) {
      return new Map((await repoStore.blame(mirror, lines)).map(({ line, commit }) => [line, commit]));
    },
    async commit(id) {
      const [found] = await repoStore.log(mirror, { base: null, head: id, limit: 1 });
      if (!found) throw new AppError("not_found", `The source ${name} has no commit ${id}.`);
      return found;
    },
  };
  return reader;
}
