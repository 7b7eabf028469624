import { type Kysely, sql } from "kysely";

/** When the transcript of an archived job was deleted because of its age. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("job").addColumn("transcript_deleted_at", "bigint").execute();
  // For a daily query over all jobs ever created.
  await sql`create index job_with_transcript on job (archived_at) where transcript_deleted_at is null`.execute(db);
}
