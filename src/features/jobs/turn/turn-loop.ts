import { type LoopDeps, type LoopOutcome, type LoopRecord, runLoop } from "#agent/loop.ts";
import { systemPrompt } from "#agent/system-prompt.ts";
import { loadDocsConfig } from "#docs/config/docs-config.ts";
import { type MarkdownParser, parserOf } from "#docs/parser.ts";
import { commitSnapshot } from "#git/commit-snapshot.ts";
import type { Logger } from "#lib/logger.ts";
import type { CircuitBreaker } from "#models/circuit-breaker.ts";
import type { ResolvedModel } from "#models/model.ts";
import { readHistory } from "#tools/history.ts";
import type { SourceReader } from "#tools/source-reader.ts";
import type { ReadApi, Tool, ToolEnvironment, WebReader } from "#tools/tool.ts";
import { createVirtualTree } from "#tools/virtual-tree.ts";
import type { Project } from "#features/projects/project.ts";
import type { Instruction } from "#features/jobs/chore-messages.ts";
import type { JobError } from "#features/jobs/job.ts";
import type { JobLimits } from "#features/jobs/job-limits.ts";
import { announceAnswer } from "#features/jobs/live-answer.ts";
import type { Claim } from "#features/jobs/queue/queue.ts";
import { readBudgetLeft } from "#features/jobs/queue/spending.ts";
import { ownWork } from "./own-work.ts";
import { type ChosenModel, endWaits } from "./provider-outage.ts";
import { readGuidance } from "./repository-guidance.ts";
import { createImageView } from "./shown-images.ts";
import { runSubtasks, SubtasksHeld } from "./run-subtasks.ts";
import { faultReporter } from "./tool-faults.ts";
import type { ModelDeps } from "./turn-models.ts";
import { createTurnView, type TurnViewDeps } from "./turn-view.ts";
import { type NewsFor, RefusedTree, storeStep, type TurnWork } from "./turn-work.ts";
import { recordProgress, type Turn } from "./turns.ts";

export interface TurnStepsDeps extends TurnViewDeps, ModelDeps {
  logger: Logger;
  parser: MarkdownParser;
  readApi: ReadApi;
  tools: readonly Tool[];
  limits: JobLimits;
  breaker: CircuitBreaker;
  /** Undefined when the project names no hosts. */
  webReader(project: Project): WebReader | undefined;
}

export interface StepsOptions {
  claim: Claim;
  project: Project;
  turn: Turn;
  firstPrompt: Instruction;
  /** Why the turn must stop; null to continue. */
  stop: JobError | null;
  /** The model that was chosen before the turn began; null to choose now. */
  chosen: ChosenModel | null;
  signal: AbortSignal;
}

/** Prepares the loop. The returned function continues it from the current state of `work`. */
export async function prepareLoop(
  deps: TurnStepsDeps,
  options: StepsOptions & {
    model: ResolvedModel;
    work: TurnWork;
    sources: readonly SourceReader[];
    newsFor: NewsFor;
  },
): Promise<
  () => Promise<LoopOutcome | { ok: false; code: "policy"; message: string; hint?: string; outage?: undefined }>
> {
  const { claim, project, turn, signal, model, work, sources } = options;
  const virtualTree = createVirtualTree(commitSnapshot(deps.repoStore, project.id, work.tree ?? turn.baseCommit));
  const contentRoot = project.settings.contentRoot ?? null;
  const { config } = await loadDocsConfig(virtualTree, { contentRoot });
  const web = deps.webReader(project);
  const tools = deps.tools.filter(
    (tool) =>
      (sources.length > 0 || !tool.needsSources) &&
      (web !== undefined || !tool.needsWeb) &&
      !(model.isBuiltin ? tool.forModels : tool.forRules),
  );
  const environment: ToolEnvironment = {
    tree: virtualTree,
    parser: parserOf(deps.parser, config),
    addApiPages: deps.gate.addApiPages,
    readApi: deps.readApi,
    contentRoot,
    redact: deps.redact,
    history: (range) => readHistory(deps.repoStore, project.id, { head: turn.baseCommit, ...range }),
    ownWork: ownWork(deps, claim, turn),
    sources,
    web,
    turn: createTurnView(
      deps,
      { ...options, stepsLeft: () => deps.limits.maxSteps - work.loop.stepsInTurn },
      () => work.tree,
    ),
    signal,
  };
  const system = systemPrompt({
    projectName: project.name,
    projectInstructions: project.settings.instructions ?? null,
    repository: await readGuidance(deps, project, claim.job.baseRef),
    sources,
    webHosts: web?.hosts ?? [],
    limits: model.isBuiltin ? null : deps.limits,
  });
  const { day, ...budgets } = deps.limits;
  const limits = {
    ...budgets,
    deadline: model.isBuiltin ? NO_DEADLINE : new Date(turn.startedAt.getTime() + turn.waitedMs + budgets.turnMs),
  };
  const readLeft = () => readBudgetLeft(deps, claim, { turn: turn.turn, budgets: { turn: budgets, day } });
  const currentState = async () => ({ tree: work.tree ?? turn.baseCommit, left: await readLeft() });
  const onAnswer = async () => {
    claim.job.waiting = null; // a later outage is a new one
    if (deps.breaker.answered(model.credential)) await endWaits(deps, claim);
  };
  const loop: LoopDeps = {
    model,
    system,
    tools,
    environment,
    clock: deps.clock,
    reportFault: faultReporter(deps, { jobId: claim.jobId, turn: turn.turn }),
    showImages: createImageView(deps, { jobId: claim.jobId, model }),
    onReceived: announceAnswer(deps, claim.jobId),
  };
  const runStarted = async () => {
    const { started } = work;
    const subtasks = { ...options, started, virtualTree, loop, limits, readLeft, onAnswer };
    return started ? runSubtasks(deps, { ...subtasks, started }) : undefined;
  };
  const record: LoopRecord = {
    async step(step) {
      const { prompts } = await storeStep(deps, { ...options, virtualTree }, step);
      await onAnswer();
      const completed = await runStarted();
      return { prompts, completed, ...(await currentState()) };
    },
    // Only the first failure of an outage is recorded: an hour of retries would be a hundred lines.
    failedCall: (spent) =>
      recordProgress(deps, claim, { turn: turn.turn, spent, events: claim.job.waiting ? [] : spent.events }),
  };
  const run = async () => {
    await runStarted();
    const { conversation, prompts, loop: state } = work;
    return runLoop(loop, { conversation, prompts, state, limits, ...(await currentState()), signal }, record);
  };
  return () =>
    run().catch((error: unknown) => {
      if (error instanceof SubtasksHeld) return error.failure;
      if (!(error instanceof RefusedTree)) throw error;
      return { ok: false, code: "policy", message: error.message };
    });
}

// Counts limit the built-in rules, not time: a busy machine makes them late, never wrong.
const NO_DEADLINE = new Date(8_640_000_000_000_000);
