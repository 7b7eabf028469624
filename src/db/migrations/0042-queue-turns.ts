import type { Kysely } from "kysely";

/** When each project last got a queue slot: the next slot goes to the project that has waited longest. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("queue_turn")
    .addColumn("project_id", "text", (c) => c.primaryKey().references("project.id").onDelete("cascade"))
    .addColumn("served_at", "bigint", (c) => c.notNull())
    .execute();
}
