import { unpublishedBranch } from "#jobs/branch-name.ts";
import type { TurnOutcome } from "#jobs/turn/finish-turn.ts";
import type { JobError } from "#jobs/job.ts";
import { pushAside } from "./publish.ts";
import { type MadeWork, pushWork, type PushWorkDeps, saying, type TurnContext, turnWork } from "./push-work.ts";
import { isSafeToShow } from "#jobs/turn/turn-check.ts";
import type { TurnEnd } from "#jobs/turn/turn-steps.ts";
import { recordProgress } from "#jobs/turn/turns.ts";

/**
 * A failed turn whose work is safe to show keeps it and says where: on the job's branch while nobody reviews that, else
 * on a branch beside it, so that a pull request never shows what did not pass the gate.
 */
export async function keepWork(
  deps: PushWorkDeps,
  options: TurnContext & { end: Extract<TurnEnd, { ok: false }> },
): Promise<TurnOutcome> {
  const { repository, end, turn } = options;
  const { error, handledSeq } = end;
  if (!end.work) return { ok: false, error, handledSeq };
  const { title, summary } = end.work.finish;
  const work = { tree: end.work.tree, title, summary };
  const isReviewed = (await deps.codeHost.findPullRequest(repository, turn.branch)) !== null;
  const isOnBranch = !isReviewed && (await pushWork(deps, options, { work, allows: isSafeToShow })).ok;
  if (isOnBranch) return { ok: false, error: saying(error, turn.branch), handledSeq };
  return { ok: false, error: await keepBeside(deps, options, { work, error }), handledSeq };
}

/** Puts a turn's work, as it was made, on a branch of its own; answers with the error, which names it if that went well. */
export async function keepBeside(
  deps: PushWorkDeps,
  context: TurnContext,
  { work, error }: { work: MadeWork; error: JobError },
): Promise<JobError> {
  const { claim, turn } = context;
  const branch = unpublishedBranch(turn.branch, turn.turn);
  await recordProgress(deps, claim, { turn: turn.turn, phase: "publishing", events: [] });
  const pushed = await pushAside(deps, turnWork(deps, { ...context, turn: { ...turn, branch } }, work));
  if (!pushed.ok) return error;
  const { commit, branch: kept } = pushed;
  await recordProgress(deps, claim, {
    turn: turn.turn,
    events: [{ type: "commit.pushed", commit, branch: kept }],
  });
  return saying(error, kept);
}
