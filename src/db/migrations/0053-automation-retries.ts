import type { Kysely } from "kysely";

/** Retries of automation runs after an outage. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("automation_run")
    .addColumn("retries", "integer", (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema.alterTable("automation_run").addColumn("retried_at", "bigint").execute();
}
