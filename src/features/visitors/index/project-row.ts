import { AppError } from "#lib/app-error.ts";
import { sql } from "kysely";
import type { Database, DatabaseTransaction } from "#db/database.ts";
import type { ProjectId } from "#lib/ids.ts";
import { RULES_VERSION } from "#features/visitors/clients/rules.ts";

/** First key of our advisory locks on PostgreSQL; the second is a project's number, or 0 for assigning numbers. */
const LOCK_CLASS = 0x0d0c;

function findRow(transaction: DatabaseTransaction, projectId: ProjectId) {
  return transaction.selectFrom("analytics_project").selectAll().where("project_id", "=", projectId).executeTakeFirst();
}

export type AnalyticsProject = NonNullable<Awaited<ReturnType<typeof findRow>>>;

/**
 * Locks a project's analytics row, creating it when missing: the caller is the only writer of its counts until the
 * transaction ends. On SQLite the transaction itself is that lock.
 */
export async function lockProject(
  database: Database,
  transaction: DatabaseTransaction,
  projectId: ProjectId,
): Promise<AnalyticsProject> {
  const known = (await findRow(transaction, projectId)) ?? (await register(database, transaction, projectId));
  await lockNumber(database, transaction, known.number);
  if (database.engine === "sqlite") return known;
  // A rebuild may have changed the row during the wait.
  return (await findRow(transaction, projectId)) ?? known;
}

async function register(database: Database, transaction: DatabaseTransaction, projectId: ProjectId) {
  const project = await transaction.selectFrom("project").select("id").where("id", "=", projectId).executeTakeFirst();
  if (!project) throw new AppError("not_found", "The project has been deleted.");
  const number = await takeNumber(database, transaction);
  await transaction
    .insertInto("analytics_project")
    .values({
      project_id: projectId,
      number,
      index_number: number,
      next_index: null,
      rules_version: RULES_VERSION,
      kept_from: 0,
      last_label: 0,
      label_version: 0,
      index_from: 0,
      labels_from: 0,
      expires_before: null,
      marked_at: null,
      judged_by: null,
    })
    .onConflict((conflict) => conflict.column("project_id").doNothing())
    .execute();
  const made = await findRow(transaction, projectId);
  if (!made) throw new Error("a project's row vanished while it was made");
  return made;
}

/** Assigns an unused number. */
export async function takeNumber(database: Database, transaction: DatabaseTransaction): Promise<number> {
  await lockNumber(database, transaction, 0);
  const { last } = await transaction
    .selectFrom("analytics_number")
    .select(({ fn }) => fn.max("number").as("last"))
    .executeTakeFirstOrThrow();
  const number = Number(last ?? 0) + 1;
  await transaction.insertInto("analytics_number").values({ number }).execute();
  return number;
}

async function lockNumber(database: Database, transaction: DatabaseTransaction, number: number): Promise<void> {
  if (database.engine === "postgres") {
    await sql`select pg_advisory_xact_lock(${LOCK_CLASS}, ${number})`.execute(transaction);
  }
}
