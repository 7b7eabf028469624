import { mirrorOf, type SourceRepository } from "#hosts/sources/sources.ts";
import { commitSnapshot } from "#git/commit-snapshot.ts";
import type { CommitInfo, FileChange, ObjectId, RepoStore } from "#git/repo-store.ts";
import { findRevision } from "#git/revisions.ts";
import { AppError } from "#lib/app-error.ts";
import type { ProjectId } from "#lib/ids.ts";
import { readHistory } from "./history.ts";
import type { HistoryEntry } from "./history.ts";
import { createVirtualTree, type VirtualTree } from "./virtual-tree.ts";

/** One repository as tools read it, by commits of a branch. It is read-only. */
export interface SourceReader {
  name: string;
  /** Its name in messages: `source api`. */
  title: string;
  url: string;
  branch: string;
  /** Resolves a tag, an id, the start of one, or the branch (null) to a commit. `AppError not_found`. */
  resolve(revision: string | null): Promise<ObjectId>;
  /** The files of a commit. Those that hold credentials are listed, but have no content. */
  files(commit: ObjectId): VirtualTree;
  /** Newest first; limited to a file or folder if a path is given. */
  log(options: { base: ObjectId | null; head: ObjectId; path: string | null; limit: number }): Promise<CommitInfo[]>;
  /** Commits after `since`, with their tags. `AppError not_found`. */
  history(options: { since: string | null; limit: number }): Promise<HistoryEntry[]>;
  changes(base: ObjectId, head: ObjectId): Promise<FileChange[]>;
  /** The commit that each line comes from, by line. */
  blame(options: { commit: ObjectId; path: string; from: number; to: number }): Promise<ReadonlyMap<number, ObjectId>>;
  /** Reads a commit by its id. */
  commit(id: ObjectId): Promise<CommitInfo>;
}

export function createSourceReader(
  { repoStore }: { repoStore: RepoStore },
  source: Pick<SourceRepository, "id" | "name" | "url" | "branch">,
): SourceReader {
  const mirror = mirrorOf(source);
  const { name, url, branch } = source;
  const title = `source ${name}`;
  return createReader(repoStore, {
    name,
    url,
    branch,
    title,
    repository: mirror,
    async head() {
      const head = await repoStore.resolve(mirror, `refs/heads/${branch}`);
      if (head === null) throw new AppError("not_found", `The ${title} has not been fetched yet.`);
      return head;
    },
  });
}

/** The documentation repository itself. Its newest commit is the one that the turn started from. */
export function createDocsReader(
  { repoStore }: { repoStore: RepoStore },
  { id, branch, base }: { id: ProjectId; branch: string; base: ObjectId },
): SourceReader {
  const title = "documentation repository";
  return createReader(repoStore, { name: "docs", url: "", branch, title, repository: id, head: async () => base });
}

function createReader(
  repoStore: RepoStore,
  options: Pick<SourceReader, "name" | "url" | "branch" | "title"> & {
    repository: ProjectId;
    head(): Promise<ObjectId>;
  },
): SourceReader {
  const { repository, head, name, url, branch, title } = options;
  const reader: SourceReader = {
    name,
    url,
    branch,
    title,
    async resolve(revision) {
      const newest = await head();
      if (revision === null || revision === branch || revision === "HEAD") return newest;
      const found = await findRevision(repoStore, repository, { name: revision, head: newest });
      if (found === null)
        throw new AppError("not_found", `The ${title} has no tag or commit ${JSON.stringify(revision)}.`);
      return found;
    },
    files: (commit) => createVirtualTree(commitSnapshot(repoStore, repository, commit)),
    log: ({ path, ...range }) => repoStore.log(repository, { ...range, ...(path !== null && { path }) }),
    history: async (range) => readHistory(repoStore, repository, { ...range, head: await reader.resolve(null) }),
    changes: (base, newer) => repoStore.changes(repository, base, newer),
    async blame(lines) {
      return new Map((await repoStore.blame(repository, lines)).map(({ line, commit }) => [line, commit]));
    },
    async commit(id) {
      const [found] = await repoStore.log(repository, { base: null, head: id, limit: 1 });
      if (!found) throw new AppError("not_found", `The ${title} has no commit ${id}.`);
      return found;
    },
  };
  return reader;
}
