import { type Kysely, sql } from "kysely";

// The time by which old data is deleted: see db/trusted-time.ts. `expires_before` and `marked_at`: data to delete a
// week later. `index_from`: first day of the data in the visitor index, so that an interrupted rebuild is repeated;
// `labels_from`: the same for labels. `digest`: of the imported part of a log.
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
