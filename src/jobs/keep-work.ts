import type { TurnOutcome } from "./finish-turn.ts";
import { pushAside } from "./publish.ts";
import { type MadeWork, pushWork, type PushWorkDeps, saying, type TurnContext, turnWork } from "./push-work.ts";
import type { TurnEnd } from "./turn-steps.ts";
import { recordProgress } from "./turns.ts";

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
  const branch = isReviewed ? await pushBeside(deps, options, work) : await pushAlone(deps, options, work);
  return { ok: false, error: branch === null ? error : saying(error, branch), handledSeq };
}

async function pushAlone(deps: PushWorkDeps, context: TurnContext, work: MadeWork): Promise<string | null> {
  return (await pushWork(deps, context, work)).ok ? context.turn.branch : null;
}

async function pushBeside(deps: PushWorkDeps, context: TurnContext, work: MadeWork): Promise<string | null> {
  const { claim, turn } = context;
  const branch = `${turn.branch}-unpublished-${turn.turn}`;
  await recordProgress(deps, claim, { turn: turn.turn, phase: "publishing", events: [] });
  const pushed = await pushAside(deps, turnWork(deps, { ...context, turn: { ...turn, branch } }, work));
  if (!pushed.ok) return null;
  const { commit, branch: kept } = pushed;
  await recordProgress(deps, claim, {
    turn: turn.turn,
    events: [{ type: "commit.pushed", commit, branch: kept }],
  });
  return kept;
}
