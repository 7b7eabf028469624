import type { GateReport } from "#agent/gate/gate.ts";
import type { CommitInfo } from "#git/objects/objects.ts";
import type { ObjectId } from "#git/repo-store.ts";
import { validationEvent } from "#features/jobs/events.ts";
import { type JobError, jobError } from "#features/jobs/job.ts";
import { checkTurn, refusedByGate } from "#features/jobs/turn/turn-check.ts";
import { lastPushed } from "#features/jobs/turn/turn-history.ts";
import { recordProgress } from "#features/jobs/turn/turns.ts";
import { replant } from "./replant.ts";
import { findOwnCommit, type PublishDeps, type TurnCommit, type TurnContext } from "./turn-commit.ts";

/** Where a turn's work belongs on its branch. */
export type BranchPlace =
  /** The branch already has it, for example after a crash. */
  | { kind: "there"; own: CommitInfo }
  /** An earlier turn pushed to the branch, which is deleted now. */
  | { kind: "gone" }
  /** On the commit that the turn started from. `tip`: the tip of the branch, null when it does not exist. */
  | { kind: "as_made"; tip: ObjectId | null }
  /** On a commit that others made. */
  | { kind: "moved"; tip: ObjectId | null; onto: ObjectId; happened: string };

/**
 * An existing branch continues at its tip. A new branch begins at the turn's base commit, or at the tip of the base branch
 * when that does not contain the base commit: a new pull request on top of squashed commits would show them again.
 */
export async function findPlace(
  deps: PublishDeps,
  { claim, repository, turn }: TurnContext,
  work: TurnCommit,
): Promise<BranchPlace> {
  const { baseCommit, branch } = turn;
  const tip = await deps.codeHost.fetchBranch(repository, branch);
  if (tip === baseCommit) return { kind: "as_made", tip };
  if (tip !== null) {
    const own = await findOwnCommit(deps.repoStore, work, tip);
    if (own) return { kind: "there", own };
    return { kind: "moved", tip, onto: tip, happened: `Someone pushed to ${branch} meanwhile` };
  }
  if (await lastPushed(deps, claim, turn)) return { kind: "gone" };
  const { baseRef } = claim.job;
  const base = await deps.codeHost.fetchBranch(repository, baseRef);
  const isAhead =
    base === null || (await deps.repoStore.mergeBase(repository.projectId, baseCommit, base)) === baseCommit;
  return isAhead
    ? { kind: "as_made", tip }
    : { kind: "moved", tip, onto: base, happened: `${baseRef} changed meanwhile` };
}

/** A turn's changes on top of `parent`. Problems that `parent` already has do not count against the turn. */
export interface CombinedWork {
  tree: ObjectId;
  parent: ObjectId;
}

/**
 * Applies the turn's own changes, and nothing else from its base commit, to a commit that others made: the tip of its own
 * branch after someone's push, or of the base branch. What a force push or a squash removed is not restored.
 */
export async function combine(
  { repoStore }: PublishDeps,
  work: TurnCommit,
  place: Extract<BranchPlace, { tip: ObjectId | null }>,
): Promise<({ ok: true } & CombinedWork) | { ok: false; error: JobError }> {
  if (place.kind === "as_made") return { ok: true, tree: work.tree, parent: work.baseCommit };
  const { onto, happened } = place;
  const changes = { from: work.baseCommit, tree: work.tree, at: work.startedAt, onto };
  const planted = await replant(repoStore, work.repository.projectId, changes);
  if (planted.ok) return { ok: true, tree: planted.tree, parent: onto };
  const conflicts = planted.conflicts.slice(0, 5).join(", ");
  return { ok: false, error: jobError("branch_moved", `${happened}, and both changed ${conflicts}.`) };
}

/** Checks a combined tree that the gate has not checked yet. */
export async function checkCombined(
  deps: PublishDeps,
  { claim, project, turn }: TurnContext,
  { tree, parent }: CombinedWork,
): Promise<GateReport> {
  const report = await checkTurn(deps, { claim, project, turn: turn.turn, base: parent, checked: parent, tree });
  await recordProgress(deps, claim, { turn: turn.turn, events: [validationEvent(report)] });
  return report;
}

/** The error of a turn whose changes do not pass together with the changes of others. */
export function combinedRefusal(report: GateReport, happened: string): JobError {
  const { code, message } = refusedByGate(report);
  const hint =
    "Read the findings in the transcript, then send the instruction again: it starts from what is there now.";
  return jobError(code, `${happened}, and the combined change does not pass the checks: ${message}`, hint);
}
