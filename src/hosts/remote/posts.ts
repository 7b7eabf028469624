import type { Clock } from "#lib/clock.ts";
import type { Database } from "#db/database.ts";
import type { ProjectId } from "#lib/ids.ts";

interface Deps {
  database: Database;
  clock: Clock;
}

/** A post of Docent at a host's pull request. `target`: the commit whose preview it is, or a name below. */
export interface Post {
  projectId: ProjectId;
  number: number;
  target: string;
}

/** For posts that are not tied to a commit. */
export const COMMENT = "comment";
const REPORT = "report ";
/** For the report of a commit. */
export const reportTarget = (commit: string) => `${REPORT}${commit}`;

/** An attempt that was interrupted is repeated after this. */
const TRY_MS = 120_000;

/** False when it was posted, or another process is posting it. */
export async function takePost({ database, clock }: Deps, { projectId, number, target }: Post): Promise<boolean> {
  const now = clock.now().getTime();
  const made = await database.kysely
    .insertInto("preview_post")
    .values({ project_id: projectId, number, target, tried_at: now, is_posted: 0 })
    .onConflict((conflict) => conflict.columns(["project_id", "number", "target"]).doNothing())
    .returning("number")
    .executeTakeFirst();
  if (made) return true;
  const again = await rowOf({ database }, { projectId, number, target })
    .set({ tried_at: now })
    .where("is_posted", "=", 0)
    // Or the clock was once ahead.
    .where((is) => is.or([is("tried_at", "<=", now - TRY_MS), is("tried_at", ">", now + TRY_MS)]))
    .returning("number")
    .executeTakeFirst();
  return again !== undefined;
}

const rowOf = ({ database }: Pick<Deps, "database">, { projectId, number, target }: Post) =>
  database.kysely
    .updateTable("preview_post")
    .where("project_id", "=", projectId)
    .where("number", "=", number)
    .where("target", "=", target);

/** Posts of the same kind at older commits are not needed any more. */
export async function recordPosted(deps: Deps, one: Post): Promise<void> {
  await rowOf(deps, one).set({ is_posted: 1 }).execute();
  if (one.target === COMMENT) return;
  await deps.database.kysely
    .deleteFrom("preview_post")
    .where("project_id", "=", one.projectId)
    .where("number", "=", one.number)
    .where("target", "not in", [one.target, COMMENT])
    .where("target", one.target.startsWith(REPORT) ? "like" : "not like", `${REPORT}%`)
    .execute();
}

/** Makes the next look try again. */
export async function giveBack({ database }: Pick<Deps, "database">, { projectId, number, target }: Post) {
  await database.kysely
    .deleteFrom("preview_post")
    .where("project_id", "=", projectId)
    .where("number", "=", number)
    .where("target", "=", target)
    .where("is_posted", "=", 0)
    .execute();
}
