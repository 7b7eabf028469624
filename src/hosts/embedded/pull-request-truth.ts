import type { HostedRepository } from "#hosts/code-host.ts";
import type { BranchPush, StateListener } from "#hosts/hosted-pull-requests.ts";
import type { Database } from "#db/database.ts";
import type { ObjectId, RepoStore } from "#git/repo-store.ts";
import type { Clock } from "#lib/clock.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { Logger } from "#lib/logger.ts";
import { setReference } from "#git/set-reference.ts";
import { branchRef, pullHeadRef, pullMergeRef } from "./pull-request-merge.ts";
import {
  endRow,
  findRow,
  findRowByHead,
  listRows,
  type PullRequestEnd,
  type PullRequestRow,
  recordHead,
  reopenRow,
} from "./pull-request-rows.ts";

/** Keeps the rows true to the repository, which is always written first and decides in doubt. */
export interface PullRequestTruth {
  /** The row as the repository says it is; writes the difference. */
  settle(row: PullRequestRow): Promise<PullRequestRow>;
  close(row: PullRequestRow): Promise<void>;
  /** Ends an open pull request in its row, and tells the listener. */
  end(row: PullRequestRow, ending: PullRequestEnd): Promise<void>;
  recordPush(repository: HostedRepository, push: BranchPush): Promise<void>;
  reconcile(repository: HostedRepository): Promise<void>;
}

const PAGE = 100;

