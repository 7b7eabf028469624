import { z } from "zod";
import type { DatabaseTransaction } from "#db/database.ts";
import type { ObjectId } from "#git/repo-store.ts";
import type { JobId } from "#lib/ids.ts";
import type { FileReason } from "#tools/tool.ts";
import type { Claim } from "#features/jobs/queue/queue.ts";
import { readStepState } from "./step-state.ts";
import { readEarlyEnd } from "./turn-ending.ts";
import { promptsAfter, type StepDeps, type Turn, type TurnDeps } from "./turns.ts";

const TurnFinished = z.object({ ok: z.boolean() });
const PullRequestEvent = z.object({ number: z.number(), commit: z.string() });

/** A turn as its pull request describes it. */
export interface DescribedTurn {
  prompt: string;
  summary: string;
  /** The agent's reason for each changed file. */
  files?: readonly FileReason[] | undefined;
}

/** The prompts and summaries of the turns with a commit on a branch, oldest first: the content of its pull request. */
export async function finishedTurns(
  deps: Pick<StepDeps, "database" | "vault">,
  claim: Claim,
  branch: string,
): Promise<DescribedTurn[]> {
  // Without the messages, which make up nearly all of a step's size.
  const steps = await deps.database.kysely
    .selectFrom("job_step")
    .innerJoin("job_turn", (join) =>
      join.onRef("job_turn.job_id", "=", "job_step.job_id").onRef("job_turn.turn", "=", "job_step.turn"),
    )
    .select(["job_step.turn", "job_step.delivered_seq", "job_step.state", "job_turn.ended_early"])
    .where("job_step.job_id", "=", claim.jobId)
    .where("job_turn.branch", "=", branch)
    .where("job_turn.commit_id", "is not", null)
    .orderBy("job_step.turn")
    .orderBy("job_step.step")
    .execute();
  const prompts = new Map((await promptsAfter(deps, claim, 0)).map(({ seq, prompt }) => [seq, prompt]));
  // For a turn that the gate sent back, the last step counts.
  const finished = new Map<number, DescribedTurn>();
  for (const step of steps) {
    const { finish, subtask } = readStepState(step.state);
    if (subtask) continue;
    const early = readEarlyEnd(step.ended_early);
    if (finish?.outcome !== "done" && !early) continue;
    const delivered = Array.from(
      { length: step.delivered_seq - step.turn + 1 },
      (_, index) => prompts.get(step.turn + index) ?? "",
    );
    finished.set(step.turn, {
      prompt: delivered.join("\n\n"),
      summary: early?.words ?? finish?.summary ?? "",
      files: early ? undefined : finish?.files,
    });
  }
  return [...finished.values()];
}

/** The last turn before this one that pushed to its branch; null when it is the first. */
export async function lastPushed(
  { database }: Pick<TurnDeps, "database">,
  claim: Claim,
  turn: Pick<Turn, "turn" | "branch">,
): Promise<{ isUnfinished: boolean } | null> {
  const row = await database.kysely
    .selectFrom("job_turn")
    .select("ended_early")
    .where("job_id", "=", claim.jobId)
    .where("turn", "<", turn.turn)
    .where("branch", "=", turn.branch)
    .where("commit_id", "is not", null)
    .orderBy("turn", "desc")
    .limit(1)
    .executeTakeFirst();
  return row ? { isUnfinished: row.ended_early !== null } : null;
}

/** The last message that the stored steps of a turn delivered to the model; null before the first step. */
export async function lastDelivered(
  { database }: Pick<TurnDeps, "database">,
  claim: Claim,
  turn: number,
): Promise<number | null> {
  const row = await database.kysely
    .selectFrom("job_step")
    .select((expression) => expression.fn.max("delivered_seq").as("seq"))
    .where("job_id", "=", claim.jobId)
    .where("turn", "=", turn)
    .executeTakeFirst();
  return row?.seq ?? null;
}

/**
 * Whether a job was in a good state before the turn that ends now: it was completed, or, if several messages waited, the
 * previous turn succeeded. Refused turns are ignored. False before the first turn.
 */
export async function succeededBefore(transaction: DatabaseTransaction, jobId: JobId): Promise<boolean> {
  const row = await transaction
    .selectFrom("job_event")
    .select(["type", "data"])
    .where("job_id", "=", jobId)
    .where("type", "in", ["turn.finished", "job.completed", "job.failed"])
    .where(({ not, and, eb, selectFrom }) => {
      const refused = selectFrom("job_event").select("turn").where("job_id", "=", jobId).where("type", "=", "message.refused"); // oxfmt-ignore
      return not(and([eb("type", "=", "turn.finished"), eb("turn", "in", refused)]));
    })
    .orderBy("seq", "desc")
    .limit(1)
    .executeTakeFirst();
  if (!row || row.type === "job.failed") return false;
  return row.type === "job.completed" || TurnFinished.parse(JSON.parse(row.data)).ok;
}

/**
 * The last commit at which the job's branch passed the gate: the base of a turn, or of the first of the failed turns right
 * before it whose work is kept on the branch.
 */
export async function lastCheckedCommit(
  { database }: Pick<TurnDeps, "database">,
  claim: Claim,
  turn: Turn,
): Promise<string> {
  const rows = await database.kysely
    .selectFrom("job_turn")
    .innerJoin("job_event", (join) =>
      join.onRef("job_event.job_id", "=", "job_turn.job_id").onRef("job_event.turn", "=", "job_turn.turn"),
    )
    .select(["job_turn.base_commit", "job_turn.commit_id", "job_event.data"])
    .where("job_turn.job_id", "=", claim.jobId)
    .where("job_turn.branch", "=", turn.branch)
    .where("job_turn.turn", "<", turn.turn)
    .where("job_event.type", "=", "turn.finished")
    .orderBy("job_turn.turn", "desc")
    .execute();
  let commit = turn.baseCommit;
  for (const row of rows) {
    if (TurnFinished.parse(JSON.parse(row.data)).ok) break;
    if (row.commit_id !== null) commit = row.base_commit;
  }
  return commit;
}

/**
 * The event that records `commit` in a pull request: `opened` once, no matter who opened it and how often the turn was
 * replayed; null when the transcript already has an event for this commit.
 */
export async function pullRequestNews(
  { database }: Pick<TurnDeps, "database">,
  claim: Claim,
  { number, commit }: { number: number; commit: string },
): Promise<"pull_request.opened" | "pull_request.updated" | null> {
  const rows = await database.kysely
    .selectFrom("job_event")
    .select("data")
    .where("job_id", "=", claim.jobId)
    .where("type", "in", ["pull_request.opened", "pull_request.updated"])
    .execute();
  const recorded = rows
    .map((row) => PullRequestEvent.parse(JSON.parse(row.data)))
    .filter((event) => event.number === number);
  if (recorded.length === 0) return "pull_request.opened";
  return recorded.some((event) => event.commit === commit) ? null : "pull_request.updated";
}

/** The commit that the job started from: the base of its first turn. Null before that turn. */
export async function startOfJob(
  { database }: Pick<TurnDeps, "database">,
  { jobId }: Pick<Claim, "jobId">,
): Promise<ObjectId | null> {
  const query = database.kysely.selectFrom("job_turn").select("base_commit").where("job_id", "=", jobId);
  const row = await query.orderBy("turn").limit(1).executeTakeFirst();
  return (row?.base_commit as ObjectId | undefined) ?? null;
}
