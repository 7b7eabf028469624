import type { Selectable } from "kysely";
import type { Database } from "#db/database.ts";
import type { Tables } from "#db/schema.ts";
import type { Clock } from "#lib/clock.ts";

export type CommentRow = Selectable<Tables["host_comment"]>;

interface Deps {
  database: Database;
  clock: Clock;
}

const FIRST_WAIT_MS = 5_000;
const MAX_WAIT_MS = 3_600_000;
/** Some eight hours. */
const MAX_TRIES = 16;

/**
 * Comments that there is something to do for now, one of a project: new ones, refused ones without an answer, and
 * accepted ones that nobody has been told of or whose message is handled. Each is taken for this process.
 */
export async function takeComments(
  { database, clock }: Deps,
  { limit, leaseMs, isBusy }: { limit: number; leaseMs: number; isBusy(projectId: string): boolean },
): Promise<CommentRow[]> {
  const now = clock.now().getTime();
  const due = await database.kysely
    .selectFrom("host_comment")
    .leftJoin("job", "job.id", "host_comment.job_id")
    .selectAll("host_comment")
    .where("host_comment.due_at", "<=", now)
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
    )
    .orderBy("host_comment.due_at")
    .limit(200)
    .execute();
  const taken = new Map<string, CommentRow>();
  for (const row of due) {
    if (taken.size >= limit) break;
    if (isBusy(row.project_id) || taken.has(row.project_id)) continue;
    const held = await change({ database }, row, { due_at: now + leaseMs, tries: row.tries + 1 });
    if (held) taken.set(row.project_id, held);
  }
  return [...taken.values()];
}

type Change = Partial<Pick<CommentRow, "state" | "tries" | "due_at" | "job_id" | "message_seq" | "answer_id" | "note">>;

/** Null when another process has changed it since it was read. */
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

/** Something of it is done: what is next is due at once. */
export async function recordDone(
  deps: Deps,
  row: CommentRow,
  set: Pick<Change, "state" | "answer_id" | "note">,
): Promise<void> {
  await change(deps, row, { ...set, tries: 0, due_at: deps.clock.now().getTime() });
}

/** It was cut off: the next process has it, and finds what this one may have done. */
export async function releaseComment(deps: Deps, row: CommentRow): Promise<void> {
  await change(deps, row, { due_at: deps.clock.now().getTime() });
}

/** It could not be done now: later, or never when it was tried for long. */
export async function recordFailure(
  deps: Deps,
  row: CommentRow,
  { note, retryAfterSeconds }: { note: string; retryAfterSeconds: number | undefined },
): Promise<void> {
  if (row.tries >= MAX_TRIES) {
    await change(deps, row, { state: row.state === "found" ? "ignored" : "answered", note });
    return;
  }
  const wait = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (row.tries - 1));
  const waitMs = Math.max(wait, (retryAfterSeconds ?? 0) * 1_000);
  await change(deps, row, { due_at: deps.clock.now().getTime() + waitMs, note });
}
