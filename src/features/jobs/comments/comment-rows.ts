import type { Selectable } from "kysely";
import type { Database } from "#db/database.ts";
import type { Tables } from "#db/schema.ts";
import type { Clock } from "#lib/clock.ts";
import type { ProjectId } from "#lib/ids.ts";

export type CommentRow = Selectable<Tables["host_comment"]>;

interface Deps {
  database: Database;
  clock: Clock;
}

const FIRST_WAIT_MS = 5_000;
const MAX_WAIT_MS = 3_600_000;
/** About eight hours of retries. */
const MAX_TRIES = 16;
/** A host that is unavailable or refuses the token is retried for longer than a long weekend. */
const MAX_AWAY_MS = 7 * 86_400_000;

/**
 * Claims for this process the comment that has waited longest, among projects that are not `busy`. Claimable are new
 * comments, refused ones without a reply, and accepted ones that are not acknowledged yet or whose message is handled.
 * Null when no comment is claimable.
 */
export async function takeComment(
  { database, clock }: Deps,
  { leaseMs, busy }: { leaseMs: number; busy: readonly string[] },
): Promise<CommentRow | null> {
  const now = clock.now().getTime();
  const due = database.kysely
    .selectFrom("host_comment")
    .leftJoin("job", "job.id", "host_comment.job_id")
    .where((is) =>
      is.or([
        is("host_comment.due_at", "<=", now),
        // Written while the clock was ahead.
        is("host_comment.due_at", ">", now + MAX_WAIT_MS + leaseMs),
      ]),
    )
    .where((is) =>
      is.or([
        is("host_comment.state", "in", ["found", "refused"]),
        is.and([
          is("host_comment.state", "=", "accepted"),
          is.or([
            is("host_comment.answer_id", "is", null),
            is("job.id", "is", null),
            is("job.done_seq", ">=", is.ref("host_comment.message_seq")),
          ]),
        ]),
      ]),
    );
  const row = await due
    .$if(busy.length > 0, (query) => query.where("host_comment.project_id", "not in", busy as ProjectId[]))
    .selectAll("host_comment")
    .orderBy("host_comment.due_at")
    .limit(1)
    .executeTakeFirst();
  return row ? await change({ database }, row, { due_at: now + leaseMs, tries: row.tries + 1 }) : null;
}

type Change = Partial<Pick<CommentRow, "state" | "tries" | "due_at" | "job_id" | "message_seq" | "answer_id" | "note">>;

/** Returns null when another process has changed the row since it was read. */
async function change({ database }: Pick<Deps, "database">, row: CommentRow, set: Change): Promise<CommentRow | null> {
  const changed = await database.kysely
    .updateTable("host_comment")
    .set(set)
    .where("project_id", "=", row.project_id)
    .where("id", "=", row.id)
    .where("state", "=", row.state)
    .where("due_at", "=", row.due_at)
    .returningAll()
    .executeTakeFirst();
  return changed ?? null;
}

/** Records a completed step. The next step is due immediately. */
export async function recordDone(
  deps: Deps,
  row: CommentRow,
  set: Pick<Change, "state" | "answer_id" | "note">,
): Promise<void> {
  await change(deps, row, { ...set, tries: 0, due_at: deps.clock.now().getTime() });
}

/** Releases an interrupted comment to the next process, which finds what this one may have written. */
export async function releaseComment(deps: Deps, row: CommentRow): Promise<void> {
  await change(deps, row, { due_at: deps.clock.now().getTime() });
}

/** Schedules a retry, or gives up after the last attempt. `isAway`: the host is unavailable or denies access for now. */
export async function recordFailure(
  deps: Deps,
  row: CommentRow,
  { note, retryAfterSeconds, isAway }: { note: string; retryAfterSeconds: number | undefined; isAway: boolean },
): Promise<void> {
  const isOld = deps.clock.now().getTime() - row.created_at > MAX_AWAY_MS;
  if (row.tries >= MAX_TRIES && (isOld || !isAway)) {
    await change(deps, row, { state: row.state === "found" ? "ignored" : "answered", note });
    return;
  }
  const wait = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (row.tries - 1));
  const waitMs = Math.min(MAX_WAIT_MS, Math.max(wait, (retryAfterSeconds ?? 0) * 1_000));
  await change(deps, row, { due_at: deps.clock.now().getTime() + waitMs, note });
}
