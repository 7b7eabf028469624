import type { GateReport } from "#agent/gate/gate.ts";
import type { ObjectId } from "#git/repo-store.ts";
import { type JobError, jobError } from "#features/jobs/job.ts";
import { recordProgress } from "#features/jobs/turn/turns.ts";
import { combine, findPlace, checkCombined, combinedRefusal } from "./combined-work.ts";
import { commitOn, type MadeWork, type PublishDeps, turnCommit, type TurnContext } from "./turn-commit.ts";

const MAX_PUSHES = 3;

export type PushResult =
  /** `report`: the gate's report on the commit's tree, when that is not the tree of the turn. */
  | { ok: true; commit: ObjectId; report: GateReport | null }
  /** `lost`: the branch was deleted meanwhile, for example by a merge, or its name is taken. Nothing was pushed. */
  | { ok: false; error: JobError; lost: LostBranch | null };

export type LostBranch = "gone" | "name_taken";

/**
 * Pushes a turn's changes to its branch as one commit and never loses anyone's work: the push is a compare and swap against
 * the tip that was found; commits that others pushed meanwhile are merged in, and the result is checked before it is pushed.
 * The commit's id depends on the turn alone, so a replay after a crash finds its own commit and stops. `allows`: whether a
 * tree with this report may be pushed.
 */
export async function pushWork(
  deps: PublishDeps,
  context: TurnContext,
  { made, allows }: { made: MadeWork; allows(report: GateReport): boolean },
): Promise<PushResult> {
  const { claim, repository, turn } = context;
  const { branch } = turn;
  const work = await turnCommit(deps, context, made);
  await recordProgress(deps, claim, { turn: turn.turn, phase: "publishing", events: [] });
  for (let pushes = 1; pushes <= MAX_PUSHES; pushes++) {
    const place = await findPlace(deps, context, work);
    if (place.kind === "gone") return refused(jobError("branch_moved", `The branch ${branch} was deleted.`), "gone");
    if (place.kind === "there") {
      const { id: commit, tree, parents } = place.own;
      const [parent = turn.baseCommit] = parents;
      const report = parent === turn.baseCommit ? null : await checkCombined(deps, context, { tree, parent });
      await recordPush(deps, context, commit);
      return { ok: true, commit, report };
    }
    const combined = await combine(deps, work, place);
    if (!combined.ok) return refused(combined.error);
    const report = place.kind === "moved" ? await checkCombined(deps, context, combined) : null;
    if (place.kind === "moved" && report && !allows(report)) return refused(combinedRefusal(report, place.happened));
    const commit = await commitOn(deps.repoStore, work, combined);
    const pushed = await deps.codeHost.push(repository, { branch, commit, expected: place.tip });
    if (pushed.outcome === "pushed") {
      await recordPush(deps, context, commit);
      return { ok: true, commit, report };
    }
    if (pushed.outcome === "name_taken") return refused(jobError("push_denied", pushed.reason), "name_taken");
    if (pushed.outcome === "denied") return refused(jobError("push_denied", pushed.reason));
  }
  return refused(jobError("branch_moved", `${branch} moved ${MAX_PUSHES} times while the agent tried to push to it.`));
}

const refused = (error: JobError, lost: LostBranch | null = null): PushResult => ({ ok: false, error, lost });

/** Records the turn's commit once: a replay that gets no further must not count as progress. */
export async function recordPush(deps: PublishDeps, { claim, turn }: TurnContext, commit: ObjectId): Promise<void> {
  if (commit === turn.commitId) return;
  const events = [{ type: "commit.pushed" as const, commit, branch: turn.branch }];
  await recordProgress(deps, claim, { turn: turn.turn, commitId: commit, events });
}
