import type { Kysely } from "kysely";

/** Who merged a pull request of the embedded host: the trailers of a commit do not say, because anyone can push one with any trailers. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("pull_request").addColumn("merged_by", "text").execute();
}
