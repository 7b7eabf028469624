import { presentable } from "#agent/finish-text.ts";
import type { ModelMessage } from "#models/message.ts";
import type { JobError } from "#features/jobs/job.ts";
import type { ObjectId } from "#git/repo-store.ts";
import type { GateReport } from "#agent/gate/gate.ts";
import type { FinishInput } from "#tools/tool.ts";
import { validationEvent } from "#features/jobs/events.ts";
import { findFileChanges } from "#features/jobs/file-changes.ts";
import type { Claim } from "#features/jobs/queue/queue.ts";
import { type CheckDeps, checkTurn, isPublishable, isSafeToShow } from "./turn-check.ts";
import { lastCheckedCommit, lastDelivered } from "./turn-history.ts";
import type { EarlyEnd } from "./turn-ending.ts";
import { recordProgress, type StepDeps, type Turn, type TurnDeps } from "./turns.ts";
import type { Project } from "#features/projects/project.ts";

const MAX_WORDS_LENGTH = 4_000;

/** The work of a turn that ended early. With a `report` it can be published, without one it can only be kept on a branch. */
export interface LeftWork {
  early: EarlyEnd;
  work: { tree: ObjectId; finish: FinishInput } | null;
  report: GateReport | null;
}

/** Records the end of a turn once. A turn without a step has no work and needs no record. */
export async function recordEarlyEnd(
  deps: TurnDeps,
  options: { claim: Claim; turn: Turn; conversation: readonly ModelMessage[]; prompt: string; error: JobError },
): Promise<EarlyEnd> {
  const { claim, turn, error } = options;
  const delivered = await lastDelivered(deps, claim, turn.turn);
  const title = claim.job.title ?? `Part of: ${options.prompt.replace(/\s+/g, " ").trim()}`;
  const finish = { outcome: "done" as const, title, summary: lastWords(options.conversation) };
  const { text } = presentable(finish, deps.redact);
  const early: EarlyEnd = { error, handledSeq: delivered ?? turn.turn, title: text.title, words: text.summary };
  if (delivered === null) return early;
  const notice = { type: "notice", code: "ended_early", text: error.message } as const;
  await recordProgress(deps, claim, { turn: turn.turn, endedEarly: early, events: [notice] });
  return early;
}

function lastWords(conversation: readonly ModelMessage[]): string {
  const spoken = conversation.findLast((message) => message.role === "assistant");
  if (!spoken || spoken.role !== "assistant") return "";
  const parts = typeof spoken.content === "string" ? [{ type: "text" as const, text: spoken.content }] : spoken.content;
  const text = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n");
  return text.length > MAX_WORDS_LENGTH ? `${text.slice(0, MAX_WORDS_LENGTH).toWellFormed()}…` : text;
}

/** Checks the work of a turn that ended early with the gate. */
export async function checkLeftWork(
  deps: StepDeps & CheckDeps,
  options: { claim: Claim; project: Project; turn: Turn; early: EarlyEnd; tree: ObjectId | null },
): Promise<LeftWork> {
  const { claim, project, turn, early, tree } = options;
  const changes = await findFileChanges(deps.repoStore, project.id, { base: turn.baseCommit, tree });
  if (tree === null || changes.length === 0) return { early, work: null, report: null };
  await recordProgress(deps, claim, { turn: turn.turn, phase: "validating", events: [] });
  const checked = await lastCheckedCommit(deps, claim, turn);
  const report = await checkTurn(deps, { claim, project, turn: turn.turn, base: turn.baseCommit, checked, tree });
  await recordProgress(deps, claim, { turn: turn.turn, events: [validationEvent(report)] });
  const reason = `Not finished: ${early.error.message}`;
  const summary = early.words === "" ? reason : `${reason}\n\n${early.words}`;
  const work = { tree, finish: { outcome: "done" as const, title: early.title, summary } };
  if (isPublishable(report, project)) return { early, work, report };
  return { early, work: isSafeToShow(report) ? work : null, report: null };
}
