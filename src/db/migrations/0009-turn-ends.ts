import type { Kysely } from "kysely";

// A turn's usage, so that its budget survives restarts, and why it ended before the agent was done; a project's usage
// per day; whether to publish the work of a cancelled job.
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("job_turn").addColumn("ended_early", "text").execute();
  for (const column of ["weighted_tokens", "output_tokens", "cost_micro_usd"]) {
    await db.schema
      .alterTable("job_turn")
      .addColumn(column, "bigint", (c) => c.notNull().defaultTo(0))
      .execute();
  }
  await db.schema
    .alterTable("job")
    .addColumn("cancel_keeps_work", "integer", (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createTable("project_spending")
    .addColumn("project_id", "text", (c) => c.notNull().references("project.id").onDelete("cascade"))
    .addColumn("day", "text", (c) => c.notNull())
    .addColumn("weighted_tokens", "bigint", (c) => c.notNull())
    .addColumn("output_tokens", "bigint", (c) => c.notNull())
    .addColumn("cost_micro_usd", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("project_spending_pk", ["project_id", "day"])
    .execute();
}
