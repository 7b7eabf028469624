import type { GateReport } from "#agent/gate/gate.ts";
import type { CodeHost, HostedRepository, PullRequest } from "#code-hosts/code-host.ts";
import type { ObjectId, RepoStore } from "#git/repo-store.ts";
import { AppError } from "#lib/app-error.ts";
import { type CombineDeps, findLanding, type Landing, landOn } from "./combined-work.ts";
import { type JobError, jobError, type JobPullRequest } from "#jobs/job.ts";
import { withoutFolder } from "#jobs/branch-name.ts";
import { commitOn, findOwnCommit, type TurnWork } from "./turn-commit.ts";

export interface PublishDeps {
  repoStore: RepoStore;
  codeHost: CodeHost;
}

const MAX_PUSHES = 3;
const MAX_ASIDE_NAMES = 20;

export type PushResult =
  /** `report`: what the gate said of the commit's tree, where that is not the tree of the turn. */
  | { ok: true; commit: ObjectId; report: GateReport | null }
  /** `lost`: the branch was deleted meanwhile, as a merge does, or its name cannot be had. Nothing was pushed. */
  | { ok: false; error: JobError; lost: LostBranch | null };

export type LostBranch = "gone" | "name_taken";

interface Push extends TurnWork {
  /** The branch that the pull request is for. */
  base: string;
  /** The turn's branch was there when the turn began. */
  isContinued: boolean;
}

/**
 * Puts one turn's tree on the job's branch as one commit and never loses anybody's work: the push is a compare and
 * swap against the tip that the turn started from; what others pushed meanwhile is merged in, and judged before it is
 * pushed. The commit's id depends on the turn alone, so a replay after a crash finds its own commit and stops. A new
 * branch begins where the turn did, or at the tip of `base` when that has left the turn's beginning behind.
 */
export async function pushTurn(deps: PublishDeps & CombineDeps, work: Push): Promise<PushResult> {
  const { codeHost, repoStore } = deps;
  const { repository, branch, baseCommit } = work;
  const ours = await commitOn(repoStore, work, { parent: baseCommit, tree: work.tree });
  for (let pushes = 1; pushes <= MAX_PUSHES; pushes++) {
    const tip = await codeHost.fetchBranch(repository, branch);
    if (tip === ours) return { ok: true, commit: ours, report: null };
    if (tip === null && work.isContinued) {
      return refused(jobError("branch_moved", `The branch ${branch} was deleted.`), "gone");
    }
    const known = tip !== null && tip !== baseCommit && (await findLanding(deps, work, tip));
    if (known) return known;
    const landing = await land(deps, work, { ours, tip });
    if (!landing.ok) return refused(landing.error);
    const pushed = await codeHost.push(repository, { branch, commit: landing.commit, expected: tip });
    if (pushed.outcome === "pushed") return landing;
    if (pushed.outcome === "name_taken") return refused(jobError("push_denied", pushed.reason), "name_taken");
    if (pushed.outcome === "denied") return refused(jobError("push_denied", pushed.reason));
  }
  return refused(jobError("branch_moved", `${branch} moved ${MAX_PUSHES} times while the agent tried to push to it.`));
}

/** Onto commits that were squashed nothing is put: a new pull request would show them all again. */
async function land(
  deps: PublishDeps & CombineDeps,
  work: Push,
  { ours, tip }: { ours: ObjectId; tip: ObjectId | null },
): Promise<Landing> {
  const asMade: Landing = { ok: true, commit: ours, report: null };
  if (tip === work.baseCommit) return asMade;
  if (tip !== null) return landOn(deps, work, { tip, happened: `Somebody pushed to ${work.branch} meanwhile` });
  const { repository, baseCommit } = work;
  const base = await deps.codeHost.fetchBranch(repository, work.base);
  const isAhead =
    base === null || (await deps.repoStore.mergeBase(repository.projectId, baseCommit, base)) === baseCommit;
  return isAhead ? asMade : landOn(deps, work, { tip: base, happened: `${work.base} changed meanwhile` });
}

/**
 * Puts a turn's tree on a branch that nobody else has, `branch` or that with a number, outside of its folder where it
 * must be, exactly as it was made. A replay finds the branch that it made before.
 */
export async function pushAside(
  { repoStore, codeHost }: PublishDeps,
  work: TurnWork,
): Promise<{ ok: true; commit: ObjectId; branch: string } | { ok: false }> {
  const { repository, baseCommit } = work;
  const commit = await commitOn(repoStore, work, { parent: baseCommit, tree: work.tree });
  let name = work.branch;
  for (let attempt = 1; attempt <= MAX_ASIDE_NAMES; attempt++) {
    const branch = attempt === 1 ? name : `${name}-${attempt}`;
    const tip = await codeHost.fetchBranch(repository, branch);
    if (tip !== null) {
      if (await findOwnCommit(repoStore, work, tip)) return { ok: true, commit, branch };
      continue;
    }
    const pushed = await codeHost.push(repository, { branch, commit, expected: null });
    if (pushed.outcome === "pushed") return { ok: true, commit, branch };
    if (pushed.outcome === "denied") return { ok: false };
    if (pushed.outcome === "name_taken") name = withoutFolder(name);
  }
  return { ok: false };
}

const refused = (error: JobError, lost: LostBranch | null = null): PushResult => ({ ok: false, error, lost });

export type EnsureResult =
  /** Null: there is nothing to show. */
  { ok: true; pullRequest: PullRequest | null } | { ok: false; error: JobError };

interface WantedPullRequest {
  repository: HostedRepository;
  /** The open pull request that the branch has; null when it has none. */
  known: number | null;
  head: string;
  base: string;
  title: string;
  body: string;
  draft: boolean;
}

/** The one pull request of the job's branch, made, or brought up to date; as it is where `known` has ended meanwhile. */
export async function ensurePullRequest(
  { codeHost }: Pick<PublishDeps, "codeHost">,
  { repository, known, ...request }: WantedPullRequest,
): Promise<EnsureResult> {
  const ensured = await (
    known === null
      ? codeHost.ensurePullRequest(repository, request)
      : codeHost.updatePullRequest(repository, known, request)
  ).catch(async (error: unknown) => {
    if (!(error instanceof AppError) || error.code !== "not_found") throw error;
    if ((await codeHost.fetchBranch(repository, request.base)) !== null) throw error;
    return { outcome: "no_base" } as const;
  });
  if (ensured.outcome === "no_base") {
    return { ok: false, error: jobError("ref_not_found", `The repository has no branch "${request.base}" any more.`) };
  }
  if (ensured.outcome === "denied") {
    return { ok: false, error: jobError("push_denied", `The code host refused the pull request: ${ensured.reason}`) };
  }
  return { ok: true, pullRequest: ensured.outcome === "empty" ? null : ensured.pullRequest };
}

/** What a job remembers of its pull request. */
export const remembered = ({ number, url, state, draft }: PullRequest, previewUrl: string | null): JobPullRequest => ({
  number,
  url,
  state,
  draft,
  previewUrl,
});

/** Whether an error means that the code host, not the job, is in trouble, so that waiting may help. */
export function isHostTrouble(error: unknown): boolean {
  return error instanceof AppError && error.code === "unavailable";
}
