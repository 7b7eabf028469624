import type { Kysely } from "kysely";

/** Who opened a pull request of the embedded host: the author of its newest commit then, whom a list of 50 cannot look up in git. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("pull_request").addColumn("proposed_by", "text").execute();
}
