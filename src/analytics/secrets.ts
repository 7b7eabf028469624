import { createSecretKey, type KeyObject, randomBytes } from "node:crypto";
import type { Queryable } from "#db/database.ts";
import type { ProjectId } from "#lib/ids.ts";
import { DAY_MS, dayOf } from "./day.ts";
import type { DayRange } from "./range.ts";

export interface VisitorSecret {
  epoch: number;
  secret: KeyObject;
}

/** A destroyed secret's row stays as the mark of where an epoch began. */
const DESTROYED = "";

/**
 * The secret of a project's current retention epoch. A new epoch begins `retentionDays` after the last did; the secret
 * before it is destroyed then, and nothing stored can be tied to an address any more.
 */
export async function currentSecret(
  queryable: Queryable,
  projectId: ProjectId,
  options: { now: number; retentionDays: number },
): Promise<VisitorSecret> {
  const latest = await latestSecret(queryable, projectId);
  if (latest && latest.secret !== DESTROYED && options.now < latest.created_at + options.retentionDays * DAY_MS) {
    return { epoch: latest.epoch, secret: createSecretKey(latest.secret, "base64") };
  }
  const epoch = (latest?.epoch ?? 0) + 1;
  await queryable
    .insertInto("visitor_secret")
    .values({ project_id: projectId, epoch, secret: randomBytes(32).toString("base64"), created_at: options.now })
    .onConflict((conflict) => conflict.columns(["project_id", "epoch"]).doNothing())
    .execute();
  const made = await latestSecret(queryable, projectId);
  if (!made) throw new Error("the visitor secret of a project vanished while it was made");
  await queryable
    .updateTable("visitor_secret")
    .set({ secret: DESTROYED })
    .where("project_id", "=", projectId)
    .where("epoch", "<", made.epoch)
    .execute();
  return { epoch: made.epoch, secret: createSecretKey(made.secret, "base64") };
}

function latestSecret(queryable: Queryable, projectId: ProjectId) {
  return queryable
    .selectFrom("visitor_secret")
    .selectAll()
    .where("project_id", "=", projectId)
    .orderBy("epoch", "desc")
    .limit(1)
    .executeTakeFirst();
}

/**
 * How many visitor secrets the views of a range were counted with. More than one means that a reader who came before
 * and after the change counts once for each: the numbers of the range are sums of its parts.
 */
export async function countEpochs(
  queryable: Queryable,
  { projectId, from, to }: { projectId: ProjectId } & DayRange,
): Promise<number> {
  const rows = await queryable
    .selectFrom("visitor_secret")
    .select("created_at")
    .where("project_id", "=", projectId)
    .where("epoch", ">", 1)
    .execute();
  const changes = rows.map((row) => dayOf(row.created_at));
  return 1 + changes.filter((day) => (from === null || day >= from) && (to === null || day < to)).length;
}
