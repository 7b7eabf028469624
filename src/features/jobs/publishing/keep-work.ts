import type { ObjectId } from "#git/repo-store.ts";
import { unpublishedBranch, withoutFolder } from "#features/jobs/branch-name.ts";
import type { JobError } from "#features/jobs/job.ts";
import type { TurnOutcome } from "#features/jobs/turn/finish-turn.ts";
import { isSafeToShow } from "#features/jobs/turn/turn-check.ts";
import type { TurnEnd } from "#features/jobs/turn/turn-steps.ts";
import { recordProgress } from "#features/jobs/turn/turns.ts";
import { pushWork } from "./push-work.ts";
import {
  commitOn,
  findOwnCommit,
  type MadeWork,
  type PublishDeps,
  type TurnCommit,
  turnCommit,
  type TurnContext,
} from "./turn-commit.ts";

const MAX_NAMES = 20;

/** The error of a turn with the branch that keeps its work. */
export const withKeptBranch = <E extends { message: string }>(error: E, branch: string): E => ({
  ...error,
  message: `${error.message} The work is kept on the branch ${branch}.`,
});

/**
 * Keeps the work of a failed turn, if it is safe to show, and names the branch in the error: the job's branch while it has
 * no pull request, otherwise a separate branch, so that a pull request never shows work that did not pass the gate.
 */
export async function keepWork(
  deps: PublishDeps,
  options: TurnContext & { end: Extract<TurnEnd, { kind: "failed" }> },
): Promise<TurnOutcome> {
  const { repository, end, turn } = options;
  const { error, handledSeq } = end;
  if (!end.work) return { ok: false, error, handledSeq };
  const { title, summary } = end.work.finish;
  const made = { tree: end.work.tree, title, summary };
  const isReviewed = (await deps.codeHost.findPullRequest(repository, turn.branch)) !== null;
  const isOnBranch = !isReviewed && (await pushWork(deps, options, { made, allows: isSafeToShow })).ok;
  if (isOnBranch) return { ok: false, error: withKeptBranch(error, turn.branch), handledSeq };
  return { ok: false, error: await keepSeparately(deps, options, { made, error }), handledSeq };
}

/** Pushes a turn's work unchanged to a separate branch. Returns the error, which names the branch if the push succeeded. */
export async function keepSeparately(
  deps: PublishDeps,
  context: TurnContext,
  { made, error }: { made: MadeWork; error: JobError },
): Promise<JobError> {
  const { claim, turn } = context;
  const branch = unpublishedBranch(turn.branch, turn.turn);
  await recordProgress(deps, claim, { turn: turn.turn, phase: "publishing", events: [] });
  const pushed = await pushSeparately(deps, await turnCommit(deps, context, made), branch);
  if (!pushed.ok) return error;
  const { commit, branch: kept } = pushed;
  await recordProgress(deps, claim, {
    turn: turn.turn,
    events: [{ type: "commit.pushed", commit, branch: kept }],
  });
  return withKeptBranch(error, kept);
}

/**
 * Pushes a turn's tree unchanged to a branch that no one else has: `requested`, or that name with a number, without a
 * folder if necessary. A replay finds the branch that it created before.
 */
async function pushSeparately(
  { repoStore, codeHost }: PublishDeps,
  work: TurnCommit,
  requested: string,
): Promise<{ ok: true; commit: ObjectId; branch: string } | { ok: false }> {
  const { repository, baseCommit } = work;
  const commit = await commitOn(repoStore, work, { parent: baseCommit, tree: work.tree });
  let name = requested;
  for (let attempt = 1; attempt <= MAX_NAMES; attempt++) {
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
