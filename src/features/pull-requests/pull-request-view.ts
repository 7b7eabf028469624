import type { CodeHost, HostedRepository, PullRequest } from "#hosts/code-host.ts";
import type { HostedPullRequests } from "#hosts/hosted-pull-requests.ts";
import { type FileDiff, parsePatch } from "#git/history/diff.ts";
import type { CommitRange } from "#features/jobs/job-range.ts";
import type { CommitInfo, FileChange, RepoStore } from "#git/repo-store.ts";
import type { Database } from "#db/database.ts";
import { mergersOf } from "#features/projects/mergers.ts";
import { AppError } from "#lib/app-error.ts";
import { createLruCache } from "#lib/lru-cache.ts";

/** The data for the page of a pull request. */
export interface PullRequestView {
  pullRequest: PullRequest;
  /** Oldest first; at most `MAX_COMMITS` of them. */
  commits: CommitInfo[];
  changes: FileChange[];
  /** By path, without files that are too large to be shown with the others. */
  diffs: ReadonlyMap<string, FileDiff>;
  additions: number;
  deletions: number;
  /** Whether an open pull request can be merged now; null for any other. */
  mergeability: { ok: true; changesNothing: boolean } | { ok: false; conflicts: string[] } | null;
  /** The person who merged it; null before, and for a merge with an API key or by a push. */
  mergedBy: string | null;
  /** From the point where it left its base to its last commit; null without commits. */
  range: CommitRange | null;
}

export interface PullRequestViews {
  /** `path` requests the diff of that file alone, with a far higher limit. Null when the pull request does not exist. */
  read(repository: HostedRepository, number: number, path: string | null): Promise<PullRequestView | null>;
}

const MAX_COMMITS = 250;
const MAX_SHOWN_FILES = 100;
const MAX_LINES = 4_000;
const MAX_FILE_LINES = 1_500;
const MAX_LONE_FILE_LINES = 30_000;
const MAX_CACHED_LINES = 60_000;

interface Changes {
  commits: CommitInfo[];
  changes: FileChange[];
  diffs: Map<string, FileDiff>;
}

/** Reads the changes between two commits; `path` requests the diff of that file alone, with a far higher limit. */
export type ChangeReader = (repository: HostedRepository, range: CommitRange, path: string | null) => Promise<Changes>;

export function createChangeReader({ repoStore }: { repoStore: RepoStore }): ChangeReader {
  // Commits never change, so the changes between two commits can be cached.
  const cache = createLruCache<string, Changes>({ maxWeight: MAX_CACHED_LINES, weigh: countLines });
  const readChanges: ChangeReader = async (repository, range, path) => {
    const key = JSON.stringify([repository.projectId, range.base, range.head, path]);
    const known = cache.get(key);
    if (known) return known;
    const { projectId } = repository;
    const [log, changes] = await Promise.all([
      repoStore.log(projectId, { ...range, limit: MAX_COMMITS }),
      repoStore.changes(projectId, range.base, range.head),
    ]);
    const shown =
      path === null
        ? showable(changes)
        : changes.filter((change) => change.path === path && linesOf(change) <= MAX_LONE_FILE_LINES);
    const diffs = await readDiffs(repository, range, shown);
    const made = { commits: log.toReversed(), changes, diffs };
    cache.set(key, made);
    return made;
  };

  const readDiffs = async (
    repository: HostedRepository,
    range: CommitRange,
    shown: readonly FileChange[],
  ): Promise<Map<string, FileDiff>> => {
    if (shown.length === 0) return new Map();
    const paths = shown.flatMap(({ path, oldPath }) => (oldPath === null ? [path] : [oldPath, path]));
    try {
      const patch = await repoStore.patch(repository.projectId, { ...range, paths });
      return new Map(parsePatch(patch, shown).map((file) => [file.change.path, file]));
    } catch (error) {
      if (error instanceof AppError && error.code === "too_large") return new Map();
      throw error;
    }
  };

  return readChanges;
}

export function createPullRequestViews(deps: {
  codeHost: CodeHost & HostedPullRequests;
  database: Pick<Database, "kysely">;
  repoStore: RepoStore;
  readChanges: ChangeReader;
}): PullRequestViews {
  const { codeHost, repoStore, readChanges } = deps;
  const verdicts = createLruCache<string, PullRequestView["mergeability"]>({ maxWeight: 1_000 });

  const readMergeability = async (repository: HostedRepository, pullRequest: PullRequest) => {
    if (pullRequest.state !== "open") return null;
    const base = await codeHost.fetchBranch(repository, pullRequest.base.branch);
    if (base === null) return { ok: false as const, conflicts: [] };
    const key = `${repository.projectId} ${base} ${pullRequest.head.commit}`;
    const known = verdicts.get(key);
    if (known) return known;
    const merge = await repoStore.mergeTrees(repository.projectId, { ours: base, theirs: pullRequest.head.commit });
    const verdict = merge.ok
      ? {
          ok: true as const,
          changesNothing: (await repoStore.changes(repository.projectId, base, merge.tree)).length === 0,
        }
      : merge;
    verdicts.set(key, verdict);
    return verdict;
  };

  const readMerger = async ({ projectId }: HostedRepository, { mergedCommit }: PullRequest) =>
    mergedCommit === null
      ? null
      : ((await mergersOf(deps.database.kysely, projectId, [mergedCommit])).get(mergedCommit) ?? null);

  return {
    async read(repository, number, path) {
      const pullRequest = await codeHost.getPullRequest(repository, number);
      if (!pullRequest) return null;
      const range = await codeHost.pullRequestRange(repository, number);
      const [between, mergeability] = await Promise.all([
        range ? readChanges(repository, range, path) : { commits: [], changes: [], diffs: new Map<string, FileDiff>() },
        readMergeability(repository, pullRequest),
      ]);
      const sum = (count: (change: FileChange) => number | null) =>
        between.changes.reduce((total, change) => total + (count(change) ?? 0), 0);
      return {
        pullRequest,
        ...between,
        additions: sum((change) => change.additions),
        deletions: sum((change) => change.deletions),
        mergeability,
        mergedBy: await readMerger(repository, pullRequest),
        range,
      };
    },
  };
}

const linesOf = (change: FileChange): number => (change.additions ?? 0) + (change.deletions ?? 0);

/** The files that are shown together, within the limits for the lines of one file and of all files. */
function showable(changes: readonly FileChange[]): FileChange[] {
  let room = MAX_LINES;
  const shown: FileChange[] = [];
  for (const change of changes) {
    const lines = linesOf(change);
    if (shown.length >= MAX_SHOWN_FILES || lines > MAX_FILE_LINES || lines > room) continue;
    room -= lines;
    shown.push(change);
  }
  return shown;
}

function countLines({ commits, changes, diffs }: Changes): number {
  let lines = 1 + commits.length + changes.length;
  for (const diff of diffs.values()) for (const hunk of diff.hunks) lines += hunk.lines.length;
  return lines;
}
