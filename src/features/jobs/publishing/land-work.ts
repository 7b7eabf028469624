import type { GateReport } from "#agent/gate/gate.ts";
import type { PullRequest } from "#hosts/code-host.ts";
import type { ObjectId } from "#git/repo-store.ts";
import { freeBranchName } from "#features/jobs/branch-name.ts";
import type { JobError } from "#features/jobs/job.ts";
import { isPublishable } from "#features/jobs/turn/turn-check.ts";
import { promptsAfter, recordProgress, type Turn } from "#features/jobs/turn/turns.ts";
import { type LostBranch, type PushResult, pushWork, recordPush } from "./push-work.ts";
import { replant } from "./replant.ts";
import {
  findOwnCommit,
  type MadeWork,
  type PublishDeps,
  type TurnCommit,
  turnCommit,
  type TurnContext,
} from "./turn-commit.ts";

/** The outcome of pushing a turn's work, with the turn, which may have another branch afterwards. */
export type LandedWork = { turn: Turn } & (
  | { outcome: "pushed"; commit: ObjectId; report: GateReport | null }
  /** The pull request had the work when it was merged or closed, so people have decided about it. */
  | { outcome: "decided"; commit: ObjectId; pullRequest: PullRequest }
  /** The base branch already has all of the work. */
  | { outcome: "empty"; pullRequest: PullRequest | null }
  | { outcome: "failed"; error: JobError }
);

/**
 * Pushes to the turn's branch. When its pull request was merged or closed meanwhile, the branch was deleted, or its name
 * is taken, pushes to a new branch from the base branch. `current` is the pull request of the turn's branch.
 */
export async function landWork(
  deps: PublishDeps,
  context: TurnContext,
  { made, current }: { made: MadeWork; current: PullRequest | null },
): Promise<LandedWork> {
  const { claim, project, repository, turn } = context;
  const allows = (report: GateReport) => isPublishable(report, project);
  const push = async (onto: Turn) => ({
    ...(await pushWork(deps, { ...context, turn: onto }, { made, allows })),
    turn: onto,
  });
  let ended = current;
  let lost: LostBranch = "gone";
  if (current === null || current.state === "open") {
    const pushed = await push(turn);
    if (pushed.ok || pushed.lost === null) return outcomeOf(pushed);
    lost = pushed.lost;
    ended = current && (await deps.codeHost.getPullRequest(repository, current.number));
  }
  const own = ended && (await findIn(deps, await turnCommit(deps, context, made), ended));
  if (ended && own !== null) {
    await recordPush(deps, context, own);
    return { outcome: "decided", commit: own, pullRequest: ended, turn };
  }
  const base = await deps.codeHost.fetchBranch(repository, claim.job.baseRef);
  if (base !== null) {
    const changes = { from: turn.baseCommit, tree: made.tree, at: turn.startedAt };
    const planted = await replant(deps.repoStore, repository.projectId, { ...changes, onto: base });
    if (planted.ok && planted.isEmpty) return { outcome: "empty", pullRequest: ended, turn };
  }
  return outcomeOf(await push({ ...turn, branch: await replaceBranch(deps, context, lost), commitId: null }));
}

const outcomeOf = (pushed: PushResult & { turn: Turn }): LandedWork =>
  pushed.ok ? { ...pushed, outcome: "pushed" } : { ...pushed, outcome: "failed" };

/** The commit of a turn, if it is among the final commits of a pull request. */
async function findIn({ repoStore }: PublishDeps, work: TurnCommit, { head }: PullRequest): Promise<ObjectId | null> {
  // If the host has deleted the branch, its commits may never have been fetched.
  if ((await repoStore.resolve(work.repository.projectId, head.commit)) === null) return null;
  return (await findOwnCommit(repoStore, work, head.commit))?.id ?? null;
}

/** Gives the turn a new branch and records it before anything is pushed, so that a replay uses the same branch. */
async function replaceBranch(
  deps: PublishDeps,
  { claim, repository, turn }: TurnContext,
  lost: LostBranch,
): Promise<string> {
  const [message] = await promptsAfter(deps, claim, turn.turn - 1);
  const branch = await freeBranchName(deps.codeHost, repository, {
    jobId: claim.jobId,
    prompt: deps.redact(message?.prompt ?? ""),
    taken: turn.branch,
  });
  const why =
    lost === "gone"
      ? `The pull request of ${turn.branch} was merged or closed meanwhile.`
      : `Another branch is in the way of ${turn.branch}.`;
  const text = `${why} The changes go to a new branch, ${branch}.`;
  await recordProgress(deps, claim, {
    turn: turn.turn,
    branch,
    commitId: null,
    events: [{ type: "notice", code: "branch_replaced", text }],
  });
  return branch;
}
