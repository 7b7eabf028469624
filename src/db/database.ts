import { mkdirSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import path from "node:path";
import { type Kysely, Kysely as KyselyClass, type LogEvent, PostgresDialect, type Transaction } from "kysely";
import type pg from "pg";
import { newId } from "#lib/ids.ts";
import { createLastingTrouble } from "#lib/lasting-trouble.ts";
import type { Logger } from "#lib/logger.ts";
import type { Secret } from "#lib/secrets/secret.ts";
import { migrate } from "./migrations.ts";
import type { Tables } from "./schema.ts";
import { openSqlite } from "./sqlite.ts";
import { isBusy, REMOVED } from "./sqlite-driver.ts";
import { createPostgresWakeUp, createSqliteWakeUp, type WakeUp } from "./wake-up.ts";

export type Engine = "sqlite" | "postgres";
/** The database itself or one of its transactions. */
export type Queryable = Kysely<Tables>;
export type DatabaseTransaction = Transaction<Tables>;

/** The store of one process. One schema for two engines; code checks `engine` for the few differences. */
export interface Database extends AsyncDisposable {
  readonly engine: Engine;
  readonly kysely: Kysely<Tables>;
  readonly wakeUp: WakeUp;
  /** The ID of this process, on which it holds a lock while it is connected; see `node-locks.ts`. Null on SQLite. */
  readonly nodeId: string | null;
  /**
   * Whether a query of this process failed on damaged data. With SQLite until the process ends, as a file does not heal;
   * with PostgreSQL for ten minutes, as an index can be rebuilt beside us.
   */
  sawDamage(): boolean;
  /**
   * SQLite's own connection, null on PostgreSQL. For hundreds of thousands of statements inside a `transaction` of this
   * object (it is the same connection), where Kysely's overhead is several times the cost of the statement.
   */
  readonly sqlite: DatabaseSync | null;
  /**
   * Runs `work` in one transaction and retries it on a serialization failure, deadlock or busy error. `work` must have
   * no side effects outside the database, and await only queries, because it holds SQLite's only connection.
   */
  transaction<T>(work: (transaction: DatabaseTransaction) => Promise<T>): Promise<T>;
}

/** The store bound to one of its transactions, so that functions that take a store run inside it. */
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
  /** Whether this process runs jobs, which others can see; see `countWorkers`. */
  isWorker?: boolean;
}): Promise<Database> {
  const database =
    options.location.engine === "sqlite"
      ? openSqliteDatabase(options.location.path)
      : await openPostgresDatabase(options.location.url.reveal(), options);
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
  const damage = watchDamage();
  const { kysely, connection } = openSqlite(file, damage.log);
  const wakeUp = createSqliteWakeUp(connection);
  return {
    engine: "sqlite",
    kysely,
    sqlite: connection,
    wakeUp,
    nodeId: null,
    sawDamage: () => damage.ageMs() < Number.POSITIVE_INFINITY,
    transaction: (work) => damage.during(withRetries(() => kysely.transaction().execute(work))),
    async [Symbol.asyncDispose]() {
      await wakeUp.close();
      await kysely.destroy();
    },
  };
}

// Counts and instants fit a double; by default the driver returns bigint as text.
const countsAsNumbers = ({ types }: typeof pg): pg.CustomTypesConfig => ({
  getTypeParser(oid: number, format?: "text" | "binary"): unknown {
    return oid === types.builtins.INT8 ? Number : types.getTypeParser(oid, format);
  },
});

const MAX_POOL_CONNECTIONS = 10;
/** What PostgreSQL knows the connections of servers and commands by. */
export const APPLICATION_NAME = "docent";

