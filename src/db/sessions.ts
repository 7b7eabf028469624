import { sql } from "kysely";
import type pg from "pg";

/**
 * Each process on PostgreSQL holds an advisory lock on its session ID as long as it is connected, so that other nodes
 * notice within seconds that it was killed: the kernel closes its connections, and PostgreSQL releases the lock. A machine
 * that loses its power or its network keeps its lock until PostgreSQL gives the connection up; there, leases expire first.
 *
 * The lock's two keys are this class and PostgreSQL's hash of the ID. Ours end in a random part, so two of a few nodes with
 * one hash are as good as impossible; the dead one would count as connected, and its leases expire.
 */
const SESSION_CLASS = 0x0d0e;

/** Holds the lock of a session on this connection until it ends. Shared, so that a reconnecting process need not wait. */
export async function holdSession(client: Pick<pg.Client, "query">, session: string): Promise<void> {
  await client.query("select pg_advisory_lock_shared($1, hashtext($2))", [SESSION_CLASS, session]);
}

/** A condition on PostgreSQL: no process is connected with the session ID in `column`. */
export const isDisconnected = (column: string) => sql<boolean>`not exists (
  select from pg_locks
  where locktype = 'advisory' and objsubid = 2 and classid = ${sql.lit(SESSION_CLASS)}
    and objid = (hashtext(${sql.ref(column)})::bigint & 4294967295)
    and database = (select oid from pg_database where datname = current_database()))`;

/** Whether an ID was given by this version: sessions of earlier versions hold no lock. */
export const isSessionId = (column: string) => sql<boolean>`${sql.ref(column)} like 'node\\_%'`;
