import type { Kysely } from "kysely";

// Dry runs, and the changes that they would have published.
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("job")
    .addColumn("dry_run", "integer", (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema.alterTable("job").addColumn("plan", "text").execute();
}
