import type { Kysely } from "kysely";

/**
 * Who merged a pull request of the embedded host: the trailers of a commit do not say, because anyone can push one with
 * any trailers. Comments are edited by their authors alone.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("pull_request").addColumn("merged_by", "text").execute();
  await db.schema.alterTable("pull_request_comment").dropColumn("edited_by").execute();
}
