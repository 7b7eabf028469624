import type { ModelMessage } from "ai";
import { type GateCheck, type GateReport, repairPrompt } from "#agent/gate.ts";
import { INITIAL_LOOP_STATE, type LoopState, runLoop } from "#agent/loop.ts";
import { systemPrompt } from "#agent/system-prompt.ts";
import type { FinishInput, Tool, ToolEnvironment } from "#agent/tool.ts";
import { createVirtualTree, type VirtualTree } from "#agent/virtual-tree.ts";
import type { MarkdownParser } from "#content/parser.ts";
import { commitSnapshot } from "#git/commit-snapshot.ts";
import type { ObjectId, RepoStore } from "#git/repo-store.ts";
import type { ResolvedModel } from "#models/model.ts";
import type { Project } from "#projects/project.ts";
import { findFileChanges } from "./file-changes.ts";
import { readHistory } from "./history.ts";
import { type JobError, jobError } from "./job.ts";
import type { JobLimits } from "./job-limits.ts";
import type { Claim } from "./queue.ts";
import { commitStep, listSteps, pendingPrompts, recordProgress, type StoredStep, type Turn, type TurnDeps } from "./turns.ts";
import { checkTurn } from "./turn-check.ts";

export interface TurnStepsDeps extends TurnDeps {
  repoStore: RepoStore;
  parser: MarkdownParser;
  tools: readonly Tool[];
  resolveModel(project: Project, name: string): ResolvedModel;
  limits: JobLimits;
  gate: Parameters<typeof checkTurn>[0]["gate"];
}

export type TurnEnd =
  | { ok: true; finish: FinishInput; tree: ObjectId | null; handledSeq: number; report: GateReport | null }
  /** `work` is what was made and may be shown, though it is not good enough to publish. */
  | { ok: false; error: JobError; handledSeq: number; work: { tree: ObjectId; finish: FinishInput } | null };

const MAX_REPAIRS = 2;
const UNSAFE_TO_SHOW: ReadonlySet<GateCheck> = new Set(["policy", "secrets", "markup"]);

/**
 * Lets the agent work on a turn until it says that it is done and the gate agrees, or until it fails. Goes on from the
 * last stored step. Findings of the gate go back to a language model at most twice.
 */
export async function runSteps(
  deps: TurnStepsDeps,
  options: { claim: Claim; project: Project; turn: Turn; firstPrompt: { seq: number; prompt: string }; signal: AbortSignal },
): Promise<TurnEnd> {
  const { claim, project, turn, signal } = options;
  const work = await restore(deps, options);
  const model = deps.resolveModel(project, claim.job.model);
  const virtualTree = createVirtualTree(commitSnapshot(deps.repoStore, project.id, work.tree ?? turn.baseCommit));
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

  for (;;) {
    if (!work.finish) {
      const outcome = await runLoop(
        { model, system, tools: deps.tools, environment, clock: deps.clock },
        {
          conversation: work.conversation,
          prompts: work.prompts,
          state: work.loop,
          limits: limitsFor(deps, claim, turn),
          signal,
        },
        (step) => storeStep(deps, { ...options, model, virtualTree, work }, step),
      );
      if (!outcome.ok) {
        return { ok: false, error: jobError(outcome.code, outcome.message, outcome.hint), handledSeq: work.deliveredSeq, work: null };
      }
      work.finish = outcome.finish;
    }
    const { finish, tree, deliveredSeq: handledSeq } = work;
    if (finish.outcome !== "done") {
      return { ok: false, error: jobError(finish.outcome, finish.summary, finish.hint), handledSeq, work: null };
    }
    if (tree === null) return { ok: true, finish, tree, handledSeq, report: null };
    await recordProgress(deps, claim, { turn: turn.turn, phase: "validating", events: [] });
    const report = await checkTurn(deps, { project, turn, tree });
    const { errors, warnings } = report;
    await recordProgress(deps, claim, { turn: turn.turn, events: [{ type: "validation", errors, warnings }] });
    if (errors.length === 0) return { ok: true, finish, tree, handledSeq, report };
    if (work.loop.repairs >= MAX_REPAIRS || !isSteerable(model)) {
      const [first] = errors;
      const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
      const code = first!.check === "policy" ? "policy" : "validation_failed";
      const isSafe = errors.every((finding) => !UNSAFE_TO_SHOW.has(finding.check));
      if (isSafe && project.settings.draftOnFindings) return { ok: true, finish, tree, handledSeq, report };
      const error = jobError(code, `${first!.message}${more}`);
      return { ok: false, error, handledSeq, work: isSafe ? { tree, finish } : null };
    }
    work.loop = { ...work.loop, repairs: work.loop.repairs + 1 };
    work.prompts = [repairPrompt(errors)];
    work.finish = null;
    await recordProgress(deps, claim, { turn: turn.turn, phase: "running", events: [] });
  }
}

