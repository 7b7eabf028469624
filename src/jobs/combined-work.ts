import type { GateReport } from "#agent/gate.ts";
import type { ObjectId, RepoStore } from "#git/repo-store.ts";
import { type JobError, jobError } from "./job.ts";
import { replant } from "./replant.ts";
import { commitOn, findOwnCommit, type TurnWork } from "./turn-commit.ts";

/** What a turn changed, put together with what others did, on top of which it is to stand. */
interface CombinedTree {
  tree: ObjectId;
  /** What was wrong there is not held against the turn. */
  onto: ObjectId;
}

/** Looks at a tree that the gate has not seen yet. `error` says why it may not be pushed. */
export type Judge = (combined: CombinedTree) => Promise<{ report: GateReport; error: JobError | null }>;

/** A commit that may be pushed. `report`: what the gate said of its tree, where that is not the tree of the turn. */
export type Landing = { ok: true; commit: ObjectId; report: GateReport | null } | { ok: false; error: JobError };

export interface CombineDeps {
  repoStore: RepoStore;
  judge: Judge;
}

/** The turn's changes on top of what somebody pushed to its branch. */
export async function landOnPush(
  deps: CombineDeps,
  work: TurnWork,
  { ours, tip }: { ours: ObjectId; tip: ObjectId },
): Promise<Landing> {
  const happened = `Somebody pushed to ${work.branch} meanwhile`;
  const merged = await deps.repoStore.mergeTrees(work.repository.projectId, { ours: tip, theirs: ours });
  if (!merged.ok) return clash(happened, merged.conflicts);
  return land(deps, work, { tree: merged.tree, onto: tip, happened });
}

/** The turn's changes alone on top of `base`, the tip of the base branch, which has left behind what it started from. */
export async function landOnBase(
  deps: CombineDeps,
  work: TurnWork,
  { name, tip }: { name: string; tip: ObjectId },
): Promise<Landing> {
  const happened = `${name} changed meanwhile`;
  const changes = { from: work.baseCommit, tree: work.tree, at: work.startedAt, onto: tip };
  const planted = await replant(deps.repoStore, work.repository.projectId, changes);
  if (!planted.ok) return clash(happened, planted.conflicts);
  return land(deps, work, { tree: planted.tree, onto: tip, happened });
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

async function land(
  { repoStore, judge }: CombineDeps,
  work: TurnWork,
  { tree, onto, happened }: CombinedTree & { happened: string },
): Promise<Landing> {
  const { report, error } = await judge({ tree, onto });
  if (!error) return { ok: true, commit: await commitOn(repoStore, work, { parent: onto, tree }), report };
  const message = `${happened}, and together with that the change does not pass: ${error.message}`;
  const hint =
    "Read the findings in the transcript, then send the instruction again: it starts from what is there now.";
  return { ok: false, error: jobError(error.code, message, hint) };
}

const clash = (happened: string, conflicts: readonly string[]): Landing => ({
  ok: false,
  error: jobError("branch_moved", `${happened}, and both changed ${conflicts.slice(0, 5).join(", ")}.`),
});
