import { presentable } from "#agent/finish-text.ts";
import type { LoopStep } from "#agent/loop.ts";
import type { StartedSubtasks } from "#agent/subtasks.ts";
import { INITIAL_LOOP_STATE, type LoopState, nextTurnState } from "#agent/loop-state.ts";
import type { FinishInput } from "#tools/tool.ts";
import type { VirtualTree } from "#tools/virtual-tree.ts";
import type { ObjectId, RepoStore } from "#git/repo-store.ts";
import { AppError } from "#lib/app-error.ts";
import { createMeasure } from "#lib/measure.ts";
import { type ModelMessage, parseMessages, type UserContent } from "#models/message.ts";
import type { ResolvedModel } from "#models/model.ts";
import type { Project } from "#features/projects/project.ts";
import { imagesLeftOut } from "./shown-images.ts";
import { type Instruction, conversationTextOf, modelInputOf, beforeChores } from "#features/jobs/chore-messages.ts";
import type { JobEventData } from "#features/jobs/events.ts";
import { findFileMoves, reasonsOfChangedFiles } from "#features/jobs/file-changes.ts";
import type { Claim } from "#features/jobs/queue/queue.ts";
import type { StepState } from "./step-state.ts";
import {
  commitStep,
  findTurn,
  listSteps,
  promptsAfter,
  type StoredStep,
  type StepDeps,
  type Turn,
  type TurnDeps,
} from "./turns.ts";

/** Stored steps of models; `model` is `provider/model`. */
export const stepCosts = createMeasure<{ model: string; costMicroUsd: number }>("step cost");

/** The state of a turn: what is stored of it, and the prompts to send next. */
export interface TurnWork {
  conversation: ModelMessage[];
  prompts: UserContent[];
  loop: LoopState;
  finish: FinishInput | null;
  tree: ObjectId | null;
  deliveredSeq: number;
  step: number;
  /** Sub-tasks to run before the next step; null for none. */
  started: RunningSubtasks | null;
}

/** Sub-tasks that a step has started, and their stored steps. */
export interface RunningSubtasks extends StartedSubtasks {
  step: number;
  messages: readonly ModelMessage[];
  /** The tree that they start from. */
  tree: ObjectId | null;
  steps: readonly StoredStep[];
}

// The built-in rules read one instruction at a time; a language model can receive more while it works.
export const isSteerable = (model: ResolvedModel) => !model.isBuiltin;

/** What the model receives in addition to a message: the changes that triggered it, which are not an instruction. */
export type NewsFor = (seq: number) => Promise<string[]>;

async function withNews(
  model: ResolvedModel,
  messages: readonly Instruction[],
  newsFor: NewsFor,
): Promise<UserContent[]> {
  const prompts: UserContent[] = [];
  for (const each of messages) prompts.push(contentOf(model, each), ...(await newsFor(each.seq)));
  return prompts;
}

const contentOf = (model: ResolvedModel, message: Instruction): UserContent =>
  isSteerable(model) ? modelInputOf(message) : conversationTextOf(message);

const LOST_WORK = "The changes of your last turn were not kept: the files are as they were before it.";

/** What the model must know about the previous turn, when that ended early or its changes were not kept. */
async function newsOfLastTurn(
  deps: TurnDeps,
  { claim, turn }: { claim: Claim; turn: Turn },
  step: (StoredStep & { turn: number }) | undefined,
): Promise<string[]> {
  const before = step && (await findTurn(deps, claim, step.turn));
  if (!before) return [];
  if (step.tree !== null && before.commitId === null) return [LOST_WORK];
  if (!before.endedEarly) return [];
  const why = `Your last turn ended before you were done: ${before.endedEarly.error.message}`;
  if (step.tree === null) return [why];
  const isHere = before.branch === turn.branch;
  return [`${why} ${isHere ? KEPT_WORK : "Its changes went to another branch: look whether they are in the files."}`];
}

