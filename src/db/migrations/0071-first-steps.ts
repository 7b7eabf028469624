import { type Kysely, sql } from "kysely";

/** When the first steps of a project were dismissed on its overview. Projects that had a job before need them no more. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("project").addColumn("steps_dismissed_at", "bigint").execute();
  await sql`update project set steps_dismissed_at = created_at where id in (select project_id from job)`.execute(db);
}
