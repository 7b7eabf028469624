import { type GateReport, repairPrompt } from "#agent/gate/gate.ts";
import type { LoopState } from "#agent/loop-state.ts";
import { createSourceReader } from "#tools/source-reader.ts";
import type { FinishInput } from "#tools/tool.ts";
import { listSources } from "#hosts/sources/sources.ts";
import { commitSnapshot } from "#git/commit-snapshot.ts";
import type { ObjectId } from "#git/repo-store.ts";
import { checkLeftWork, type LeftWork, recordEarlyEnd } from "./early-end.ts";
import { validationEvent } from "#features/jobs/events.ts";
import { type JobError, jobError } from "#features/jobs/job.ts";
import { checkTurnTree, isPublishable, isSafeToShow, refusedByGate } from "./turn-check.ts";
import { findSourceRange, sourceNews } from "#features/jobs/source-news.ts";
import { adviceOn, reviewTurn } from "./turn-view.ts";
import { isSteerable, type NewsFor, restoreWork } from "./turn-work.ts";
import { chooseModel, countWaitedTime, holdAfterFailure, recordStandIn } from "./provider-outage.ts";
import { questionOf, withoutChange } from "./ending-words.ts";
import { findModels, inOrder } from "./turn-models.ts";
import { isSiteMaterial, siteMaterial } from "./site-material.ts";
import { imagesLeftOut } from "./shown-images.ts";
import { prepareLoop, type StepsOptions, type TurnStepsDeps } from "./turn-loop.ts";
import { turnStages } from "./turn-stages.ts";
import { recordProgress } from "./turns.ts";

export type TurnEnd =
  | { kind: "done"; finish: FinishInput; tree: ObjectId | null; handledSeq: number; report: GateReport | null }
  /** `work`: changes that may be shown, but not published. */
  | { kind: "failed"; error: JobError; handledSeq: number; work: { tree: ObjectId; finish: FinishInput } | null }
  | ({ kind: "early" } & LeftWork);

const MAX_REPAIRS = 2;
const NEWEST_COMMITS = 10;
const NO_FILE_CHANGED =
  "No file was changed. If the instruction asks for a change, make it now. If there is nothing to change, call finish and say why in the summary; if you need an answer first, call finish with your question in `question`.";

/**
 * Lets the agent work on a turn until it finishes and the gate accepts its work, or until it fails. Continues from the
 * last stored step. Findings of the gate go back to a language model at most twice. The work of a turn that ended early
 * is checked, too.
 */
