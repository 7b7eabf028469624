import { type Kysely, SqliteAdapter, sql } from "kysely";

// Search index of the sites; with SQLite it is in files next to the store. It can be rebuilt from the repositories.
export async function up(db: Kysely<unknown>): Promise<void> {
  if (db.getExecutor().adapter instanceof SqliteAdapter) return;
  await sql`
    create table search_page (
      project_id text not null references project (id) on delete cascade,
      route text not null,
      key text not null,
      includes text not null,
      primary key (project_id, route)
    )`.execute(db);
  await sql`
    create table search_section (
      id bigint generated always as identity primary key,
      project_id text not null,
      route text not null,
      anchor text,
      title text not null,
      heading text not null,
      body text not null,
      words tsvector not null,
      foreign key (project_id, route) references search_page (project_id, route) on delete cascade
    )`.execute(db);
  await sql`create index search_section_words on search_section using gin (words)`.execute(db);
  await sql`create index search_section_page on search_section (project_id, route)`.execute(db);
  await sql`
    create table search_lease (
      project_id text primary key references project (id) on delete cascade,
      holder text not null,
      until timestamptz not null
    )`.execute(db);
}
