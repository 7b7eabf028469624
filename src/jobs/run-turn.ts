import type { ModelMessage } from "ai";
import type { Tool, ToolEnvironment } from "#agent/tool.ts";
import { type LoopLimits, type LoopModel, type LoopOutcome, type LoopState, INITIAL_LOOP_STATE, runLoop } from "#agent/loop.ts";
import { systemPrompt } from "#agent/system-prompt.ts";
import { createVirtualTree, type VirtualTree } from "#agent/virtual-tree.ts";
import type { HostedRepository } from "#code-hosts/code-host.ts";
import type { MarkdownParser } from "#content/parser.ts";
import { commitSnapshot } from "#git/commit-snapshot.ts";
import type { ObjectId } from "#git/repo-store.ts";
import type { Project } from "#projects/project.ts";
import { findFileChanges } from "./file-changes.ts";
import { readHistory } from "./history.ts";
import { type JobError, jobError } from "./job.ts";
import { prepareTurn } from "./prepare.ts";
import { ensurePullRequest, type PublishDeps, pushTurn } from "./publish.ts";
import { pullRequestBody, titleLine } from "./pull-request-text.ts";
import type { Claim } from "./queue.ts";
import {
  commitStep,
  finishTurn,
  findTurn,
  listSteps,
  pendingPrompts,
  recordProgress,
  type StoredStep,
  type Turn,
  type TurnDeps,
  type TurnOutcome,
} from "./turns.ts";

export interface RunTurnDeps extends TurnDeps, PublishDeps {
  parser: MarkdownParser;
  tools: readonly Tool[];
  resolveModel(project: Project, name: string): LoopModel;
  limits: JobLimits;
}

export interface JobLimits extends Omit<LoopLimits, "deadline" | "costMicroUsd"> {
  turnMs: number;
  costMicroUsd: number | null;
}

type Finish = Extract<LoopOutcome, { ok: true }>["finish"];
type LoopEnd = { ok: true; finish: Finish; tree: ObjectId | null; handledSeq: number } | { ok: false; error: JobError; handledSeq: number };

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

async function runSteps(
  deps: RunTurnDeps,
  options: { claim: Claim; project: Project; turn: Turn; firstPrompt: { seq: number; prompt: string }; signal: AbortSignal },
): Promise<LoopEnd> {
  const { claim, project, turn, signal } = options;
  const steps = await listSteps(deps, claim);
  const ofTurn = steps.filter((step) => step.turn === turn.turn);
  const last: StoredStep | undefined = ofTurn.at(-1);
  const stored = (last?.state ?? { loop: INITIAL_LOOP_STATE, finish: null }) as { loop: LoopState; finish: Finish | null };
  let tree = last?.tree ?? null;
  let deliveredSeq = last?.deliveredSeq ?? options.firstPrompt.seq;
  if (stored.finish) return endOf(stored.finish, tree, deliveredSeq);

  const model = deps.resolveModel(project, claim.job.model);
  const virtualTree = createVirtualTree(commitSnapshot(deps.repoStore, project.id, tree ?? turn.baseCommit));
  const environment: ToolEnvironment = {
    tree: virtualTree,
    parser: deps.parser,
    history: (range) => readHistory(deps.repoStore, project.id, turn.baseCommit, range),
    signal,
  };
  const system = systemPrompt({
    projectName: project.name,
    projectInstructions: project.settings.instructions ?? null,
    repositoryInstructions: await readInstructions(deps, project, claim),
  });
  let stepNumber = last?.step ?? 0;
  const outcome = await runLoop(
    { model, system, tools: deps.tools, environment, clock: deps.clock },
    {
      conversation: conversationOf(steps, await pendingPrompts(deps, claim, 0), turn.turn),
      prompts: last ? [] : [options.firstPrompt.prompt],
      state: stored.loop,
      limits: limitsFor(deps, claim, turn),
      signal,
    },
    async (step) => {
      const before = tree;
      if (step.mutated) tree = await saveTree(deps, { project, base: tree ?? turn.baseCommit, virtualTree });
      const changed = tree === before ? [] : await findFileChanges(deps.repoStore, project.id, turn.baseCommit, tree);
      const waiting = isSteerable(model) ? await pendingPrompts(deps, claim, deliveredSeq) : [];
      const delivered = step.finish ? [] : waiting;
      stepNumber += 1;
      await commitStep(deps, claim, {
        turn: turn.turn,
        step: stepNumber,
        messages: step.messages,
        tree,
        deliveredSeq,
        state: { loop: step.state, finish: step.finish },
        usage: step.usage,
        costMicroUsd: step.costMicroUsd,
        events: [...step.events, ...changed],
      });
      deliveredSeq = delivered.at(-1)?.seq ?? deliveredSeq;
      return { prompts: delivered.map(({ prompt }) => prompt) };
    },
  );
  if (!outcome.ok) return { ok: false, error: jobError(outcome.code, outcome.message, outcome.hint), handledSeq: deliveredSeq };
  return endOf(outcome.finish, tree, deliveredSeq);
}

