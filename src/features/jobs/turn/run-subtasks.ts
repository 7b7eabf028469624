import type { BudgetLeft, Spent, TurnBudget } from "#agent/budget.ts";
import type { AgentEvent } from "#agent/agent-event.ts";
import { type AfterStep, type LoopDeps, type LoopRecord, type LoopStep, runLoop } from "#agent/loop.ts";
import type { LoopFailure, LoopLimits } from "#agent/loop-limits.ts";
import { INITIAL_LOOP_STATE } from "#agent/loop-state.ts";
import {
  howItEnded,
  limitsOfSubtask,
  reportsOf,
  type SubtaskEnd,
  subtaskPrompt,
  SUBTASKS_AT_ONCE,
  type SubtaskUsage,
  toolsOfSubtask,
  withResult,
} from "#agent/subtasks.ts";
import type { RepoStore } from "#git/repo-store.ts";
import { mapConcurrently } from "#lib/waiting/concurrency.ts";
import { createKeyedMutex, type KeyedMutex } from "#lib/waiting/mutex.ts";
import { ownsFile, type Subtask } from "#agent/subtasks-tool.ts";
import type { FinishInput } from "#tools/tool.ts";
import type { VirtualTree } from "#tools/virtual-tree.ts";
import { findFileChanges } from "#features/jobs/file-changes.ts";
import type { JobLimits } from "#features/jobs/job-limits.ts";
import { isSiteMaterial } from "./site-material.ts";
import { turnStages } from "./turn-stages.ts";
import { type RunningSubtasks, saveStep, type SaveStepOptions } from "./turn-work.ts";
import { completeStep, recordProgress, type StepDeps } from "./turns.ts";

interface SubtaskDeps extends StepDeps {
  repoStore: RepoStore;
  limits: Pick<JobLimits, "outageMs">;
}

interface SubtasksOptions extends SaveStepOptions {
  started: RunningSubtasks;
  /** The loop of the turn, whose model, instructions and tools its sub-tasks use. */
  loop: LoopDeps;
  limits: LoopLimits;
  /** What is left of the turn's budget. */
  readLeft(): Promise<BudgetLeft>;
  /** Called after each stored answer of the model. */
  onAnswer(): Promise<void>;
  signal: AbortSignal;
}

/** The provider went away. Sub-tasks that have not ended continue from their last stored step. */
export class SubtasksHeld extends Error {
  readonly failure: LoopFailure;

  constructor(failure: LoopFailure) {
    super(failure.message);
    this.failure = failure;
  }
}

/**
 * Runs the sub-tasks that a stored step has started, those that ended before a restart excepted, and completes the step
 * with their reports. All change the turn's tree: each of their steps is stored with the files that it changed, one
 * step at a time. A sub-task that fails does not stop the others. Throws `LostClaim`, `SubtasksHeld` or the reason of
 * `signal`.
 */
export async function runSubtasks(
  deps: SubtaskDeps,
  options: SubtasksOptions,
): Promise<Pick<LoopStep, "messages" | "state">> {
  const { claim, turn, work, started } = options;
  const limits = await sharedLimits(options);
  const broken = new AbortController();
  const signal = AbortSignal.any([options.signal, broken.signal]);
  const saving = createKeyedMutex();
  const troubles: { thrown?: { error: unknown }; outage?: LoopFailure } = {};
  const run = async (subtask: Subtask, index: number): Promise<SubtaskEnd[]> => {
    if (troubles.thrown || troubles.outage) return [];
    try {
      const end = await runSubtask(deps, options, { subtask, number: index + 1, limits, saving, signal });
      if (end.failure?.outage && deps.limits.outageMs > 0) troubles.outage ??= end.failure;
      return [end];
    } catch (error) {
      troubles.thrown ??= { error };
      broken.abort(error);
      return [];
    }
  };
  const ends = (await mapConcurrently(started.subtasks, SUBTASKS_AT_ONCE, run)).flat();
  if (troubles.thrown) throw troubles.thrown.error;
  if (troubles.outage) throw new SubtasksHeld(troubles.outage);

  const messages = withResult(started.messages, started.call, reportsOf(started.subtasks, ends));
  const steps = ends.reduce((sum, { usage }) => sum + usage.steps, 0);
  const state = { ...work.loop, stepsInTurn: work.loop.stepsInTurn + steps };
  // Those that finished have their event with their last step.
  const events = ends.flatMap((end, index) =>
    end.finish ? [] : [finishedEvent(started.subtasks[index]!, index + 1, end)],
  );
  await completeStep(deps, claim, {
    turn: turn.turn,
    step: started.step,
    messages,
    state: { loop: state, finish: null },
    events,
  });
  work.conversation.splice(-messages.length, messages.length, ...messages);
  work.loop = state;
  work.started = null;
  return { messages, state };
}

