import type { GateReport } from "#agent/gate/gate.ts";
import type { ObjectId, RepoStore } from "#git/repo-store.ts";
import { type JobError, jobError } from "#jobs/job.ts";
import { replant } from "./replant.ts";
import { commitOn, findOwnCommit, type TurnWork } from "./turn-commit.ts";

/** What a turn changed, put together with what others did, on top of which it is to stand. */
interface CombinedTree {
  tree: ObjectId;
  /** What was wrong there is not held against the turn. */
  onto: ObjectId;
}

/** Looks at a tree that the gate has not seen yet. `error` says why it may not be pushed. */
export type JudgeTree = (combined: CombinedTree) => Promise<{ report: GateReport; error: JobError | null }>;

/** A commit that may be pushed. `report`: what the gate said of its tree, where that is not the tree of the turn. */
export type Landing = { ok: true; commit: ObjectId; report: GateReport | null } | { ok: false; error: JobError };

export interface CombineDeps {
  repoStore: RepoStore;
  judge: JudgeTree;
}

/**
 * The turn's changes, and nothing else of what it started from, on top of a commit that others made: the tip of its own
 * branch, to which somebody pushed, or of the base branch. What a forced push or a squash left out does not come back.
 */
export async function landOn(
  { repoStore, judge }: CombineDeps,
  work: TurnWork,
  { tip, happened }: { tip: ObjectId; happened: string },
): Promise<Landing> {
  const changes = { from: work.baseCommit, tree: work.tree, at: work.startedAt, onto: tip };
  const planted = await replant(repoStore, work.repository.projectId, changes);
  if (!planted.ok) {
    const conflicts = planted.conflicts.slice(0, 5).join(", ");
    return { ok: false, error: jobError("branch_moved", `${happened}, and both changed ${conflicts}.`) };
  }
  const { tree } = planted;
  const { report, error } = await judge({ tree, onto: tip });
  if (!error) return { ok: true, commit: await commitOn(repoStore, work, { parent: tip, tree }), report };
  const message = `${happened}, and together with that the change does not pass: ${error.message}`;
  const hint =
    "Read the findings in the transcript, then send the instruction again: it starts from what is there now.";
  return { ok: false, error: jobError(error.code, message, hint) };
}

/** Where the turn is in the history of its branch's `tip` already; null when it is not. */
export async function findLanding(
  { repoStore, judge }: CombineDeps,
  work: TurnWork,
  tip: ObjectId,
): Promise<Extract<Landing, { ok: true }> | null> {
  const own = await findOwnCommit(repoStore, work, tip);
  if (!own) return null;
  const [parent] = own.parents;
  const isCombined = parent !== undefined && parent !== work.baseCommit;
  return {
    ok: true,
    commit: own.id,
    report: isCombined ? (await judge({ tree: own.tree, onto: parent })).report : null,
  };
}