export function createPullRequestTruth(deps: {
  database: Database;
  repoStore: RepoStore;
  clock: Clock;
  logger: Logger;
  onStateChange?: StateListener;
}): PullRequestTruth {
  const { database, repoStore } = deps;
  const now = () => deps.clock.now().getTime();
  const keyOf = (row: PullRequestRow) => ({ projectId: row.project_id, number: row.number });
  const reread = async (row: PullRequestRow) => (await findRow(database.kysely, keyOf(row))) ?? row;
  const isIn = async (row: PullRequestRow, commit: ObjectId, tip: ObjectId) =>
    (await repoStore.mergeBase(row.project_id, commit, tip)) === commit;

  const tell = async ({ project_id, number, head, head_sha }: PullRequestRow, state: PullRequestRow["state"]) =>
    deps.onStateChange?.(project_id, { number, state, head: { branch: head, commit: head_sha } });
  const end = async (row: PullRequestRow, ending: PullRequestEnd): Promise<void> => {
    await endRow(database.kysely, keyOf(row), ending);
    await tell(row, ending.state);
  };

  /** The row of a merge that reached the base branch and not the row. */
  const finishMerge = async (row: PullRequestRow, merged: ObjectId): Promise<PullRequestRow> => {
    const headCommit = (await repoStore.resolve(row.project_id, pullHeadRef(row.number))) ?? row.head_sha;
    const [commit] = await repoStore.log(row.project_id, { base: null, head: merged, limit: 1 });
    const parent = commit?.parents[0];
    const mergeBase = parent ? await repoStore.mergeBase(row.project_id, parent, headCommit) : null;
    await repoStore.updateRef(row.project_id, { ref: branchRef(row.head), to: null, expected: headCommit });
    // Who merged it was lost with the process: the trailers of a commit can be those of its author.
    const ending = { state: "merged", headCommit, mergedCommit: merged, mergedBy: null, mergeBase, at: now() } as const;
    await end(row, ending);
    return reread(row);
  };

  /** A repository that was restored from a clone lacks the commits that only a pull request had. */
  const hasHead = async ({ project_id, head_sha }: PullRequestRow) =>
    (await repoStore.resolve(project_id, head_sha)) !== null;

  const close = async (row: PullRequestRow): Promise<void> => {
    const head = row.head_sha;
    const isThere = await hasHead(row);
    if (isThere) await setReference(repoStore, row.project_id, { ref: pullHeadRef(row.number), to: head });
    const base = await repoStore.resolve(row.project_id, branchRef(row.base));
    const mergeBase = base === null || !isThere ? null : await repoStore.mergeBase(row.project_id, base, head);
    const ending = { state: "closed", headCommit: head, mergedCommit: null, mergeBase, at: now() } as const;
    await end(row, ending);
  };

  const settle = async (row: PullRequestRow): Promise<PullRequestRow> => {
    if (row.state !== "open") return row;
    // In this order: a merge writes its plan, then the base branch, and deletes the head branch last.
    const head = await repoStore.resolve(row.project_id, branchRef(row.head));
    const planned = await repoStore.resolve(row.project_id, pullMergeRef(row.number));
    if (planned !== null) {
      const base = await repoStore.resolve(row.project_id, branchRef(row.base));
      if (base !== null && (await isIn(row, planned, base))) return finishMerge(row, planned);
    }
    if (head === null) {
      // All branches are lost, as after a disk error: they may be restored.
      if ((await repoStore.resolve(row.project_id, branchRef(row.base))) === null) return row;
      const { project_id: project, number, head: branch, head_sha: commit } = row;
      if (await hasHead(row))
        deps.logger.info({ project, number, branch }, "the branch of an open pull request is gone: closed");
      else
        deps.logger.warn(
          { project, number, branch, commit },
          "the repository has neither the branch nor the commits of an open pull request: closed. Push the branch from a clone that has it, and open a new one",
        );
      await close(row);
      return reread(row);
    }
    if (head === row.head_sha) return row;
    await recordHead(database.kysely, { projectId: row.project_id, branch: row.head, commit: head, at: now() });
    return { ...row, head_sha: head };
  };

  /** A person may merge with git alone: the base branch then holds the head's commits. */
  const endMerged = async (repository: HostedRepository, push: BranchPush): Promise<void> => {
    const { after, before } = push;
    if (after === null || before === null) return;
    const { projectId } = repository;
    for await (const rows of pagesOf(projectId, { state: "open", base: push.branch })) {
      const heads = new Set<ObjectId>();
      for (const row of rows) if (await hasHead(row)) heads.add(row.head_sha);
      const contained = await repoStore.contained(projectId, after, [...heads]);
      for (const row of rows) if (contained.has(row.head_sha)) await endAsMerged(row, { before, after });
    }
  };

  const endAsMerged = async (row: PullRequestRow, { before, after }: { before: ObjectId; after: ObjectId }) => {
    await setReference(repoStore, row.project_id, { ref: pullHeadRef(row.number), to: row.head_sha });
    const mergeBase = await repoStore.mergeBase(row.project_id, before, row.head_sha);
    const ending = { state: "merged", mergedCommit: after, mergedBy: null, mergeBase, at: now() } as const;
    await end(row, { ...ending, headCommit: row.head_sha });
  };

  /** All rows in parts, newest first. */
  async function* pagesOf(projectId: ProjectId, filter: { state: "open" | "all"; base?: string }) {
    for (let before: number | null = null; ;) {
      const rows: PullRequestRow[] = await listRows(database.kysely, projectId, { ...filter, limit: PAGE, before });
      yield rows;
      before = rows.at(-1)?.number ?? null;
      if (rows.length < PAGE) return;
    }
  }

  return {
    settle,
    close,
    end,
    async recordPush(repository, push) {
      if (push.after !== null) {
        const { projectId } = repository;
        await recordHead(database.kysely, { projectId, branch: push.branch, commit: push.after, at: now() });
      } else {
        const row = await findRowByHead(database.kysely, repository.projectId, push.branch);
        if (row) await settle(row);
      }
      await endMerged(repository, push);
      database.wakeUp.notify("repository", repository.projectId);
    },
    async reconcile(repository) {
      for await (const rows of pagesOf(repository.projectId, { state: "all" })) {
        for (const row of rows) {
          await settle(row);
          if (row.state === "merged") await undoUnknownMerge(row);
        }
      }
    },
  };

  /** The repository was put back to before the merge: its commit is unknown and its branch is there again. */
  async function undoUnknownMerge(row: PullRequestRow): Promise<void> {
    const head = await repoStore.resolve(row.project_id, branchRef(row.head));
    if (head !== row.head_sha) return;
    if (row.merged_sha !== null && (await repoStore.resolve(row.project_id, row.merged_sha)) !== null) return;
    deps.logger.warn({ project: row.project_id, number: row.number }, "merge is not in the repository: reopened");
    await reopenRow(database.kysely, keyOf(row), now());
    await tell(row, "open");
  }
}
