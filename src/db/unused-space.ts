import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { Database } from "./database.ts";
import type { Tables } from "./schema.ts";

const CHECKPOINT_TRIES = 50;
const CHECKPOINT_REST_MS = 100;

/**
 * Erases deleted rows from the database's files, where their bytes would otherwise stay in unused space. SQLite
 * rewrites the whole file, while other writers wait, and empties its log. PostgreSQL rewrites the named tables; its
 * write-ahead log follows its own configuration. Returns the result of `emptyLog`.
 */
export async function eraseUnusedSpace(
  database: Database,
  tables: readonly (keyof Tables)[] | "all",
): Promise<boolean> {
  const { engine, kysely } = database;
  if (engine === "sqlite") await sql`vacuum`.execute(kysely);
  else {
    const all = tables === "all" ? (await kysely.introspection.getTables()).map(({ name }) => name) : tables;
    for (const table of all) await sql`vacuum full ${sql.table(table)}`.execute(kysely);
  }
  return emptyLog(database);
}

/**
 * Empties SQLite's write-ahead log, which has copies of deleted rows. False if a reader uses it for more than some
 * seconds; the next checkpoint then empties it.
 */
export async function emptyLog({ engine, kysely }: Database): Promise<boolean> {
  if (engine === "postgres") return true;
  for (let tries = 0; tries < CHECKPOINT_TRIES; tries++) {
    const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(kysely);
    if (rows[0]?.busy === 0) return true;
    await sleep(CHECKPOINT_REST_MS);
  }
  return false;
}