const KEPT_WORK =
  "What you had changed by then was kept: the files are as you left them, with what people pushed since.";

/** The state of a turn after its last stored step, or the initial state of a new turn. */
export async function restoreWork(
  deps: StepDeps,
  {
    claim,
    turn,
    model,
    firstPrompt,
    newsFor,
  }: {
    claim: Claim;
    turn: Turn;
    model: ResolvedModel;
    firstPrompt: Instruction;
    newsFor: NewsFor;
  },
): Promise<TurnWork> {
  const all = await listSteps(deps, claim);
  const steps = all.filter(({ state }) => !state.subtask);
  const newest = all.at(-1);
  const last = steps.findLast((step) => step.turn === turn.turn);
  const prompts = await promptsAfter(deps, claim, 0);
  // The built-in rules treat everything that they receive as an instruction.
  const news = last || model.isBuiltin ? [] : await newsOfLastTurn(deps, { claim, turn }, newest);
  const work: TurnWork = {
    conversation: conversationOf(deps, model, { steps, prompts, current: turn.turn }),
    prompts: last ? [] : [...news, ...(await withNews(model, [firstPrompt], newsFor))],
    loop: nextTurnState(steps.at(-1)?.state.loop ?? INITIAL_LOOP_STATE),
    finish: null,
    tree: null,
    deliveredSeq: firstPrompt.seq,
    step: 0,
    started: null,
  };
  if (!last || !newest) return work;
  const { started } = last.state;
  // The messages that a worker without interruption would have sent right after this step.
  const waiting =
    isSteerable(model) && !last.state.finish ? beforeChores(prompts.filter(({ seq }) => seq > last.deliveredSeq)) : [];
  return {
    ...work,
    prompts: await withNews(model, waiting, newsFor),
    loop: last.state.loop,
    finish: last.state.finish,
    tree: newest.tree,
    deliveredSeq: waiting.at(-1)?.seq ?? last.deliveredSeq,
    step: newest.step,
    started: started
      ? {
          ...started,
          step: last.step,
          messages: last.messages,
          tree: last.tree,
          steps: all.slice(all.indexOf(last) + 1),
        }
      : null,
  };
}

export interface SaveStepOptions {
  claim: Claim;
  project: Project;
  turn: Turn;
  virtualTree: VirtualTree;
  work: TurnWork;
}

interface StoreStepOptions extends SaveStepOptions {
  model: ResolvedModel;
  newsFor: NewsFor;
}

/** Stores one step of the loop, updates `work`, and returns the waiting messages. Throws `LostClaim`. */
export async function storeStep(
  deps: StepDeps & { repoStore: RepoStore },
  options: StoreStepOptions,
  step: LoopStep,
): Promise<{ prompts: readonly UserContent[] }> {
  const { claim, model, work } = options;
  const waiting =
    isSteerable(model) && !step.finish ? beforeChores(await promptsAfter(deps, claim, work.deliveredSeq)) : [];
  const finish = await saveStep(deps, options, step, {
    deliveredSeq: work.deliveredSeq,
    state: step.started ? { started: step.started } : {},
    eventsOf: () => imagesLeftOut(model, waiting),
  });
  const { messages } = step;
  work.conversation.push(...messages);
  work.loop = step.state;
  work.finish = finish;
  work.started = step.started && { ...step.started, step: work.step, messages, tree: work.tree, steps: [] };
  // Stored as delivered with the next step, which sends them to the model.
  work.deliveredSeq = waiting.at(-1)?.seq ?? work.deliveredSeq;
  return { prompts: await withNews(model, waiting, options.newsFor) };
}