/** Where a turn stands: what is stored of it, and what is to be said next. */
interface Work {
  conversation: ModelMessage[];
  prompts: string[];
  loop: LoopState;
  finish: FinishInput | null;
  tree: ObjectId | null;
  deliveredSeq: number;
  step: number;
}

async function restore(
  deps: TurnStepsDeps,
  { claim, turn, firstPrompt }: { claim: Claim; turn: Turn; firstPrompt: { seq: number; prompt: string } },
): Promise<Work> {
  const steps = await listSteps(deps, claim);
  const last = steps.findLast((step) => step.turn === turn.turn);
  const stored = (last?.state ?? { loop: INITIAL_LOOP_STATE, finish: null }) as Pick<Work, "loop" | "finish">;
  return {
    ...stored,
    conversation: conversationOf(steps, await pendingPrompts(deps, claim, 0), turn.turn),
    prompts: last ? [] : [firstPrompt.prompt],
    tree: last?.tree ?? null,
    deliveredSeq: last?.deliveredSeq ?? firstPrompt.seq,
    step: last?.step ?? 0,
  };
}

type LoopStepHandler = Parameters<typeof runLoop>[2];

async function storeStep(
  deps: TurnStepsDeps,
  options: { claim: Claim; project: Project; turn: Turn; model: ResolvedModel; virtualTree: VirtualTree; work: Work },
  step: Parameters<LoopStepHandler>[0],
): ReturnType<LoopStepHandler> {
  const { claim, project, turn, work } = options;
  const before = work.tree;
  if (step.mutated) {
    work.tree = await saveTree(deps, { project, base: before ?? turn.baseCommit, virtualTree: options.virtualTree });
  }
  const changed =
    work.tree === before ? [] : await findFileChanges(deps.repoStore, project.id, turn.baseCommit, work.tree);
  const waiting = isSteerable(options.model) && !step.finish ? await pendingPrompts(deps, claim, work.deliveredSeq) : [];
  work.step += 1;
  await commitStep(deps, claim, {
    turn: turn.turn,
    step: work.step,
    messages: step.messages,
    tree: work.tree,
    deliveredSeq: work.deliveredSeq,
    state: { loop: step.state, finish: step.finish },
    usage: step.usage,
    costMicroUsd: step.costMicroUsd,
    events: [...step.events, ...changed],
  });
  work.conversation.push(...step.messages);
  work.loop = step.state;
  // Stored as delivered with the step that tells the model about them.
  work.deliveredSeq = waiting.at(-1)?.seq ?? work.deliveredSeq;
  return { prompts: waiting.map(({ prompt }) => prompt) };
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
const isSteerable = (model: ResolvedModel) => !model.isBuiltin;

function limitsFor(deps: TurnStepsDeps, claim: Claim, turn: Turn) {
  const { usage } = claim.job;
  return {
    ...deps.limits,
    deadline: new Date(turn.startedAt.getTime() + deps.limits.turnMs),
    inputTokens: deps.limits.inputTokens - usage.inputTokens,
    outputTokens: deps.limits.outputTokens - usage.outputTokens,
  };
}

async function saveTree(
  deps: TurnStepsDeps,
  options: { project: Project; base: ObjectId; virtualTree: VirtualTree },
): Promise<ObjectId | null> {
  const edits = [...options.virtualTree.edits()].map(([path, content]) => ({ path, content }));
  if (edits.length === 0) return null;
  return deps.repoStore.snapshot(options.project.id, { base: options.base, edits });
}

const MAX_INSTRUCTIONS_BYTES = 16_384;

/** Of the base branch only: a head branch is written by whoever opened the pull request, the agent included. */
async function readInstructions(deps: TurnStepsDeps, project: Project, claim: Claim): Promise<string | null> {
  const base = await deps.repoStore.resolve(project.id, `refs/heads/${claim.job.baseRef}`);
  if (base === null) return null;
  const snapshot = commitSnapshot(deps.repoStore, project.id, base);
  const bytes = (await snapshot.read(".docent/AGENTS.md")) ?? (await snapshot.read("AGENTS.md"));
  return bytes && new TextDecoder().decode(bytes.subarray(0, MAX_INSTRUCTIONS_BYTES));
}