/**
 * Everything said so far, in order. A prompt whose turn failed before its first step is in no step: it is put back,
 * so that "try again" means something.
 */
function conversationOf(
  steps: readonly (StoredStep & { turn: number })[],
  prompts: readonly { seq: number; prompt: string }[],
  current: number,
): ModelMessage[] {
  const conversation: ModelMessage[] = [];
  let deliveredSeq = 0;
  const putBack = (before: number) => {
    for (const { seq, prompt } of prompts) {
      if (seq > deliveredSeq && seq < before) conversation.push({ role: "user", content: prompt });
    }
    deliveredSeq = Math.max(deliveredSeq, before - 1);
  };
  for (const step of steps) {
    putBack(step.turn);
    conversation.push(...step.messages);
    deliveredSeq = Math.max(deliveredSeq, step.deliveredSeq);
  }
  putBack(current);
  return conversation;
}

// The built-in rules read one instruction at a time; a language model can be told more while it works.
const isSteerable = (model: LoopModel) => model.model.provider !== "docent";

function endOf(finish: Finish, tree: ObjectId | null, handledSeq: number): LoopEnd {
  if (finish.outcome === "done") return { ok: true, finish, tree, handledSeq };
  return { ok: false, error: jobError(finish.outcome, finish.summary, finish.hint), handledSeq };
}

function limitsFor(deps: RunTurnDeps, claim: Claim, turn: Turn): LoopLimits {
  const { usage } = claim.job;
  return {
    ...deps.limits,
    deadline: new Date(turn.startedAt.getTime() + deps.limits.turnMs),
    inputTokens: deps.limits.inputTokens - usage.inputTokens,
    outputTokens: deps.limits.outputTokens - usage.outputTokens,
  };
}

async function saveTree(
  deps: RunTurnDeps,
  options: { project: Project; base: ObjectId; virtualTree: VirtualTree },
): Promise<ObjectId | null> {
  const edits = [...options.virtualTree.edits()].map(([path, content]) => ({ path, content }));
  if (edits.length === 0) return null;
  return deps.repoStore.snapshot(options.project.id, { base: options.base, edits });
}

const MAX_INSTRUCTIONS_BYTES = 16_384;

/** Of the base branch only: a head branch is written by whoever opened the pull request, the agent included. */
async function readInstructions(deps: RunTurnDeps, project: Project, claim: Claim): Promise<string | null> {
  const base = await deps.repoStore.resolve(project.id, `refs/heads/${claim.job.baseRef}`);
  if (base === null) return null;
  const snapshot = commitSnapshot(deps.repoStore, project.id, base);
  const bytes = (await snapshot.read(".docent/AGENTS.md")) ?? (await snapshot.read("AGENTS.md"));
  return bytes && new TextDecoder().decode(bytes.subarray(0, MAX_INSTRUCTIONS_BYTES));
}

async function publish(
  deps: RunTurnDeps,
  options: {
    claim: Claim;
    repository: HostedRepository;
    turn: Turn;
    end: Extract<LoopEnd, { ok: true }>;
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
