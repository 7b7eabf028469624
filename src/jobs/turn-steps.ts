import { type GateReport, repairPrompt } from "#agent/gate.ts";
import { type LoopOutcome, type LoopRecord, runLoop } from "#agent/loop.ts";
import { systemPrompt } from "#agent/system-prompt.ts";
import type { FinishInput, Tool, ToolEnvironment } from "#agent/tool.ts";
import type { ToolFault } from "#agent/tool-call.ts";
import { createVirtualTree } from "#agent/virtual-tree.ts";
import type { MarkdownParser } from "#content/parser.ts";
import { commitSnapshot } from "#git/commit-snapshot.ts";
import type { ObjectId, RepoStore } from "#git/repo-store.ts";
import { AppError } from "#lib/app-error.ts";
import type { Logger } from "#lib/logger.ts";
import type { ResolvedModel } from "#models/model.ts";
import type { Project } from "#projects/project.ts";
import { readHistory } from "./history.ts";
import { type JobError, jobError } from "./job.ts";
import type { JobLimits } from "./job-limits.ts";
import type { Claim } from "./queue.ts";
import { checkTurn, type CheckDeps, isPublishable, isSafeToShow, refusal } from "./turn-check.ts";
import { lastCheckedCommit } from "./turn-history.ts";
import { addSpent, isSteerable, RefusedTree, restoreWork, storeStep, type TurnWork } from "./turn-work.ts";
import { recordProgress, type Turn, type TurnDeps } from "./turns.ts";

export interface TurnStepsDeps extends TurnDeps {
  repoStore: RepoStore;
  logger: Logger;
  parser: MarkdownParser;
  tools: readonly Tool[];
  /** Throws `AppError invalid` for a model that cannot be used. */
  resolveModel(project: Project, name: string): ResolvedModel;
  limits: JobLimits;
  gate: CheckDeps["gate"];
}

export type TurnEnd =
  | { ok: true; finish: FinishInput; tree: ObjectId | null; handledSeq: number; report: GateReport | null }
  /** `work` is what was made and may be shown, though it is not good enough to publish. */
  | { ok: false; error: JobError; handledSeq: number; work: { tree: ObjectId; finish: FinishInput } | null };

const MAX_REPAIRS = 2;

interface StepsOptions {
  claim: Claim;
  project: Project;
  turn: Turn;
  firstPrompt: { seq: number; prompt: string };
  signal: AbortSignal;
}

/**
 * Lets the agent work on a turn until it says that it is done and the gate agrees, or until it fails. Goes on from the
 * last stored step. Findings of the gate go back to a language model at most twice.
 */
export async function runSteps(deps: TurnStepsDeps, options: StepsOptions): Promise<TurnEnd> {
  const { claim, project, turn } = options;
  const found = findModel(deps, project, claim.job.model);
  if (!found.ok) return { ok: false, error: found.error, handledSeq: options.firstPrompt.seq, work: null };
  const { model } = found;
  const work = await restoreWork(deps, { ...options, model });
  const runOn = await prepareLoop(deps, { ...options, model, work });

  for (;;) {
    if (!work.finish) {
      const outcome = await runOn();
      if (!outcome.ok) {
        return {
          ok: false,
          error: jobError(outcome.code, outcome.message, outcome.hint),
          handledSeq: work.deliveredSeq,
          work: null,
        };
      }
    }
    const { finish, tree, deliveredSeq: handledSeq } = work;
    if (!finish) throw new Error("The loop ended without a result.");
    if (finish.outcome !== "done") {
      return { ok: false, error: jobError(finish.outcome, finish.summary, finish.hint), handledSeq, work: null };
    }
    if (tree === null) return { ok: true, finish, tree, handledSeq, report: null };
    await recordProgress(deps, claim, { turn: turn.turn, phase: "validating", events: [] });
    const checked = await lastCheckedCommit(deps, claim, turn);
    const report = await checkTurn(deps, { project, base: turn.baseCommit, checked, tree });
    const { errors, warnings, newHosts } = report;
    await recordProgress(deps, claim, {
      turn: turn.turn,
      events: [{ type: "validation", errors, warnings, newHosts }],
    });
    if (errors.length === 0) return { ok: true, finish, tree, handledSeq, report };
    if (work.loop.repairs >= MAX_REPAIRS || !isSteerable(model)) {
      if (isPublishable(report, project)) return { ok: true, finish, tree, handledSeq, report };
      return { ok: false, error: refusal(report), handledSeq, work: isSafeToShow(report) ? { tree, finish } : null };
    }
    work.loop = { ...work.loop, repairs: work.loop.repairs + 1 };
    work.prompts = [repairPrompt(errors)];
    work.finish = null;
    await recordProgress(deps, claim, { turn: turn.turn, phase: "running", events: [] });
  }
}

