import type { Kysely } from "kysely";

// Deployments of each site, and the commit that a site is pinned to.
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("deployment")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("project_id", "text", (c) => c.notNull().references("project.id").onDelete("cascade"))
    .addColumn("number", "integer", (c) => c.notNull())
    .addColumn("commit_id", "text", (c) => c.notNull())
    .addColumn("branch", "text", (c) => c.notNull())
    .addColumn("subject", "text", (c) => c.notNull())
    .addColumn("author", "text", (c) => c.notNull())
    .addColumn("authored_at", "bigint", (c) => c.notNull())
    .addColumn("pushed_at", "bigint")
    .addColumn("noticed_at", "bigint", (c) => c.notNull())
    .addColumn("claimed_at", "bigint", (c) => c.notNull())
    .addColumn("live_at", "bigint")
    .addColumn("state", "text", (c) => c.notNull())
    .addColumn("trouble", "text")
    .addColumn("pages", "integer")
    .addColumn("errors", "integer")
    .addColumn("warnings", "integer")
    .addColumn("report", "text")
    .addColumn("reported_at", "bigint")
    .addUniqueConstraint("deployment_number", ["project_id", "number"])
    .execute();
  await db.schema.alterTable("project").addColumn("pinned_commit", "text").execute();
  await db.schema.alterTable("project").addColumn("pinned_at", "bigint").execute();
  await db.schema.alterTable("project").addColumn("pinned_by", "text").execute();
}
