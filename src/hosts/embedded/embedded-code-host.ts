import type { CodeHost, HostedRepository, PullRequest } from "#hosts/code-host.ts";
import type { BranchPush, HostedPullRequests, StateListener } from "#hosts/hosted-pull-requests.ts";
import type { Database } from "#db/database.ts";
import { isBranchName } from "#git/refs/references.ts";
import type { ObjectId, RepoStore } from "#git/repo-store.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import type { Logger } from "#lib/logger.ts";
import { createKeyedMutex } from "#lib/waiting/mutex.ts";
import { branchRef, squashMerge } from "./pull-request-merge.ts";
import {
  ensureRow,
  findRow,
  findRowByHead,
  listRows,
  markRowReady,
  type PullRequestRow,
  updateRow,
} from "./pull-request-rows.ts";
import { createPullRequestTruth } from "./pull-request-truth.ts";

/** The code host that Docent brings along: bare repositories, and pull requests in the database. */
export interface EmbeddedCodeHost extends CodeHost, HostedPullRequests {
  /** Brings pull requests in line with a branch that was pushed past this interface (over HTTP), and tells listeners. */
  recordPush(repository: HostedRepository, push: BranchPush): Promise<void>;
  /** Makes rows agree with the repository, after a crash or when either was restored from a backup. */
  reconcile(repository: HostedRepository): Promise<void>;
}

const MAX_TITLE_LENGTH = 255;
const MAX_BODY_LENGTH = 65_536;

