import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import { createLruCache } from "#lib/lru-cache.ts";

/** How long a statement waits for another connection's write before it fails with SQLITE_BUSY. */
const BUSY_TIMEOUT_MS = 10_000;
/** Waits between attempts, the last one repeated; shorter than `YIELD_MS`, so that no gap is missed. */
const RETRY_MS = [1, 2, 4] as const;
/** After a write this long, a connection yields to others before it writes again: SQLite does not queue writers. */
const LONG_WRITE_MS = 10;
const YIELD_MS = 6;
const MAX_CACHED_STATEMENTS = 500;

/**
 * Kysely over one `node:sqlite` connection whose own busy timeout is 0. SQLite's timeout puts the thread to sleep while
 * another connection writes: the page-serving thread once slept 1.2 s behind batches of views. This driver waits with a
 * timer, so that the connection's other queries continue.
 */
export function patientSqliteDialect(database: DatabaseSync, isInPlace: () => boolean): Dialect {
  return {
    createDriver: () => createPatientDriver(database, isInPlace),
    createAdapter: () => new SharedConnectionAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (kysely) => new SqliteIntrospector(kysely),
  };
}

/** Whether another connection's write blocked a statement: SQLITE_BUSY and its extended codes. */
export function isBusy(error: unknown): boolean {
  const { errcode } = error as { errcode?: number };
  return errcode !== undefined && (errcode & 0xff) === 5;
}

/** Error code if the file was removed or replaced. The check takes 2 µs per statement and prevents lost writes. */
export const REMOVED = "SQLITE_REMOVED";
export const fileRemoved = () =>
  Object.assign(new Error("the database file was removed or replaced"), { code: REMOVED });

/** Kysely's own lock would be held while a statement waits; the driver's lock is not. */
class SharedConnectionAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/** What Kysely sees as a connection: a user of the shared one. */
interface ConnectionUser extends DatabaseConnection {
  /** Its open transaction: the turn on the connection and the start time. */
  begun: { endTurn(): void; at: number } | null;
}

function createPatientDriver(database: DatabaseSync, isInPlace: () => boolean): Driver {
  const prepare = statementCache(database);
  const requireFile = () => {
    if (!isInPlace()) throw fileRemoved();
  };
  let lastTurn: Promise<void> = Promise.resolve();
  let mayBeginAt = 0;

  const takeTurn = async (): Promise<() => void> => {
    const before = lastTurn;
    const own = Promise.withResolvers<void>();
    lastTurn = own.promise;
    await before;
    return own.resolve;
  };

  const run = <R>({ sql, parameters }: CompiledQuery): QueryResult<R> => {
    const { statement, isReader } = prepare(sql);
    const values = parameters.map(bindable);
    if (isReader) return { rows: statement.all(...values) as R[] };
    return { numAffectedRows: BigInt(statement.run(...values).changes), rows: [] };
  };

  const runInTurn = async <R>(query: CompiledQuery): Promise<QueryResult<R>> => {
    const endTurn = await takeTurn();
    try {
      requireFile();
      return run<R>(query);
    } finally {
      endTurn();
    }
  };

  /** Checks after taking the turn, because another of our transactions may have written for long meanwhile. */
  const takeRestedTurn = async (): Promise<() => void> => {
    for (;;) {
      const endTurn = await takeTurn();
      const restMs = mayBeginAt - performance.now();
      if (restMs <= 0) return endTurn;
      endTurn();
      await sleep(restMs);
    }
  };

  const begin = async (): Promise<NonNullable<ConnectionUser["begun"]>> => {
    const endTurn = await takeRestedTurn();
    try {
      requireFile();
      // Immediate, because a transaction that reads before it writes fails at once, even with a busy timeout.
      database.exec("begin immediate");
      return { endTurn, at: performance.now() };
    } catch (error) {
      endTurn();
      throw error;
    }
  };

  return {
    async init() {},
    async acquireConnection(): Promise<ConnectionUser> {
      const user: ConnectionUser = {
        begun: null,
        executeQuery: async (query) => (user.begun === null ? patiently(() => runInTurn(query)) : run(query)),
        streamQuery() {
          throw new Error("Read rows in pages: a stream would hold SQLite's only connection.");
        },
      };
      return user;
    },
    async beginTransaction(connection) {
      (connection as ConnectionUser).begun = await patiently(begin);
    },
    async commitTransaction() {
      database.exec("commit");
    },
    async rollbackTransaction() {
      if (database.isTransaction) database.exec("rollback"); // some errors have already rolled back
    },
    async releaseConnection(connection) {
      const user = connection as ConnectionUser;
      if (user.begun === null) return;
      const now = performance.now();
      if (now - user.begun.at >= LONG_WRITE_MS) mayBeginAt = now + YIELD_MS;
      user.begun.endTurn();
      user.begun = null;
    },
    async destroy() {
      database.close();
    },
  };
}

/**
 * Retries an attempt that another connection's write blocked. A later attempt may finish first, so statements that must
 * keep an order are awaited or run in a transaction.
 */
async function patiently<T>(attempt: () => Promise<T>): Promise<T> {
  let until = Number.POSITIVE_INFINITY; // waiting for a turn of our own connection does not count
  for (let tries = 0; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!isBusy(error) || performance.now() >= until) throw error;
      if (tries === 0) until = performance.now() + BUSY_TIMEOUT_MS;
      await sleep(RETRY_MS[Math.min(tries, RETRY_MS.length - 1)]);
    }
  }
}

function statementCache(database: DatabaseSync) {
  const known = createLruCache<string, { statement: StatementSync; isReader: boolean }>({
    maxWeight: MAX_CACHED_STATEMENTS,
  });
  return (text: string) => {
    let found = known.get(text);
    if (found === undefined) {
      const statement = database.prepare(text);
      found = { statement, isReader: statement.columns().length > 0 };
      known.set(text, found);
    }
    return found;
  };
}

/** Throws for a Date and other values that `node:sqlite` silently stores as NULL. */
function bindable(value: unknown): SQLInputValue {
  if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "bigint")
    return value;
  if (value instanceof Uint8Array) return value;
  throw new TypeError(`A value of type ${Object.prototype.toString.call(value)} cannot be stored.`);
}
