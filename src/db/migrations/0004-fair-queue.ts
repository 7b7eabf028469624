import { type Kysely, sql } from "kysely";

// A worker first finds the projects with waiting jobs, then the oldest job of one of them.
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index job_runnable`.execute(db);
  await sql`create index job_waiting on job (project_id, run_after, id) where status = 'active' and done_seq < msg_seq`.execute(
    db,
  );
  await sql`create index job_leased on job (project_id) where lease_until is not null`.execute(db);
}
