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

/** The error of a turn, with where its work can be found. */
export const saying = <E extends { message: string }>(error: E, branch: string): E => ({
  ...error,
  message: `${error.message} The work is kept on the branch ${branch}.`,
});

/**
 * A failed turn whose work is safe to show keeps it and says where: on the job's branch while nobody reviews that, else
 * on a branch beside it, so that a pull request never shows what did not pass the gate.
 */
export async function keepWork(
  deps: PublishDeps,
  options: TurnContext & { end: Extract<TurnEnd, { ok: false }> },
): Promise<TurnOutcome> {
  const { repository, end, turn } = options;
  const { error, handledSeq } = end;
  if (!end.work) return { ok: false, error, handledSeq };
  const { title, summary } = end.work.finish;
  const made = { tree: end.work.tree, title, summary };
  const isReviewed = (await deps.codeHost.findPullRequest(repository, turn.branch)) !== null;
  const isOnBranch = !isReviewed && (await pushWork(deps, options, { made, allows: isSafeToShow })).ok;
  if (isOnBranch) return { ok: false, error: saying(error, turn.branch), handledSeq };
  return { ok: false, error: await keepBeside(deps, options, { made, error }), handledSeq };
}

/** Puts a turn's work, as it was made, on a branch of its own; answers with the error, which names it if that went well. */
export async function keepBeside(
  deps: PublishDeps,
  context: TurnContext,
  { made, error }: { made: MadeWork; error: JobError },
): Promise<JobError> {
  const { claim, turn } = context;
  const branch = unpublishedBranch(turn.branch, turn.turn);
  await recordProgress(deps, claim, { turn: turn.turn, phase: "publishing", events: [] });
  const pushed = await pushBeside(deps, await turnCommit(deps, context, made), branch);
  if (!pushed.ok) return error;
  const { commit, branch: kept } = pushed;
  await recordProgress(deps, claim, {
    turn: turn.turn,
    events: [{ type: "commit.pushed", commit, branch: kept }],
  });
  return saying(error, kept);
}

/**
 * Puts a turn's tree on a branch that nobody else has, `wanted` or that with a number, outside of its folder where it
 * must be, exactly as it was made. A replay finds the branch that it made before.
 */
async function pushBeside(
  { repoStore, codeHost }: PublishDeps,
  work: TurnCommit,
  wanted: string,
): Promise<{ ok: true; commit: ObjectId; branch: string } | { ok: false }> {
  const { repository, baseCommit } = work;
  const commit = await commitOn(repoStore, work, { parent: baseCommit, tree: work.tree });
  let name = wanted;
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
