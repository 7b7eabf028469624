import { type Kysely, SqliteAdapter, sql } from "kysely";

/** Reference text of sections and of whole pages. Both columns are filled when the sites are reindexed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (db.getExecutor().adapter instanceof SqliteAdapter) return;
  await sql`
    alter table search_section
      add column reference text not null default '',
      add column is_reference boolean not null default false`.execute(db);
}
