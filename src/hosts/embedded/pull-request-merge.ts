import type { Identity } from "#git/objects/objects.ts";
import type { Clock } from "#lib/clock.ts";
import type { HostedRepository, MergeOutcome } from "#hosts/code-host.ts";
import type { ObjectId, RepoStore } from "#git/repo-store.ts";
import { setReference } from "#git/set-reference.ts";
import type { PullRequestRow } from "./pull-request-rows.ts";
import { squashMessage } from "#hosts/squash-message.ts";

export const branchRef = (branch: string): string => `refs/heads/${branch}`;
/** The last commit of the pull request's branch: keeps its commits after the branch is gone. */
export const pullHeadRef = (number: number): string => `refs/pull/${number}/head`;
/**
 * The commit that a merge is about to put on the base branch. It is written first: if a crash comes between the move
 * of the base branch and the row, it tells which pull request the commit on the base branch is.
 */
export const pullMergeRef = (number: number): string => `refs/pull/${number}/merge`;

export interface SquashResult {
  commit: ObjectId;
  mergeBase: ObjectId | null;
}

const MAX_TRIES = 5;

/** Moves the base branch by one commit that holds all changes, and deletes the head branch, in one transaction of references. */
export async function squashMerge(
  deps: { repoStore: RepoStore; clock: Clock },
  repository: HostedRepository,
  pullRequest: { row: PullRequestRow; head: ObjectId; by: Identity | null },
): Promise<({ ok: true } & SquashResult) | Extract<MergeOutcome, { ok: false }>> {
  const { repoStore, clock } = deps;
  const { projectId } = repository;
  const { row, head, by } = pullRequest;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const base = await repoStore.resolve(projectId, branchRef(row.base));
    if (base === null) {
      return { ok: false, reason: "blocked", detail: `The branch ${row.base} does not exist.` };
    }
    const merge = await repoStore.mergeTrees(projectId, { ours: base, theirs: head });
    if (!merge.ok) {
      const detail = `The changes conflict with ${row.base}.`;
      return { ok: false, reason: "conflict", detail, paths: merge.conflicts };
    }
    if ((await repoStore.changes(projectId, base, merge.tree)).length === 0) {
      const detail = `Everything in it is on ${row.base} already: a merge would change nothing. Close it.`;
      return { ok: false, reason: "blocked", detail };
    }
    const commits = await repoStore.log(projectId, { base, head, limit: 250 });
    const author = commits.at(-1)?.author ?? { name: "Docent", email: "docent@localhost" };
    const commit = await repoStore.commit(projectId, {
      tree: merge.tree,
      parents: [base],
      message: squashMessage({ ...row, author, by }, commits),
      author,
      at: clock.now(),
    });
    const mergeBase = await repoStore.mergeBase(projectId, base, head);
    await setReference(repoStore, projectId, { ref: pullHeadRef(row.number), to: head });
    await setReference(repoStore, projectId, { ref: pullMergeRef(row.number), to: commit });
    const moved = await repoStore.updateRefs(projectId, [
      { ref: branchRef(row.base), to: commit, expected: base },
      { ref: branchRef(row.head), to: null, expected: head },
    ]);
    if (moved) return { ok: true, commit, mergeBase };
    if ((await repoStore.resolve(projectId, branchRef(row.head))) !== head) {
      return { ok: false, reason: "head_moved", detail: "The branch has new commits." };
    }
  }
  return { ok: false, reason: "blocked", detail: `The branch ${row.base} keeps moving; try again.` };
}