const NO_USAGE: SubtaskUsage = { steps: 0, inputTokens: 0, weightedTokens: 0, outputTokens: 0, costMicroUsd: 0 };

const usageAfter = (before: SubtaskUsage, { usage, weightedTokens, costMicroUsd }: Spent, steps: number) => ({
  steps: before.steps + steps,
  inputTokens: before.inputTokens + usage.inputTokens,
  weightedTokens: before.weightedTokens + weightedTokens,
  outputTokens: before.outputTokens + usage.outputTokens,
  costMicroUsd: before.costMicroUsd + costMicroUsd,
});

const storedSteps = ({ steps }: RunningSubtasks, number: number) =>
  steps.filter(({ state }) => state.subtask?.number === number);

/** Limits of each sub-task: a share of what was left when they started, also after a restart. */
async function sharedLimits({ started, work, limits, readLeft }: SubtasksOptions): Promise<LoopLimits> {
  const left: TurnBudget = await readLeft();
  for (const number of started.subtasks.keys()) {
    const used = storedSteps(started, number + 1).at(-1)?.state.subtask?.usage ?? NO_USAGE;
    left.inputTokens += used.weightedTokens;
    left.outputTokens += used.outputTokens;
    if (left.costMicroUsd !== null) left.costMicroUsd += used.costMicroUsd;
  }
  const steps = limits.maxSteps - work.loop.stepsInTurn;
  return limitsOfSubtask(limits, { number: started.subtasks.length, steps, left });
}

/** A sub-task while it runs. */
interface LiveSubtask {
  subtask: Subtask;
  number: number;
  limits: LoopLimits;
  /** It sees its own changes at once, and those of the others as of its own last step. */
  tree: VirtualTree;
  usage: SubtaskUsage;
  finish: FinishInput | null;
}

async function runSubtask(
  deps: SubtaskDeps,
  options: SubtasksOptions,
  {
    saving,
    signal,
    ...place
  }: { subtask: Subtask; number: number; limits: LoopLimits; saving: KeyedMutex; signal: AbortSignal },
): Promise<SubtaskEnd> {
  const { work, virtualTree, loop } = options;
  const { subtask, limits } = place;
  const steps = storedSteps(options.started, place.number);
  const last = steps.at(-1)?.state;
  const usage = last?.subtask?.usage ?? NO_USAGE;
  const own: LiveSubtask = { ...place, tree: virtualTree.fork(), usage, finish: last?.finish ?? null };
  if (own.finish) return endOf(deps, options, own);
  const ownLoop = {
    ...loop,
    tools: toolsOfSubtask(loop.tools, subtask),
    environment: { ...loop.environment, tree: own.tree, signal },
    showImages: undefined,
    onReceived: undefined,
  };
  const start = {
    conversation: [...work.conversation.filter(isSiteMaterial), ...steps.flatMap(({ messages }) => messages)],
    prompts: last ? [] : [subtaskPrompt(subtask, limits)],
    state: last?.loop ?? { ...INITIAL_LOOP_STATE, fill: work.loop.fill },
    limits,
    ...(await currentStateOf(options, own)),
    signal,
  };
  const outcome = await turnStages.run({ stage: "sub-task" }, () =>
    runLoop(ownLoop, start, recordOf(deps, options, { own, saving })),
  );
  return endOf(deps, options, own, outcome.ok ? null : outcome);
}

