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
  connection.exec("pragma busy_timeout = 0");
  return { kysely: new Kysely<Tables>({ dialect: patientSqliteDialect(connection) }), connection };
}
