import type { Kysely } from "kysely";

// What Docent creates at code hosts: a webhook, and links to previews.
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("connection").addColumn("webhook_tried", "text").execute();
  await db.schema
    .createTable("preview_post")
    .addColumn("project_id", "text", (c) => c.notNull().references("project.id").onDelete("cascade"))
    .addColumn("number", "integer", (c) => c.notNull())
    .addColumn("target", "text", (c) => c.notNull())
    .addColumn("tried_at", "bigint", (c) => c.notNull())
    .addColumn("is_posted", "integer", (c) => c.notNull())
    .addPrimaryKeyConstraint("preview_post_key", ["project_id", "number", "target"])
    .execute();
}
