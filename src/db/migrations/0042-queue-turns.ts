import type { Kysely } from "kysely";

/** When each project last got a place of the queue: the next place goes to whoever has waited longest since. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("queue_turn")
    .addColumn("project_id", "text", (c) => c.primaryKey().references("project.id").onDelete("cascade"))
    .addColumn("served_at", "bigint", (c) => c.notNull())
    .execute();
}
