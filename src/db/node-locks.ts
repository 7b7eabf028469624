import { type Kysely, type RawBuilder, sql } from "kysely";
import type pg from "pg";
import type { Tables } from "./schema.ts";

/**
 * Each process on PostgreSQL holds an advisory lock on its node ID while it is connected, so that other nodes notice within
 * seconds that it was killed: the kernel closes its connections, and PostgreSQL releases the lock. A machine that loses its
 * power or network keeps the lock until PostgreSQL gives up the connection; there, leases expire first.
 *
 * The two keys of the lock are this class and PostgreSQL's hash of the ID. If the IDs of two nodes ever had the same hash, a
 * dead one would count as connected, and its leases would expire.
 */
const NODE_LOCK_CLASS = 0x0d0e;

/** Holds the lock of a node on this connection until it ends. Shared, so that a reconnecting process need not wait. */
export async function holdNodeLock(client: Pick<pg.Client, "query">, nodeId: string): Promise<void> {
  await client.query("select pg_advisory_lock_shared($1, hashtext($2))", [NODE_LOCK_CLASS, nodeId]);
}

/** Every process that runs jobs also holds this lock. */
export const WORKERS = "workers";

/** The processes that hold the lock of `nodeId`. */
const holdersOf = (nodeId: RawBuilder<unknown>) => sql`
  from pg_locks
  where locktype = 'advisory' and objsubid = 2 and classid = ${sql.lit(NODE_LOCK_CLASS)}
    and objid = (hashtext(${nodeId})::bigint & 4294967295)
    and database = (select oid from pg_database where datname = current_database())`;

/** A condition on PostgreSQL: no process holds the lock of the node ID in `column`. */
export const isDisconnected = (column: string) => sql<boolean>`not exists (select ${holdersOf(sql.ref(column))})`;

/**
 * The number of processes that run jobs. On PostgreSQL, those of versions before there were roles are not counted; on
 * SQLite, one process does everything.
 */
export async function countWorkers({ engine, kysely }: { engine: string; kysely: Kysely<Tables> }): Promise<number> {
  if (engine === "sqlite") return 1;
  const { rows } = await sql<{ count: number }>`select count(*) as count ${holdersOf(sql.lit(WORKERS))}`.execute(
    kysely,
  );
  return Number(rows[0]?.count);
}

/** A condition: the ID in `column` is that of a node. Workers of earlier versions have other IDs, and hold no lock. */
export const isNodeId = (column: string) => sql<boolean>`${sql.ref(column)} like 'node\\_%'`;
