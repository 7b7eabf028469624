import { statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { Kysely } from "kysely";
import type { Tables } from "./schema.ts";
import { patientSqliteDialect } from "./sqlite-driver.ts";

const OPENING_TIMEOUT_MS = 10_000;

/**
 * Opens one SQLite file: WAL, synchronous FULL (a commit survives a power cut). Queries of `kysely` wait for other
 * writers without holding up the thread; statements of `connection` itself fail at once with SQLITE_BUSY.
 */
export function openSqlite(path: string): { kysely: Kysely<Tables>; connection: DatabaseSync } {
  const connection = new DatabaseSync(path, { timeout: OPENING_TIMEOUT_MS, enableForeignKeyConstraints: true });
  connection.exec("pragma journal_mode = wal; pragma synchronous = full; pragma temp_store = memory;");
  // What is deleted is written over where its page is written anyway: an ended visitor secret is gone from the file too.
  connection.exec("pragma secure_delete = fast; pragma busy_timeout = 0");
  return { kysely: new Kysely<Tables>({ dialect: patientSqliteDialect(connection, inPlace(path)) }), connection };
}

/** Whether the file is still the one that was opened: what is written to a removed one is gone with the process. */
function inPlace(path: string): () => boolean {
  if (path === ":memory:") return () => true;
  const { ino } = statSync(path);
  return () => statSync(path, { throwIfNoEntry: false })?.ino === ino;
}
