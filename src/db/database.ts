import { mkdirSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import path from "node:path";
import { type Kysely, Kysely as KyselyClass, PostgresDialect, type Transaction } from "kysely";
import type pg from "pg";
import { createLastingTrouble } from "#lib/lasting-trouble.ts";
import type { Logger } from "#lib/logger.ts";
import type { Secret } from "#lib/secrets/secret.ts";
import { migrate } from "./migrations.ts";
import type { Tables } from "./schema.ts";
import { openSqlite } from "./sqlite.ts";
import { isBusy, REMOVED } from "./sqlite-driver.ts";
import { createPostgresWakeUp, createSqliteWakeUp, type WakeUp } from "./wake-up.ts";

export type Engine = "sqlite" | "postgres";
/** What a query runs on: the database itself or a transaction of it. */
export type Queryable = Kysely<Tables>;
export type DatabaseTransaction = Transaction<Tables>;

/** The store of one process. One schema, two engines; the few differences are asked of `engine`. */
export interface Database extends AsyncDisposable {
  readonly engine: Engine;
  readonly kysely: Kysely<Tables>;
  readonly wakeUp: WakeUp;
  /**
   * SQLite's own connection, null on PostgreSQL. For statements by the hundred thousand inside a `transaction` of
   * this object (it is the same connection): Kysely costs several times the statement there.
   */
  readonly sqlite: DatabaseSync | null;
  /**
   * Runs `work` in one transaction and repeats it when the engine asks for that (serialisation failure, deadlock,
   * busy), so `work` has no effect but on the database, and awaits nothing but queries: on SQLite the one
   * connection is held meanwhile.
   */
  transaction<T>(work: (transaction: DatabaseTransaction) => Promise<T>): Promise<T>;
}

/** The store as one of its transactions sees it, for functions that take a store: what they do is done with it, or not at all. */
export const insideTransaction = (database: Database, transaction: DatabaseTransaction): Database => ({
  ...database,
  kysely: transaction,
  transaction: (work) => work(transaction),
});

export type DatabaseLocation = { engine: "sqlite"; path: string } | { engine: "postgres"; url: Secret };

/** Opens the store and, with `migrate`, brings its schema up to date first. */
export async function openDatabase(options: {
  location: DatabaseLocation;
  logger: Logger;
  migrate: boolean;
}): Promise<Database> {
  const database =
    options.location.engine === "sqlite"
      ? openSqliteDatabase(options.location.path)
      : await openPostgresDatabase(options.location.url.reveal(), options.logger);
  try {
    if (options.migrate) await migrate(database.kysely, database.engine);
    return database;
  } catch (error) {
    await database[Symbol.asyncDispose]();
    throw error;
  }
}

function openSqliteDatabase(file: string): Database {
  if (file !== ":memory:") mkdirSync(path.dirname(file), { recursive: true });
  const { kysely, connection } = openSqlite(file);
  const wakeUp = createSqliteWakeUp(connection);
  return {
    engine: "sqlite",
    kysely,
    sqlite: connection,
    wakeUp,
    transaction: (work) => repeating(() => kysely.transaction().execute(work)),
    async [Symbol.asyncDispose]() {
      await wakeUp.close();
      await kysely.destroy();
    },
  };
}

// Counts and instants fit a double; the driver's own choice for bigint is text.
const countsAsNumbers = ({ types }: typeof pg): pg.CustomTypesConfig => ({
  getTypeParser(oid: number, format?: "text" | "binary"): unknown {
    return oid === types.builtins.INT8 ? Number : types.getTypeParser(oid, format);
  },
});

const MAX_POOL_CONNECTIONS = 10;

async function openPostgresDatabase(url: string, logger: Logger): Promise<Database> {
  const { default: driver } = await import("pg"); // servers on SQLite start without it
  const pool = new driver.Pool({
    connectionString: url,
    max: MAX_POOL_CONNECTIONS,
    application_name: "docent",
    connectionTimeoutMillis: 10_000,
    types: countsAsNumbers(driver),
  });
  const trouble = createLastingTrouble(logger, "idle database connection lost");
  pool.on("error", trouble.failed);
  // The pool (pg-pool 3) hears of idle ones alone; of one in use the next statement tells. Unheard, it ends the process.
  pool.on("connect", (client) => {
    client.on("error", () => undefined);
    trouble.worked();
  });
  const kysely = new KyselyClass<Tables>({ dialect: new PostgresDialect({ pool }) });
  const wakeUp = createPostgresWakeUp({ url, pool, logger, Client: driver.Client });
  return {
    engine: "postgres",
    kysely,
    sqlite: null,
    wakeUp,
    transaction: (work) => repeating(() => kysely.transaction().execute(work)),
    async [Symbol.asyncDispose]() {
      await wakeUp.close();
      await kysely.destroy();
    },
  };
}

// Of PostgreSQL: connection lost (class 08), too many of them (53300), shutting down and starting (57P01-57P03).
const GONE = /^(?:08...|53300|57P0[123]|ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH)$/;
// pg 8.23 gives these no code.
const GONE_IN_WORDS = /^(?:Connection terminated|timeout exceeded when trying to connect)/;

// Of SQLite: read-only, input or output failed, full, cannot be opened. Of PostgreSQL: disk full, only reads are taken.
const UNWRITABLE_SQLITE = new Set([8, 10, 13, 14]);
const UNWRITABLE = new Set(["53100", "25006"]);

/** Whether a failure says that nothing can be written just now, as on a full disk; reading may work. */
export function isUnwritable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, errcode } = error as Error & { code?: string; errcode?: number };
  return (
    (code !== undefined && UNWRITABLE.has(code)) || (errcode !== undefined && UNWRITABLE_SQLITE.has(errcode & 0xff))
  );
}

// SQLITE_FULL, and SQLITE_IOERR_SHMSIZE of the file beside a write-ahead log; disk_full of PostgreSQL.
const FULL_SQLITE = new Set([13, 4874]);
const FULL = "53100";

/** Whether a failure says that the database's disk is full. */
export function isStoreFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, errcode } = error as Error & { code?: string; errcode?: number };
  return code === FULL || (errcode !== undefined && FULL_SQLITE.has(errcode));
}

/** Whether a failure says that the store cannot be had just now, rather than that a query was wrong. */
export function isOutOfReach(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as Error & { code?: string };
  if (isBusy(error) || isUnwritable(error) || code === REMOVED) return true;
  return (code !== undefined && GONE.test(code)) || GONE_IN_WORDS.test(error.message);
}

const MAX_TRIES = 8;
const REPEATABLE = new Set(["40001", "40P01"]); // of PostgreSQL: serialisation failure, deadlock

async function repeating<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (tries >= MAX_TRIES || !isRepeatable(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 5 * 2 ** tries * Math.random()));
    }
  }
}

function isRepeatable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as Error & { code?: string };
  return (code !== undefined && REPEATABLE.has(code)) || isBusy(error);
}
