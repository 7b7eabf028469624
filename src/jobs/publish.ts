import type { CodeHost, HostedRepository } from "#code-hosts/code-host.ts";
import type { ObjectId, RepoStore } from "#git/repo-store.ts";
import { AppError } from "#lib/app-error.ts";
import { type JobError, jobError, type JobPullRequest } from "./job.ts";
import { type AgentCommit, commitMessage } from "./pull-request-text.ts";
import { replant } from "./replant.ts";

export interface PublishDeps {
  repoStore: RepoStore;
  codeHost: CodeHost;
}

const AUTHOR = { name: "Docent", email: "agent@docent.invalid" };
const MAX_PUSHES = 3;
const MAX_ASIDE_NAMES = 20;

export type PushResult =
  | { ok: true; commit: ObjectId }
  /** `isGone`: the branch that the turn goes on with was deleted meanwhile, as a merge does. Nothing was pushed. */
  | { ok: false; error: JobError; isGone: boolean };

/** What one turn made, and where it belongs. */
export interface TurnWork {
  repository: HostedRepository;
  jobId: string;
  turn: number;
  branch: string;
  baseCommit: ObjectId;
  tree: ObjectId;
  startedAt: Date;
  commit: AgentCommit;
}

/**
 * Puts one turn's tree on the job's branch as one commit and never loses anybody's work: the push is a compare and
 * swap against the tip that the turn started from; what others pushed meanwhile is merged in. The commit's id depends
 * on the turn alone, so a replay after a crash finds its own commit and stops. `isContinued` says that the branch was
 * there when the turn began. A new one begins where the turn did, or at the tip of `base` when that has left the
 * turn's beginning behind.
 */
export async function pushTurn(
  { repoStore, codeHost }: PublishDeps,
  options: TurnWork & { base: string; isContinued: boolean },
): Promise<PushResult> {
  const { repository, branch, baseCommit } = options;
  const project = repository.projectId;
  const ours = await commitOn(repoStore, options, { parent: baseCommit, tree: options.tree });
  for (let pushes = 1; pushes <= MAX_PUSHES; pushes++) {
    const tip = await codeHost.fetchBranch(repository, branch);
    let commit = ours;
    if (tip === ours) return { ok: true, commit };
    if (tip === null) {
      if (options.isContinued) return refused(jobError("branch_moved", `The branch ${branch} was deleted.`), true);
      const first = await firstCommit({ repoStore, codeHost }, options, ours);
      if (!first.ok) return refused(clash(`${options.base} changed`, first.conflicts));
      commit = first.commit;
    } else if (tip !== baseCommit) {
      const known = await findOwnCommit(repoStore, project, { ...options, base: baseCommit, tip });
      if (known) return { ok: true, commit: known };
      const merged = await repoStore.mergeTrees(project, { ours: tip, theirs: ours });
      if (!merged.ok) return refused(clash(`Somebody pushed to ${branch}`, merged.conflicts));
      commit = await commitOn(repoStore, options, { parent: tip, tree: merged.tree });
    }
    const pushed = await codeHost.push(repository, { branch, commit, expected: tip });
    if (pushed.outcome === "pushed") return { ok: true, commit };
    if (pushed.outcome === "denied") return refused(jobError("push_denied", pushed.reason));
  }
  return refused(jobError("branch_moved", `${branch} moved ${MAX_PUSHES} times while the agent tried to push to it.`));
}

/**
 * Puts a turn's tree on a branch that nobody else has, `branch` or that with a number, exactly as it was made. A
 * replay finds the branch that it made before.
 */
