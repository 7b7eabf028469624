import { type RawBuilder, sql } from "kysely";
import type { Database } from "#db/database.ts";
import type { Clock } from "#lib/clock.ts";

/** The clock of leases and of the order of jobs, the same for all nodes: that of PostgreSQL, or of the one machine. */
export function databaseNow(database: Database, clock: Clock): RawBuilder<number> {
  return database.engine === "postgres"
    ? sql<number>`(extract(epoch from statement_timestamp()) * 1000)::bigint`
    : sql<number>`${sql.lit(clock.now().getTime())}`;
}
