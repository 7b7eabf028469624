import { type Kysely, sql } from "kysely";

// Calls since the last full hour keep counting for at most an hour, as if made in the last minute of that hour, so that
// limits are never too lax. For the columns see `src/kit/limits/rate-limit.ts`.
export async function up(db: Kysely<unknown>): Promise<void> {
  const limits = db.schema.alterTable("rate_limit");
  await limits.addColumn("minute", "bigint", (c) => c.notNull().defaultTo(0)).execute();
  await limits.addColumn("calls", "bigint", (c) => c.notNull().defaultTo(0)).execute();
  await limits.addColumn("calls_before", "text", (c) => c.notNull().defaultTo("")).execute();
  await sql`
    update rate_limit set
      minute = window_start / 60000 + 59,
      calls = 100000000000 + used,
      calls_before = ${sql.lit("100000000000".repeat(61))}
  `.execute(db);
  await limits.dropColumn("window_start").execute();
  await limits.dropColumn("used").execute();
}
