import { statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { Kysely, type LogEvent } from "kysely";
import type { Tables } from "./schema.ts";
import { patientSqliteDialect } from "./sqlite-driver.ts";

const OPENING_TIMEOUT_MS = 10_000;

/**
 * Opens one SQLite file: WAL, synchronous FULL (a commit survives a power failure). Queries of `kysely` wait for other
 * writers without blocking the thread; statements of `connection` itself fail at once with SQLITE_BUSY.
 */
export function openSqlite(
  path: string,
  log?: (event: LogEvent) => void,
): { kysely: Kysely<Tables>; connection: DatabaseSync } {
  const connection = new DatabaseSync(path, { timeout: OPENING_TIMEOUT_MS, enableForeignKeyConstraints: true });
  connection.exec("pragma journal_mode = wal; pragma synchronous = full; pragma temp_store = memory;");
  // Overwrites deleted rows on pages that are written anyway, so that a deleted visitor secret leaves the file too.
  connection.exec("pragma secure_delete = fast; pragma busy_timeout = 0");
  return {
    kysely: new Kysely<Tables>({ dialect: patientSqliteDialect(connection, inPlace(path)), ...(log && { log }) }),
    connection,
  };
}

/** Whether the path still has the opened file: writes to a removed file are lost when the process ends. */
function inPlace(path: string): () => boolean {
  if (path === ":memory:") return () => true;
  const { ino } = statSync(path);
  return () => statSync(path, { throwIfNoEntry: false })?.ino === ino;
}
