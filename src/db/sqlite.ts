import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { Kysely, SqliteDialect } from "kysely";
import type { Tables } from "./schema.ts";

const MAX_CACHED_STATEMENTS = 500;

interface PreparedStatement {
  reader: boolean;
  all(parameters: readonly unknown[]): unknown[];
  run(parameters: readonly unknown[]): ReturnType<StatementSync["run"]>;
  iterate(parameters: readonly unknown[]): ReturnType<StatementSync["iterate"]>;
}

/** Kysely speaks better-sqlite3; this gives it `node:sqlite` in that shape. */
function betterSqlite3Shape(connection: DatabaseSync) {
  const cache = new Map<string, PreparedStatement>();
  return {
    close: () => connection.close(),
    prepare(text: string): PreparedStatement {
      const known = cache.get(text);
      if (known) return known;
      // A deferred transaction that reads and then writes gets SQLITE_BUSY at once, whatever the time-out.
      const statement = connection.prepare(text === "begin" ? "begin immediate" : text);
      const made = {
        reader: statement.columns().length > 0,
        all: (parameters: readonly unknown[]) => statement.all(...parameters.map(bindable)),
        run: (parameters: readonly unknown[]) => statement.run(...parameters.map(bindable)),
        iterate: (parameters: readonly unknown[]) => statement.iterate(...parameters.map(bindable)),
      };
      if (cache.size >= MAX_CACHED_STATEMENTS) cache.clear();
      cache.set(text, made);
      return made;
    },
  };
}

/** `node:sqlite` stores NULL for a Date without a word; refuse it loudly instead. */
function bindable(value: unknown): SQLInputValue {
  if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "bigint")
    return value;
  if (value instanceof Uint8Array) return value;
  throw new TypeError(`A value of type ${Object.prototype.toString.call(value)} cannot be stored.`);
}

/** Opens one SQLite file: WAL, synchronous FULL (a commit survives a power cut), 10 s busy time-out. */
export function openSqlite(path: string): { kysely: Kysely<Tables>; connection: DatabaseSync } {
  const connection = new DatabaseSync(path, { timeout: 10_000, enableForeignKeyConstraints: true });
  connection.exec("pragma journal_mode = wal; pragma synchronous = full; pragma temp_store = memory;");
  const kysely = new Kysely<Tables>({ dialect: new SqliteDialect({ database: betterSqlite3Shape(connection) }) });
  return { kysely, connection };
}