/** Stores the steps of a sub-task, each with the files that it changed. */
function recordOf(
  deps: SubtaskDeps,
  options: SubtasksOptions,
  { own, saving }: { own: LiveSubtask; saving: KeyedMutex },
): LoopRecord {
  const { claim, turn, virtualTree } = options;
  const { subtask, number } = own;
  const marked = (events: readonly AgentEvent[]) => events.map((event) => ({ ...event, subtask: number }));
  return {
    step: (step) =>
      saving.run("", async () => {
        for (const [path, content] of own.tree.edits()) {
          if (!ownsFile(subtask, path)) continue;
          if (content) virtualTree.write(path, content);
          else virtualTree.remove(path);
        }
        own.usage = usageAfter(own.usage, step, 1);
        const stored = { ...step, events: marked(step.events) };
        await saveStep(deps, options, stored, {
          deliveredSeq: turn.turn, // it is told no messages
          state: { subtask: { number, usage: own.usage } },
          async eventsOf(finish) {
            own.finish = finish;
            return finish ? [finishedEvent(subtask, number, await endOf(deps, options, own))] : [];
          },
        });
        await options.onAnswer();
        own.tree.adopt(virtualTree);
        return { prompts: [], ...(await currentStateOf(options, own)) };
      }),
    async failedCall(spent) {
      own.usage = usageAfter(own.usage, spent, 0);
      const events = claim.job.waiting ? [] : marked(spent.events);
      await recordProgress(deps, claim, { turn: turn.turn, spent, events });
    },
  };
}

const currentStateOf = async (
  { work, turn, readLeft }: SubtasksOptions,
  { limits, usage }: LiveSubtask,
): Promise<Pick<AfterStep, "tree" | "left">> => ({
  tree: work.tree ?? turn.baseCommit,
  left: leftOfShare(await readLeft(), limits, usage),
});

async function endOf(
  { repoStore }: SubtaskDeps,
  { project, turn, work, started }: SubtasksOptions,
  { subtask, usage, finish }: LiveSubtask,
  failure: LoopFailure | null = null,
): Promise<SubtaskEnd> {
  const range = { base: started.tree ?? turn.baseCommit, tree: work.tree };
  const [change] = await findFileChanges(repoStore, project.id, range);
  const paths = change?.type === "files.changed" ? [...change.added, ...change.modified, ...change.removed] : [];
  return { finish, failure, usage, changed: paths.filter((path) => ownsFile(subtask, path)).sort() };
}

/** What a sub-task may still use: the rest of its share, if so much is left of the turn. */
function leftOfShare(left: BudgetLeft, share: TurnBudget, used: SubtaskUsage): BudgetLeft {
  const cost = share.costMicroUsd === null ? Infinity : share.costMicroUsd - used.costMicroUsd;
  return {
    inputTokens: Math.min(left.inputTokens, share.inputTokens - used.weightedTokens),
    outputTokens: Math.min(left.outputTokens, share.outputTokens - used.outputTokens),
    costMicroUsd: left.costMicroUsd === null ? null : Math.min(left.costMicroUsd, cost),
    isDay: false,
  };
}

function finishedEvent({ title }: Subtask, subtask: number, end: SubtaskEnd): AgentEvent {
  const { finish, changed, usage } = end;
  return {
    type: "subtask.finished",
    subtask,
    title,
    ok: finish?.outcome === "done",
    summary: finish ? finish.summary : `It was ${howItEnded(end)}.`,
    changed,
    steps: usage.steps,
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
    costUsd: usage.costMicroUsd / 1_000_000,
  };
}
