import type { HostedRepository } from "#code-hosts/code-host.ts";
import type { Project } from "#projects/project.ts";
import { findFileChanges } from "./file-changes.ts";
import type { JobError } from "./job.ts";
import { prepareTurn } from "./prepare.ts";
import { ensurePullRequest, type PublishDeps, pushTurn } from "./publish.ts";
import { pullRequestBody, titleLine } from "./pull-request-text.ts";
import type { Claim } from "./queue.ts";
import { runSteps, type TurnEnd, type TurnStepsDeps } from "./turn-steps.ts";
import { finishTurn, findTurn, pendingPrompts, recordProgress, type Turn, type TurnOutcome } from "./turns.ts";

export interface RunTurnDeps extends TurnStepsDeps, PublishDeps {}

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
  const started = await startTurn(deps, { claim, number, repository, prompt: first.prompt });
  if (!started.ok) return finishTurn(deps, claim, number, { ...started, handledSeq: number });

  const end = await runSteps(deps, { claim, project, turn: started.turn, firstPrompt: first, signal });
  signal.throwIfAborted();
  if (!end.ok) return finishTurn(deps, claim, number, end);
  const outcome = await publish(deps, { claim, repository, turn: started.turn, end, prompt: first.prompt });
  await finishTurn(deps, claim, number, outcome);
}

async function startTurn(
  deps: RunTurnDeps,
  options: { claim: Claim; number: number; repository: HostedRepository; prompt: string },
): Promise<{ ok: true; turn: Turn } | { ok: false; error: JobError }> {
  const { claim, number, repository, prompt } = options;
  const known = await findTurn(deps, claim, number);
  if (known) return { ok: true, turn: known };
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

async function publish(
  deps: RunTurnDeps,
  options: {
    claim: Claim;
    repository: HostedRepository;
    turn: Turn;
    end: Extract<TurnEnd, { ok: true }>;
    prompt: string;
  },
): Promise<TurnOutcome> {
  const { claim, repository, turn, end } = options;
  const { job } = claim;
  const { title, summary } = end.finish;
  const changes = end.tree ? await findFileChanges(deps.repoStore, repository.projectId, turn.baseCommit, end.tree) : [];
  if (changes.length === 0) {
    return { ok: true, title: titleLine(title), summary, pullRequest: job.pullRequest, handledSeq: end.handledSeq };
  }
  await recordProgress(deps, claim, { turn: turn.turn, phase: "publishing", events: [] });
  const pushed = await pushTurn(deps, {
    repository,
    jobId: job.id,
    turn: turn.turn,
    branch: turn.branch,
    baseCommit: turn.baseCommit,
    tree: end.tree!,
    startedAt: turn.startedAt,
    commit: { title, summary },
  });
  if (!pushed.ok) return { ok: false, error: pushed.error, handledSeq: end.handledSeq };
  await recordProgress(deps, claim, {
    turn: turn.turn,
    commitId: pushed.commit,
    events: [{ type: "commit.pushed", commit: pushed.commit, branch: turn.branch }],
  });
  const ensured = await ensurePullRequest(deps, {
    repository,
    head: turn.branch,
    base: job.baseRef,
    title: job.title ?? titleLine(title),
    body: pullRequestBody({ job, turns: [{ prompt: options.prompt, summary }], sections: [] }),
    draft: job.draft,
  });
  if (!ensured.ok) return { ok: false, error: ensured.error, handledSeq: end.handledSeq };
  if (ensured.pullRequest) {
    const { number, url } = ensured.pullRequest;
    const type = ensured.isNew ? "pull_request.opened" : "pull_request.updated";
    await recordProgress(deps, claim, {
      turn: turn.turn,
      pullRequest: ensured.pullRequest,
      events: [{ type, number, url, commit: pushed.commit }],
    });
  }
  return { ok: true, title: titleLine(title), summary, pullRequest: ensured.pullRequest, handledSeq: end.handledSeq };
}