/** The loop with everything it needs, to be run on from wherever `work` stands. */
async function prepareLoop(
  deps: TurnStepsDeps,
  options: StepsOptions & { model: ResolvedModel; work: TurnWork },
): Promise<() => Promise<LoopOutcome | { ok: false; code: "policy"; message: string; hint?: string }>> {
  const { claim, project, turn, signal, model, work } = options;
  const virtualTree = createVirtualTree(commitSnapshot(deps.repoStore, project.id, work.tree ?? turn.baseCommit));
  const environment: ToolEnvironment = {
    tree: virtualTree,
    parser: deps.parser,
    contentRoot: project.settings.contentRoot ?? null,
    history: (range) => readHistory(deps.repoStore, project.id, { head: turn.baseCommit, ...range }),
    signal,
  };
  const system = systemPrompt({
    projectName: project.name,
    projectInstructions: project.settings.instructions ?? null,
    repositoryInstructions: await readInstructions(deps, project, claim),
  });
  const record: LoopRecord = {
    step: (step) => storeStep(deps, { ...options, virtualTree }, step),
    async failedCall(spent) {
      addSpent(work, spent);
      await recordProgress(deps, claim, { turn: turn.turn, spent, events: spent.events });
    },
  };
  const reportFault = ({ tool, error }: ToolFault) => {
    const fields = { jobId: claim.jobId, turn: turn.turn, tool };
    deps.logger.error(
      { ...fields, error: deps.redact(faultText(error)).slice(0, MAX_FAULT_LENGTH) },
      "tool failed unexpectedly",
    );
  };
  const run = () =>
    runLoop(
      { model, system, tools: deps.tools, environment, clock: deps.clock, reportFault },
      {
        conversation: work.conversation,
        prompts: work.prompts,
        state: work.loop,
        limits: limitsFor(deps, turn, work),
        signal,
      },
      record,
    );
  return () =>
    run().catch((error: unknown) => {
      if (!(error instanceof RefusedTree)) throw error;
      return { ok: false, code: "policy", message: error.message };
    });
}

const MAX_FAULT_LENGTH = 4_000;

/** With the stack, and as text: what hangs on an error besides may hold anything. */
function faultText(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** A model can be gone: its provider was taken out of the settings after the job was made. */
function findModel(
  deps: TurnStepsDeps,
  project: Project,
  name: string,
): { ok: true; model: ResolvedModel } | { ok: false; error: JobError } {
  try {
    return { ok: true, model: deps.resolveModel(project, name) };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "invalid") throw error;
    const hint = "Set the provider up again and send the message again, or create a job with another model.";
    return { ok: false, error: jobError("model_error", error.message, hint) };
  }
}

function limitsFor({ limits }: TurnStepsDeps, turn: Turn, { spent }: TurnWork) {
  return {
    ...limits,
    deadline: new Date(turn.startedAt.getTime() + limits.turnMs),
    inputTokens: limits.inputTokens - spent.inputTokens,
    outputTokens: limits.outputTokens - spent.outputTokens,
    costMicroUsd: limits.costMicroUsd === null ? null : limits.costMicroUsd - spent.costMicroUsd,
  };
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