export async function pushAside(
  { repoStore, codeHost }: PublishDeps,
  work: TurnWork,
): Promise<{ ok: true; commit: ObjectId; branch: string } | { ok: false }> {
  const { repository, baseCommit } = work;
  const commit = await commitOn(repoStore, work, { parent: baseCommit, tree: work.tree });
  for (let attempt = 1; attempt <= MAX_ASIDE_NAMES; attempt++) {
    const branch = attempt === 1 ? work.branch : `${work.branch}-${attempt}`;
    const tip = await codeHost.fetchBranch(repository, branch);
    if (tip !== null) {
      const known = await findOwnCommit(repoStore, repository.projectId, { ...work, base: baseCommit, tip });
      if (known) return { ok: true, commit, branch };
      continue;
    }
    const pushed = await codeHost.push(repository, { branch, commit, expected: null });
    if (pushed.outcome === "pushed") return { ok: true, commit, branch };
    if (pushed.outcome === "denied") return { ok: false };
  }
  return { ok: false };
}

const refused = (error: JobError, isGone = false): PushResult => ({ ok: false, error, isGone });

const clash = (happened: string, conflicts: readonly string[]) =>
  jobError("branch_moved", `${happened} meanwhile, and both changed ${conflicts.slice(0, 5).join(", ")}.`);

function commitOn(
  repoStore: RepoStore,
  { repository, startedAt, ...work }: TurnWork,
  { parent, tree }: { parent: ObjectId; tree: ObjectId },
): Promise<ObjectId> {
  const message = commitMessage(work.commit, work);
  return repoStore.commit(repository.projectId, { tree, parents: [parent], message, author: AUTHOR, at: startedAt });
}

/**
 * The turn's commit as the first of a branch: itself, while the base branch holds what it started from; else what it
 * changed, on the tip of the base branch. On commits that were squashed a new pull request would show them all again.
 */
async function firstCommit(
  { repoStore, codeHost }: PublishDeps,
  work: TurnWork & { base: string },
  ours: ObjectId,
): Promise<{ ok: true; commit: ObjectId } | { ok: false; conflicts: string[] }> {
  const { projectId } = work.repository;
  const base = await codeHost.fetchBranch(work.repository, work.base);
  if (base === null || (await repoStore.mergeBase(projectId, work.baseCommit, base)) === work.baseCommit) {
    return { ok: true, commit: ours };
  }
  const changes = { from: work.baseCommit, tree: work.tree, at: work.startedAt };
  const planted = await replant(repoStore, projectId, { ...changes, onto: base });
  if (!planted.ok) return planted;
  return { ok: true, commit: await commitOn(repoStore, work, { parent: base, tree: planted.tree }) };
}

async function findOwnCommit(
  repoStore: RepoStore,
  project: HostedRepository["projectId"],
  options: { base: ObjectId; tip: ObjectId; jobId: string; turn: number },
): Promise<ObjectId | null> {
  const commits = await repoStore.log(project, { base: options.base, head: options.tip, limit: 100 });
  const own = commits.find(
    ({ trailers }) => trailers["Docent-Job"] === options.jobId && trailers["Docent-Turn"] === String(options.turn),
  );
  return own ? options.tip : null;
}

export type EnsureResult =
  | { ok: true; pullRequest: Omit<JobPullRequest, "previewUrl"> | null }
  | { ok: false; error: JobError };

/** The one open pull request of the job's branch, made or brought up to date. */
export async function ensurePullRequest(
  { codeHost }: Pick<PublishDeps, "codeHost">,
  options: { repository: HostedRepository; head: string; base: string; title: string; body: string; draft: boolean },
): Promise<EnsureResult> {
  const { repository, ...request } = options;
  const ensured = await codeHost.ensurePullRequest(repository, request);
  if (ensured.outcome === "denied") {
    return { ok: false, error: jobError("push_denied", `The code host refused the pull request: ${ensured.reason}`) };
  }
  if (ensured.outcome === "empty") return { ok: true, pullRequest: null };
  const { number, url, state, draft } = ensured.pullRequest;
  return { ok: true, pullRequest: { number, url, state, draft } };
}

/** Whether an error means that the code host, not the job, is in trouble, so that waiting may help. */
export function isHostTrouble(error: unknown): boolean {
  return error instanceof AppError && error.code === "unavailable";
}
