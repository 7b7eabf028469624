import type { HostedRepository } from "#hosts/code-host.ts";
import type { Project } from "#features/projects/project.ts";
import { endDryRun } from "#features/jobs/turn/dry-run.ts";
import { finishTurn, type TurnOutcome } from "#features/jobs/turn/finish-turn.ts";
import type { Instruction } from "#features/jobs/chore-messages.ts";
import { type ChoreSuggestion, type JobError, jobError } from "#features/jobs/job.ts";
import type { ObjectId } from "#git/repo-store.ts";
import { prepareTurn } from "#features/jobs/turn/prepare.ts";
import { keepWork } from "#features/jobs/publishing/keep-work.ts";
import { type PublicationDeps, publishTurn, publishUnfinished } from "#features/jobs/publishing/publication.ts";
import type { TurnContext } from "#features/jobs/publishing/turn-commit.ts";
import type { Claim } from "#features/jobs/queue/queue.ts";
import { type ChosenModel, chooseModel } from "#features/jobs/turn/provider-outage.ts";
import { findModels } from "#features/jobs/turn/turn-models.ts";
import type { TurnStepsDeps } from "#features/jobs/turn/turn-loop.ts";
import { runSteps, type TurnEnd } from "#features/jobs/turn/turn-steps.ts";
import { turnStages } from "#features/jobs/turn/turn-stages.ts";
import { REDACTED_CHORES } from "#features/jobs/stored-chores.ts";
import { findTurn, promptsAfter, recordProgress, type Turn } from "#features/jobs/turn/turns.ts";
import { hostedRepository } from "#features/projects/hosted-repository.ts";

export interface RunTurnDeps extends TurnStepsDeps, PublicationDeps {
  /** Chores that could be run instead of an instruction that was not understood. */
  suggestChores(
    project: Project,
    refused: { commit: ObjectId; prompt: string; hint: string; signal: AbortSignal },
  ): Promise<ChoreSuggestion[]>;
}

/**
 * Processes the next message of a claimed job, from where an earlier attempt stopped: every stage first checks whether it
 * was already done. With `stop`, the agent does not continue, and its work is published. Throws `LostClaim`, the reason of
 * `signal`, or the error of a failing part; the worker handles these.
 */
export async function runTurn(
  deps: RunTurnDeps,
  {
    claim,
    project,
    signal,
    stop: stopBefore = null,
  }: { claim: Claim; project: Project; signal: AbortSignal; stop?: JobError | null },
): Promise<void> {
  const number = claim.job.handledCount + 1;
  const repository = hostedRepository(project);
  const prompts = await promptsAfter(deps, claim, claim.job.handledCount);
  const first = prompts[0];
  if (!first) throw new Error(`Job ${claim.jobId} was claimed without a message.`);
  // The branch name is derived from it.
  const prompt = deps.redact(first.prompt);
  const stop = stopBefore ?? (first.wereRedacted ? jobError("impossible", REDACTED_CHORES) : null);
  if (stop && !(await findTurn(deps, claim, number))) {
    return finishTurn(deps, { claim, turn: number, outcome: { ok: false, error: stop, handledSeq: number } });
  }
  const chosen = stop ? null : await chooseBeforeStart(deps, { claim, project, number, chores: first.chores });
  if (chosen && "code" in chosen)
    return finishTurn(deps, { claim, turn: number, outcome: { ok: false, error: chosen, handledSeq: number } });
  const started = await turnStages.run({ stage: "prepare" }, () =>
    startTurn(deps, { claim, number, repository, prompt }),
  );
  if (!started.ok) return finishTurn(deps, { claim, turn: number, outcome: { ...started, handledSeq: number } });

  const ran = await runSteps(deps, { claim, project, turn: started.turn, firstPrompt: first, stop, chosen, signal });
  signal.throwIfAborted();
  const end = await withSuggestions(deps, { project, turn: started.turn, prompt: first.prompt, signal }, ran);
  const context = { claim, project, repository, turn: started.turn };
  const outcome = claim.job.dryRun
    ? await endDryRun(deps, { claim, turn: started.turn, end })
    : await turnStages.run({ stage: "publish" }, () => publishEnd(deps, { ...context, end }));
  await finishTurn(deps, { claim, turn: number, outcome });
}

/** A turn that has not started waits until its provider answers, and then starts from the current branch. */
async function chooseBeforeStart(
  deps: RunTurnDeps,
  { claim, project, number, chores }: { claim: Claim; project: Project; number: number; chores: Instruction["chores"] },
): Promise<ChosenModel | JobError | null> {
  if (await findTurn(deps, claim, number)) return null;
  const found = findModels(deps, { project, job: claim.job, chores });
  return found.ok ? chooseModel(deps, claim, found.models) : null;
}

async function withSuggestions(
  deps: RunTurnDeps,
  { project, turn, ...refused }: { project: Project; turn: Turn; prompt: string; signal: AbortSignal },
  end: TurnEnd,
): Promise<TurnEnd> {
  if (end.kind !== "failed" || end.error.code !== "not_understood") return end;
  const { hint } = end.error;
  const suggestions = await deps.suggestChores(project, { ...refused, commit: turn.baseCommit, hint });
  return suggestions.length === 0 ? end : { ...end, error: { ...end.error, suggestions } };
}

function publishEnd(deps: RunTurnDeps, context: TurnContext & { end: TurnEnd }): Promise<TurnOutcome> {
  const { end } = context;
  if (end.kind === "done") return publishTurn(deps, { ...context, end });
  return end.kind === "early" ? publishUnfinished(deps, { ...context, end }) : keepWork(deps, { ...context, end });
}

async function startTurn(
  deps: RunTurnDeps,
  options: { claim: Claim; number: number; repository: HostedRepository; prompt: string },
): Promise<{ ok: true; turn: Turn } | { ok: false; error: JobError }> {
  const { claim, number, repository, prompt } = options;
  const known = await findTurn(deps, claim, number);
  if (known) return { ok: true, turn: known };
  if (claim.job.phase !== "preparing") {
    await recordProgress(deps, claim, { turn: number, phase: "preparing", events: [] });
  }
  const prepared = await prepareTurn(deps, { claim, turn: number, repository, prompt });
  if (!prepared.ok) return prepared;
  const { baseCommit, branch } = prepared.turn;
  await recordProgress(deps, claim, {
    turn: number,
    phase: "running",
    start: prepared.turn,
    events: [{ type: "turn.started", messages: [number], baseCommit, branch }],
  });
  return prepared;
}