export async function runSteps(deps: TurnStepsDeps, options: StepsOptions): Promise<TurnEnd> {
  const { claim, project } = options;
  let { turn } = options;
  const found = findModels(deps, { project, job: claim.job, chores: options.firstPrompt.chores });
  if (!found.ok) return { kind: "failed", error: found.error, handledSeq: options.firstPrompt.seq, work: null };
  let [model] = found.models;
  const sources = (await listSources(deps.database, project.id)).map((source) => createSourceReader(deps, source));
  const newsFor: NewsFor = async (seq) => {
    // The built-in rules read only instructions.
    const range = isSteerable(model) ? await findSourceRange(deps.database, { jobId: claim.jobId, seq }) : null;
    return range ? [await sourceNews(sources, range, deps.redact)] : [];
  };
  const work = await restoreWork(deps, { ...options, model, newsFor });
  // Once per job, because it stays in the conversation.
  if (isSteerable(model) && work.step === 0 && !work.conversation.some(isSiteMaterial)) {
    work.prompts = [await materialFor(deps, options), ...work.prompts];
  }
  const endEarly = async (error: JobError): Promise<TurnEnd> => {
    const { conversation, tree } = work;
    const { prompt } = options.firstPrompt;
    const early = turn.endedEarly ?? (await recordEarlyEnd(deps, { claim, turn, conversation, prompt, error }));
    return { kind: "early", ...(await checkLeftWork(deps, { claim, project, turn, early, tree })) };
  };
  if (turn.endedEarly) return endEarly(turn.endedEarly.error);
  // Finished work is published as in any other turn, even when someone stops the turn afterwards.
  if (options.stop && !work.finish) return endEarly(options.stop);
  if (!work.finish) {
    const chosen = options.chosen ?? chooseModel(deps, claim, found.models);
    if ("code" in chosen) return endEarly(chosen);
    ({ model } = chosen);
    await recordStandIn(deps, claim, { turn, chosen });
    const events = work.step === 0 ? imagesLeftOut(model, [options.firstPrompt]) : [];
    if (events.length > 0) await recordProgress(deps, claim, { turn: turn.turn, events });
    turn = await countWaitedTime(deps, claim, turn);
  }
  /** Lets the agent go on after its answer was not accepted. */
  const askAgain = (state: Partial<LoopState>, prompt: string) => {
    work.loop = { ...work.loop, ...state, isLast: false };
    work.prompts = [prompt];
    work.finish = null;
  };
  const runOn = await prepareLoop(deps, { ...options, turn, model, work, sources, newsFor });
  /** How the turn would have ended without another request to the model, which must not fail a finished turn. */
  let fallback: Extract<TurnEnd, { kind: "done" }> | null = null;

  for (;;) {
    if (!work.finish) {
      const outcome = await runOn();
      if (!outcome.ok) {
        // A change that the other request caused is worth more than the earlier answer.
        if (fallback && (fallback.tree !== null || work.tree === null)) return fallback;
        return endEarly(
          outcome.outage && deps.limits.outageMs > 0
            ? holdAfterFailure(deps, claim, inOrder(model, found.models), outcome.outage)
            : jobError(outcome.code, outcome.message, outcome.hint),
        );
      }
    }
    const { finish, tree, deliveredSeq: handledSeq } = work;
    if (!finish) throw new Error("The loop ended without a result.");
    if (finish.outcome !== "done") {
      if (fallback && fallback.tree !== null) return fallback;
      return { kind: "failed", error: jobError(finish.outcome, finish.summary, finish.hint), handledSeq, work: null };
    }
    if (tree === null) {
      const done = { kind: "done" as const, finish: isSteerable(model) ? withoutChange(finish) : finish, tree, handledSeq, report: null }; // oxfmt-ignore
      if (!isSteerable(model) || work.loop.challenged || options.stop || questionOf(finish) !== null) return done;
      askAgain({ challenged: true }, NO_FILE_CHANGED);
      fallback = done;
      continue;
    }
    await recordProgress(deps, claim, { turn: turn.turn, phase: "validating", events: [] });
    const report = await checked(deps, { claim, project, turn }, { tree, isReviewed: isSteerable(model) });
    const { errors, warnings } = report;
    await recordProgress(deps, claim, { turn: turn.turn, events: [validationEvent(report)] });
    const advice = work.loop.advised || options.stop || !isSteerable(model) ? null : adviceOn(work, warnings);
    if (errors.length === 0 && advice === null) return { kind: "done", finish, tree, handledSeq, report };
    if (errors.length === 0 && advice !== null) {
      // Only once: the model may have its reasons, and reviewers see the remaining warnings.
      askAgain({ advised: true }, deps.redact(advice));
      fallback = { kind: "done", finish, tree, handledSeq, report };
      await recordProgress(deps, claim, { turn: turn.turn, phase: "running", events: [] });
      continue;
    }
    if (work.loop.repairs >= MAX_REPAIRS || options.stop || !isSteerable(model)) {
      if (isPublishable(report, project)) return { kind: "done", finish, tree, handledSeq, report };
      return {
        kind: "failed",
        error: refusedByGate(report),
        handledSeq,
        work: isSafeToShow(report) ? { tree, finish } : null,
      };
    }
    askAgain({ repairs: work.loop.repairs + 1 }, deps.redact(repairPrompt(errors)));
    await recordProgress(deps, claim, { turn: turn.turn, phase: "running", events: [] });
  }
}

function checked(
  deps: TurnStepsDeps,
  at: Parameters<typeof reviewTurn>[1],
  { tree, isReviewed }: { tree: ObjectId; isReviewed: boolean },
): Promise<GateReport> {
  const check: Parameters<typeof turnStages.run>[0] = { stage: "check" };
  return turnStages.run(check, async () => {
    const report = await (isReviewed ? reviewTurn(deps, at, tree) : checkTurnTree(deps, at, tree));
    check.errors = report.errors.length;
    check.warnings = report.warnings.length;
    return report;
  });
}

async function materialFor(deps: TurnStepsDeps, { project, turn, firstPrompt }: StepsOptions): Promise<string> {
  const range = { base: null, head: turn.baseCommit, limit: NEWEST_COMMITS };
  return siteMaterial(commitSnapshot(deps.repoStore, project.id, turn.baseCommit), {
    now: deps.clock.now(),
    instruction: firstPrompt.prompt,
    contentRoot: project.settings.contentRoot ?? null,
    heads: deps.gate.heads,
    commits: await deps.repoStore.log(project.id, range),
    redact: deps.redact,
  });
}
