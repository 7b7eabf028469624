import type { GateReport } from "#agent/gate.ts";
import type { HostedRepository, PullRequest } from "#code-hosts/code-host.ts";
import type { ObjectId } from "#git/repo-store.ts";
import type { Project } from "#projects/project.ts";
import type { Judge } from "./combined-work.ts";
import type { JobError } from "./job.ts";
import { freeBranchName } from "./prepare.ts";
import { type PublishDeps, type PushResult, pushTurn } from "./publish.ts";
import type { Claim } from "./queue.ts";
import { replant } from "./replant.ts";
import { type CheckDeps, checkTurn, isPublishable, refusal } from "./turn-check.ts";
import type { TurnWork } from "./turn-commit.ts";
import { isContinued } from "./turn-history.ts";
import { pendingPrompts, recordProgress, type Turn, type TurnDeps } from "./turns.ts";

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

export type OnwardResult =
  | { ok: true; commit: ObjectId | null; report: GateReport | null; turn: Turn }
  /** `turn` as it stands: it may have got another branch. */
  | { ok: false; error: JobError; turn: Turn };

/**
 * Pushes to the turn's branch; when its pull request was merged or closed meanwhile, or the branch deleted, to a new
 * one from the base branch. `commit` is null when the base branch has everything already.
 */
export async function pushOnward(
  deps: PushWorkDeps,
  context: TurnContext,
  { work, current }: { work: MadeWork; current: PullRequest | null },
): Promise<OnwardResult> {
  const { claim, project, repository, turn } = context;
  const allows = (report: GateReport) => isPublishable(report, project);
  const hasEnded = current !== null && current.state !== "open" && current.head.branch === turn.branch;
  if (!hasEnded) {
    const pushed = await pushWork(deps, context, { work, allows });
    if (pushed.ok || !pushed.isGone) return { ...pushed, turn };
  }
  const base = await deps.codeHost.fetchBranch(repository, claim.job.baseRef);
  if (base !== null) {
    const changes = { from: turn.baseCommit, tree: work.tree, at: turn.startedAt };
    const planted = await replant(deps.repoStore, repository.projectId, { ...changes, onto: base });
    if (planted.ok && planted.isEmpty) return { ok: true, commit: null, report: null, turn };
  }
  const moved = { ...turn, branch: await replaceBranch(deps, context) };
  return { ...(await pushWork(deps, { ...context, turn: moved }, { work, allows })), turn: moved };
}

/** Gives the turn a new branch, on record before anything is pushed to it: a replay goes on with the same. */
async function replaceBranch(deps: PushWorkDeps, { claim, repository, turn }: TurnContext): Promise<string> {
  const [message] = await pendingPrompts(deps, claim, turn.turn - 1);
  const branch = await freeBranchName(deps.codeHost, repository, {
    jobId: claim.jobId,
    prompt: message?.prompt ?? "",
    taken: turn.branch,
  });
  const text = `The pull request of ${turn.branch} was merged or closed meanwhile. The changes go to a new branch, ${branch}.`;
  await recordProgress(deps, claim, {
    turn: turn.turn,
    branch,
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
  const judge: Judge = async ({ tree, onto }) => {
    const report = await checkTurn(deps, { project: context.project, base: onto, checked: onto, tree });
    await recordProgress(deps, claim, { turn: turn.turn, events: [{ type: "validation", ...report }] });
    return { report, error: allows(report) ? null : refusal(report) };
  };
  const pushed = await pushTurn(
    { ...deps, judge },
    {
      ...turnWork(deps, context, work),
      base: claim.job.baseRef,
      isContinued: await isContinued(deps, claim, turn),
    },
  );
  if (pushed.ok) {
    await recordProgress(deps, claim, {
      turn: turn.turn,
      commitId: pushed.commit,
      events: [{ type: "commit.pushed", commit: pushed.commit, branch: turn.branch }],
    });
  }
  return pushed;
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
