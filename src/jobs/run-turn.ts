import type { HostedRepository } from "#code-hosts/code-host.ts";
import type { Project } from "#projects/project.ts";
import { finishTurn } from "./finish-turn.ts";
import type { JobError } from "./job.ts";
import { prepareTurn } from "./prepare.ts";
import { keepWork } from "./keep-work.ts";
import { type PublicationDeps, publishTurn } from "./publication.ts";
import type { Claim } from "./queue.ts";
import { runSteps, type TurnStepsDeps } from "./turn-steps.ts";
import { findTurn, pendingPrompts, recordProgress, type Turn } from "./turns.ts";

export interface RunTurnDeps extends TurnStepsDeps, PublicationDeps {}

/**
 * Carries the next message of a claimed job to its end, from wherever an earlier attempt stopped: every stage first
 * looks whether it was done already. Throws `LostClaim`, the reason of `signal`, or whatever a broken part throws;
 * the worker decides about those.
 */
export async function runTurn(
  deps: RunTurnDeps,
  { claim, project, signal }: { claim: Claim; project: Project; signal: AbortSignal },
): Promise<void> {
  const number = claim.job.handledCount + 1;
  const repository: HostedRepository = { projectId: project.id, slug: project.slug, branch: project.branch };
  const prompts = await pendingPrompts(deps, claim, claim.job.handledCount);
  const first = prompts[0];
  if (!first) throw new Error(`Job ${claim.jobId} was claimed without a message.`);
  // It names the branch.
  const prompt = deps.redact(first.prompt);
  const started = await startTurn(deps, { claim, number, repository, prompt });
  if (!started.ok) return finishTurn(deps, { claim, turn: number, outcome: { ...started, handledSeq: number } });

  const end = await runSteps(deps, { claim, project, turn: started.turn, firstPrompt: first, signal });
  signal.throwIfAborted();
  const context = { claim, project, repository, turn: started.turn };
  const outcome = end.ok ? await publishTurn(deps, { ...context, end }) : await keepWork(deps, { ...context, end });
  await finishTurn(deps, { claim, turn: number, outcome });
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