/** Stores a step of the turn or of one of its sub-tasks with its tree, and returns how the agent finished. Throws `LostClaim`. */
export async function saveStep(
  deps: StepDeps & { repoStore: RepoStore },
  options: SaveStepOptions,
  step: LoopStep,
  stored: {
    deliveredSeq: number;
    state: Pick<StepState, "started" | "subtask">;
    /** More events, after the tree was saved. */
    eventsOf(finish: FinishInput | null): Promise<JobEventData[]> | JobEventData[];
  },
): Promise<FinishInput | null> {
  const { claim, project, turn, work } = options;
  const before = work.tree;
  if (step.mutated) {
    work.tree = await saveTree(deps, { project, turn, before, virtualTree: options.virtualTree });
  }
  const events: JobEventData[] = [...step.events];
  if (work.tree !== before) {
    events.push(...(await findFileMoves(deps.repoStore, project.id, { base: turn.baseCommit, tree: work.tree })));
  }
  const finish = step.finish && presentable(step.finish, deps.redact);
  if (finish?.text.files) {
    const reasons = { files: finish.text.files, base: turn.baseCommit, tree: work.tree };
    finish.text.files = await reasonsOfChangedFiles(deps.repoStore, project.id, reasons);
  }
  if (finish?.hadSecret) {
    events.push({
      type: "notice",
      code: "secret_removed",
      text: "A credential was taken out of the title or the summary.",
    });
  }
  work.step += 1;
  events.push(...(await stored.eventsOf(finish?.text ?? null)));
  await commitStep(deps, claim, {
    turn: turn.turn,
    step: work.step,
    messages: step.messages,
    tree: work.tree,
    deliveredSeq: stored.deliveredSeq,
    state: { ...stored.state, loop: step.state, finish: finish?.text ?? null },
    usage: step.usage,
    weightedTokens: step.weightedTokens,
    costMicroUsd: step.costMicroUsd,
    events,
  });
  stepCosts.publish({ model: claim.job.model, costMicroUsd: step.costMicroUsd });
  return finish?.text ?? null;
}

/**
 * The conversation so far, in order. A prompt whose turn failed before its first step is in no step and is added again, so
 * that "try again" means something. A language model does not see the credentials in chores of earlier messages.
 */
function conversationOf(
  { redact }: Pick<StepDeps, "redact">,
  model: ResolvedModel,
  {
    steps,
    prompts,
    current,
  }: { steps: readonly (StoredStep & { turn: number })[]; prompts: readonly Instruction[]; current: number },
): ModelMessage[] {
  const conversation: ModelMessage[] = [];
  const chored = new Set(prompts.filter(({ chores }) => chores !== null).map(({ seq }) => seq));
  const add = (seq: number, messages: readonly ModelMessage[]) => {
    const isShared = isSteerable(model) && chored.has(seq);
    conversation.push(...(isShared ? parseMessages(redact(JSON.stringify(messages))) : messages));
  };
  let deliveredSeq = 0;
  const addPrompts = (before: number) => {
    for (const each of prompts) {
      const { seq } = each;
      if (seq > deliveredSeq && seq < before) add(seq, [{ role: "user", content: contentOf(model, each) }]);
    }
    deliveredSeq = Math.max(deliveredSeq, before - 1);
  };
  for (const step of steps) {
    addPrompts(step.turn);
    add(step.turn, step.messages);
    deliveredSeq = Math.max(deliveredSeq, step.deliveredSeq);
  }
  addPrompts(current);
  return conversation;
}

async function saveTree(
  deps: { repoStore: RepoStore },
  options: { project: Project; turn: Turn; before: ObjectId | null; virtualTree: VirtualTree },
): Promise<ObjectId | null> {
  const { project, turn, before } = options;
  const edits = [...options.virtualTree.edits()].map(([path, content]) => ({ path, content }));
  // The edits are empty when a turn is resumed, which does not mean that there is no work.
  if (edits.length === 0) return before;
  try {
    return await deps.repoStore.snapshot(project.id, { base: before ?? turn.baseCommit, edits });
  } catch (error) {
    if (error instanceof AppError && error.code === "invalid") throw new RefusedTree(error.message);
    throw error;
  }
}

/** Thrown when git refuses a tree that the tools allowed. Another attempt would fail in the same way. */
export class RefusedTree extends Error {}