async function openPostgresDatabase(
  url: string,
  { logger, isWorker = false }: { logger: Logger; isWorker?: boolean },
): Promise<Database> {
  const { default: driver } = await import("pg"); // servers on SQLite start without it
  const pool = new driver.Pool({
    connectionString: url,
    max: MAX_POOL_CONNECTIONS,
    application_name: APPLICATION_NAME,
    connectionTimeoutMillis: 10_000,
    types: countsAsNumbers(driver),
  });
  const trouble = createLastingTrouble(logger, "idle database connection lost");
  pool.on("error", trouble.failed);
  // The pool (pg-pool 3) only handles errors of idle connections. An error of one in use makes its next statement fail,
  // but its event would end the process without a listener.
  pool.on("connect", (client) => {
    client.on("error", () => undefined);
    trouble.worked();
  });
  const damage = watchDamage();
  const kysely = new KyselyClass<Tables>({ dialect: new PostgresDialect({ pool }), log: damage.log });
  const nodeId = newId("node");
  const wakeUp = createPostgresWakeUp({ url, pool, logger, Client: driver.Client, nodeId, isWorker });
  return {
    engine: "postgres",
    kysely,
    sqlite: null,
    wakeUp,
    nodeId,
    sawDamage: () => damage.ageMs() < DAMAGE_KNOWN_MS,
    transaction: (work) => damage.during(withRetries(() => kysely.transaction().execute(work))),
    async [Symbol.asyncDispose]() {
      await wakeUp.close();
      await kysely.destroy();
    },
  };
}

// PostgreSQL: connection lost (class 08), too many connections (53300), shutting down or starting (57P01-57P03).
const GONE = /^(?:08...|53300|57P0[123]|ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH)$/;
// pg 8.23 sets no code on these.
const GONE_IN_WORDS =
  /^(?:Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect)/;

// SQLite: read-only, I/O error, full, cannot open. PostgreSQL: disk full, read-only transaction.
const UNWRITABLE_SQLITE = new Set([8, 10, 13, 14]);
const UNWRITABLE = new Set(["53100", "25006"]);

/** Whether an error means that writes fail at the moment, as on a full disk; reads may work. */
export function isUnwritable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, errcode } = error as Error & { code?: string; errcode?: number };
  return (
    (code !== undefined && UNWRITABLE.has(code)) || (errcode !== undefined && UNWRITABLE_SQLITE.has(errcode & 0xff))
  );
}

// SQLITE_FULL, and SQLITE_IOERR_SHMSIZE of the shared-memory file of a write-ahead log; PostgreSQL's disk_full.
const FULL_SQLITE = new Set([13, 4874]);
const FULL = "53100";

/** Whether an error means that the database's disk is full. */
export function isStoreFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, errcode } = error as Error & { code?: string; errcode?: number };
  return code === FULL || (errcode !== undefined && FULL_SQLITE.has(errcode));
}

// SQLITE_CORRUPT and SQLITE_NOTADB; PostgreSQL's data_corrupted and index_corrupted.
const DAMAGED_SQLITE = new Set([11, 26]);

/** Whether an error means that data on the database's disk is damaged, whatever was written or read. */
export function isStoreDamaged(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, errcode } = error as Error & { code?: string; errcode?: number };
  return /^XX00[12]$/.test(code ?? "") || (errcode !== undefined && DAMAGED_SQLITE.has(errcode & 0xff));
}

const DAMAGE_KNOWN_MS = 10 * 60_000;

/** Remembers when a query last failed on damaged data. Kysely's log has every query, but no begin and commit. */
function watchDamage() {
  let at = Number.NEGATIVE_INFINITY;
  const look = (error: unknown) => {
    if (isStoreDamaged(error)) at = performance.now();
  };
  return {
    log(event: LogEvent) {
      if (event.level === "error") look(event.error);
    },
    async during<T>(transaction: Promise<T>): Promise<T> {
      try {
        return await transaction;
      } catch (error) {
        look(error);
        throw error;
      }
    },
    ageMs: () => performance.now() - at,
  };
}

/** Whether an error means that the store is unavailable at the moment, rather than that a query is wrong. */
export function isOutOfReach(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as Error & { code?: string };
  if (isBusy(error) || isUnwritable(error) || code === REMOVED) return true;
  return (code !== undefined && GONE.test(code)) || GONE_IN_WORDS.test(error.message);
}

const MAX_TRIES = 8;
const RETRYABLE = new Set(["40001", "40P01"]); // PostgreSQL: serialization failure, deadlock

async function withRetries<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (tries >= MAX_TRIES || !isRetryable(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 5 * 2 ** tries * Math.random()));
    }
  }
}

function isRetryable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as Error & { code?: string };
  return (code !== undefined && RETRYABLE.has(code)) || isBusy(error);
}
