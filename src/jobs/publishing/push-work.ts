import type { GateReport } from "#agent/gate/gate.ts";
import type { HostedRepository, PullRequest } from "#code-hosts/code-host.ts";
import type { ObjectId } from "#git/repo-store.ts";
import type { Project } from "#projects/project.ts";
import type { JudgeTree } from "./combined-work.ts";
import type { JobEventData } from "#jobs/events.ts";
import type { JobError } from "#jobs/job.ts";
import { freeBranchName } from "#jobs/branch-name.ts";
import { type LostBranch, type PublishDeps, type PushResult, pushTurn } from "./publish.ts";
import type { Claim } from "#jobs/queue/queue.ts";
import { replant } from "./replant.ts";
import { type CheckDeps, checkTurn, isPublishable, refusedByGate } from "#jobs/turn/turn-check.ts";
import { findOwnCommit, type TurnWork } from "./turn-commit.ts";
import { lastPushed } from "#jobs/turn/turn-history.ts";
import { promptsAfter, recordProgress, type Turn, type TurnDeps } from "#jobs/turn/turns.ts";

export interface PushWorkDeps extends TurnDeps, PublishDeps, CheckDeps {}

export interface TurnContext {
  claim: Claim;
  project: Project;
  repository: HostedRepository;
  turn: Turn;
}

/** What a turn made, with the words of its commit. */
export interface MadeWork {
  tree: ObjectId;
  title: string;
  summary: string;
}

/** The error of a turn, with where its work can be found. */
export const saying = <E extends { message: string }>(error: E, branch: string): E => ({
  ...error,
  message: `${error.message} The work is kept on the branch ${branch}.`,
});

/** What became of a turn's work, and the turn as it stands then: it may have got another branch. */
export type OnwardResult = { turn: Turn } & (
  | { outcome: "pushed"; commit: ObjectId; report: GateReport | null }
  /** The pull request had it when it ended: whoever ended that has decided about it. */
  | { outcome: "decided"; commit: ObjectId; pullRequest: PullRequest }
  /** The base branch has all of it. */
  | { outcome: "empty"; pullRequest: PullRequest | null }
  | { outcome: "failed"; error: JobError }
);

/**
 * Pushes to the turn's branch; when its pull request was merged or closed meanwhile, the branch deleted, or its name
 * taken, to a new one from the base branch. `current` is the pull request of the turn's branch.
 */
export async function pushOnward(
  deps: PushWorkDeps,
  context: TurnContext,
  { work, current }: { work: MadeWork; current: PullRequest | null },
): Promise<OnwardResult> {
  const { claim, project, repository, turn } = context;
  const push = async (onto: Turn): Promise<PushResult & { turn: Turn }> => {
    const allows = (report: GateReport) => isPublishable(report, project);
    return { ...(await pushWork(deps, { ...context, turn: onto }, { work, allows })), turn: onto };
  };
  let ended = current;
  let lost: LostBranch = "gone";
  if (current === null || current.state === "open") {
    const pushed = await push(turn);
    if (pushed.ok || pushed.lost === null) return outcomeOf(pushed);
    lost = pushed.lost;
    ended = current && (await deps.codeHost.getPullRequest(repository, current.number));
  }
  const own = ended && (await findIn(deps, turnWork(deps, context, work), ended));
  if (ended && own !== null) {
    await notePush(deps, context, own);
    return { outcome: "decided", commit: own, pullRequest: ended, turn };
  }
  const base = await deps.codeHost.fetchBranch(repository, claim.job.baseRef);
  if (base !== null) {
    const changes = { from: turn.baseCommit, tree: work.tree, at: turn.startedAt };
    const planted = await replant(deps.repoStore, repository.projectId, { ...changes, onto: base });
    if (planted.ok && planted.isEmpty) return { outcome: "empty", pullRequest: ended, turn };
  }
  return outcomeOf(await push({ ...turn, branch: await replaceBranch(deps, context, lost), commitId: null }));
}

const outcomeOf = (pushed: PushResult & { turn: Turn }): OnwardResult =>
  pushed.ok ? { ...pushed, outcome: "pushed" } : { ...pushed, outcome: "failed" };

/** The commit of a turn among those that a pull request had in the end. */
async function findIn({ repoStore }: PushWorkDeps, work: TurnWork, { head }: PullRequest): Promise<ObjectId | null> {
  // Where the host has deleted the branch, its commits may never have been fetched.
  if ((await repoStore.resolve(work.repository.projectId, head.commit)) === null) return null;
  return (await findOwnCommit(repoStore, work, head.commit))?.id ?? null;
}

/** Gives the turn a new branch, on record before anything is pushed to it: a replay goes on with the same. */
async function replaceBranch(
  deps: PushWorkDeps,
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

/** One push to the turn's branch, on record when it is done. `allows`: what the gate may have against the pushed tree. */
export async function pushWork(
  deps: PushWorkDeps,
  context: TurnContext,
  { work, allows }: { work: MadeWork; allows(report: GateReport): boolean },
): Promise<PushResult> {
  const { claim, turn } = context;
  await recordProgress(deps, claim, { turn: turn.turn, phase: "publishing", events: [] });
  const judge: JudgeTree = async ({ tree, onto }) => {
    const { project } = context;
    const checked = { claim, project, turn: turn.turn, base: onto, checked: onto, tree };
    const report = await checkTurn(deps, checked);
    await recordProgress(deps, claim, { turn: turn.turn, events: [{ type: "validation", ...report }] });
    return { report, error: allows(report) ? null : refusedByGate(report) };
  };
  const pushed = await pushTurn(
    { ...deps, judge },
    {
      ...turnWork(deps, context, work),
      base: claim.job.baseRef,
      isContinued: (await lastPushed(deps, claim, turn)) !== null,
    },
  );
  if (pushed.ok) await notePush(deps, context, pushed.commit);
  return pushed;
}

/** Puts the turn's commit on record, once: a replay that got no further must not count as progress. */
async function notePush(deps: PushWorkDeps, { claim, turn }: TurnContext, commit: ObjectId): Promise<void> {
  if (commit === turn.commitId) return;
  const events: JobEventData[] = [{ type: "commit.pushed", commit, branch: turn.branch }];
  await recordProgress(deps, claim, { turn: turn.turn, commitId: commit, events });
}

export function turnWork(deps: PushWorkDeps, { claim, repository, turn }: TurnContext, work: MadeWork): TurnWork {
  return {
    repository,
    jobId: claim.jobId,
    turn: turn.turn,
    branch: turn.branch,
    baseCommit: turn.baseCommit,
    tree: work.tree,
    startedAt: turn.startedAt,
    commit: { title: deps.redact(work.title), summary: deps.redact(work.summary) },
  };
}
