import { type Kysely, sql } from "kysely";

// What old things are deleted by: see db/trusted-time.ts. `expires_before` and `marked_at`: what a project loses a week
// later. `index_from`: what the index of visitors was made from, so that a rebuild that was killed is made up for; `labels_from` of its labels.
// `digest`: of a log up to where it was imported.
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("trusted_time")
    .addColumn("id", "integer", (c) => c.primaryKey())
    .addColumn("trusted", "bigint", (c) => c.notNull())
    .addColumn("wall", "bigint", (c) => c.notNull())
    .addColumn("parted_at", "bigint")
    .addColumn("ran_ms", "bigint", (c) => c.notNull())
    .execute();
  await sql`alter table analytics_project add column index_from integer not null default 0`.execute(db);
  await sql`alter table analytics_project add column expires_before integer`.execute(db);
  await sql`alter table analytics_project add column marked_at bigint`.execute(db);
  await sql`alter table analytics_project add column labels_from integer not null default 0`.execute(db);
  await sql`update analytics_project set index_from = kept_from`.execute(db);
  await sql`alter table journal_position add column digest text`.execute(db);
}