export function createEmbeddedCodeHost(deps: {
  database: Database;
  repoStore: RepoStore;
  clock: Clock;
  logger: Logger;
  /** Address of this server without a trailing slash. Asked each time: the port may be known late. */
  baseUrl(): string;
  onStateChange?: StateListener;
}): EmbeddedCodeHost {
  const { database, repoStore, clock } = deps;
  const mutex = createKeyedMutex();
  const truth = createPullRequestTruth(deps);
  const now = () => clock.now().getTime();

  const present = (repository: HostedRepository, row: PullRequestRow): PullRequest => ({
    number: row.number,
    url: `${deps.baseUrl()}/${repository.slug}/pull/${row.number}`,
    state: row.state,
    draft: row.draft === 1,
    title: row.title,
    body: row.body,
    head: { branch: row.head, commit: row.head_sha },
    base: { branch: row.base },
    mergedCommit: row.merged_sha,
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
  });
  const settled = async (row: PullRequestRow | null) => row && (await truth.settle(row));
  const requireRow = async (repository: HostedRepository, number: number): Promise<PullRequestRow> => {
    const row = await findRow(database.kysely, { projectId: repository.projectId, number });
    if (!row) throw new AppError("not_found", `There is no pull request ${number}.`);
    return truth.settle(row);
  };
  const requireBranch = async (repository: HostedRepository, branch: string): Promise<ObjectId> => {
    const commit = await repoStore.resolve(repository.projectId, branchRef(branch));
    if (commit === null) throw new AppError("not_found", `There is no branch ${branch}.`);
    return commit;
  };

  return {
    repositoryUrl: (repository) => `${deps.baseUrl()}/git/${repository.slug}.git`,
    fetchBranch: (repository, branch) => repoStore.resolve(repository.projectId, branchRef(branch)),

    push: (repository, { branch, commit, expected }) =>
      mutex.run(repository.projectId, async () => {
        const { projectId } = repository;
        if (!isBranchName(branch)) return { outcome: "denied", reason: "This is not a valid branch name." };
        const ref = branchRef(branch);
        if (expected !== null && (await repoStore.mergeBase(projectId, expected, commit)) !== expected) {
          return { outcome: "denied", reason: "The branch would lose commits." };
        }
        try {
          const moved = await repoStore.updateRef(projectId, { ref, to: commit, expected });
          // A push that is repeated after a crash finds its own work done.
          if (!moved && (await repoStore.resolve(projectId, ref)) !== commit) return { outcome: "moved" };
        } catch (error) {
          if (error instanceof AppError && error.code === "conflict") {
            return { outcome: expected === null ? "name_taken" : "denied", reason: error.message };
          }
          throw error;
        }
        await truth.recordPush(repository, { branch, before: expected, after: commit });
        return { outcome: "pushed" };
      }),

    async ensurePullRequest(repository, wanted) {
      const { projectId } = repository;
      if (wanted.head === wanted.base) return { outcome: "empty" };
      const headCommit = await requireBranch(repository, wanted.head);
      const base = await requireBranch(repository, wanted.base);
      if ((await repoStore.mergeBase(projectId, base, headCommit)) === headCommit) return { outcome: "empty" };
      const [newest] = await repoStore.log(projectId, { base, head: headCommit, limit: 1 });
      const { outcome, row } = await ensureRow(database, {
        projectId,
        proposedBy: newest?.author.name ?? null,
        headCommit,
        head: wanted.head,
        base: wanted.base,
        ...storedWords(wanted, wanted.head),
        draft: wanted.draft,
        at: now(),
      });
      return { outcome, pullRequest: present(repository, row) };
    },

    async updatePullRequest(repository, number, change) {
      const row = await requireRow(repository, number);
      const wanted = { ...storedWords(change, row.head), draft: change.draft ? 1 : 0 } as const;
      const isAsWanted = row.title === wanted.title && row.body === wanted.body && row.draft === wanted.draft;
      if (row.state === "open" && isAsWanted) return { outcome: "unchanged", pullRequest: present(repository, row) };
      const key = { projectId: repository.projectId, number };
      const updated = await updateRow(database.kysely, key, { ...wanted, updated_at: now() });
      if (updated) return { outcome: "updated", pullRequest: present(repository, updated) };
      return { outcome: "ended", pullRequest: present(repository, await requireRow(repository, number)) };
    },

    async getPullRequest(repository, number) {
      const row = await settled(await findRow(database.kysely, { projectId: repository.projectId, number }));
      return row && present(repository, row);
    },
    async findPullRequest(repository, head) {
      const row = await settled(await findRowByHead(database.kysely, repository.projectId, head));
      return row && present(repository, row);
    },
    async listPullRequests(repository, options) {
      const rows = await listRows(database.kysely, repository.projectId, options);
      return rows.map((row) => ({ ...present(repository, row), proposedBy: row.proposed_by }));
    },
    async pullRequestRange(repository, number) {
      const { projectId } = repository;
      const row = await requireRow(repository, number);
      // A repository that was restored from a clone lacks the commits of pull requests that are over.
      if ((await repoStore.resolve(projectId, row.head_sha)) === null) return null;
      if (row.state !== "open") return row.merge_base === null ? null : { base: row.merge_base, head: row.head_sha };
      const base = await repoStore.resolve(projectId, branchRef(row.base));
      const mergeBase = base === null ? null : await repoStore.mergeBase(projectId, base, row.head_sha);
      return mergeBase === null ? null : { base: mergeBase, head: row.head_sha };
    },

    mergePullRequest: (repository, number, { expectedHead, by = null }) =>
      mutex.run(repository.projectId, async () => {
        const row = await requireRow(repository, number);
        if (row.state !== "open") {
          return { ok: false, reason: "not_open", detail: `The pull request is ${row.state}.` };
        }
        if (row.draft === 1) return { ok: false, reason: "draft", detail: "The pull request is a draft." };
        if (expectedHead !== null && row.head_sha !== expectedHead) {
          return { ok: false, reason: "head_moved", detail: "The branch has new commits." };
        }
        const merge = await squashMerge(deps, repository, { row, head: row.head_sha, by });
        if (!merge.ok) return merge;
        const { commit: mergedCommit, mergeBase } = merge;
        const ending = { mergedCommit, mergedBy: by?.name ?? null, mergeBase, at: now() };
        await truth.end(row, { state: "merged", headCommit: row.head_sha, ...ending });
        await truth.recordPush(repository, { branch: row.base, before: null, after: merge.commit });
        return { ok: true, commit: merge.commit };
      }),

    closePullRequest: (repository, number) =>
      mutex.run(repository.projectId, async () => {
        const row = await requireRow(repository, number);
        if (row.state === "open") await truth.close(row);
      }),

    markReady: (repository, number) =>
      mutex.run(repository.projectId, async () => {
        await requireRow(repository, number);
        await markRowReady(database.kysely, { projectId: repository.projectId, number }, now());
      }),

    recordPush: (repository, push) => mutex.run(repository.projectId, () => truth.recordPush(repository, push)),
    reconcile: (repository) => mutex.run(repository.projectId, () => truth.reconcile(repository)),
  };
}

const storedWords = ({ title, body }: { title: string; body: string }, head: string) => ({
  title: storable(title).trim().slice(0, MAX_TITLE_LENGTH) || head,
  body: storable(body).slice(0, MAX_BODY_LENGTH),
});

// PostgreSQL stores no NUL, and neither engine half a surrogate pair.
const storable = (text: string): string => text.replaceAll("\0", "").toWellFormed();
