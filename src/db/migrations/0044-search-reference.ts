import { type Kysely, SqliteAdapter, sql } from "kysely";

/** What is for reference, of a section and of a page as a whole. Both are filled as the sites are indexed again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (db.getExecutor().adapter instanceof SqliteAdapter) return;
  await sql`
    alter table search_section
      add column reference text not null default '',
      add column is_reference boolean not null default false`.execute(db);
}
