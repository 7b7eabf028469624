import { createHash } from "node:crypto";
import { type Kysely, sql } from "kysely";

interface Row {
  owner: string;
  project_id: string | null;
  key: string;
  body_hash: string;
  outcome: string;
  created_at: number | string;
}

/** Callers put tokens into Idempotency-Keys. Only their equality matters, so the store has a hash instead. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Rows of the last two days. All are removed first: a key may be the hash of another one.
  const { rows } = await sql<Row>`select * from idempotency_key`.execute(db);
  await sql`delete from idempotency_key`.execute(db);
  for (const { owner, project_id: project, key, body_hash: body, outcome, created_at: at } of rows) {
    const hash = createHash("sha256").update(key).digest("hex");
    await sql`insert into idempotency_key (owner, project_id, key, body_hash, outcome, created_at)
      values (${owner}, ${project}, ${hash}, ${body}, ${outcome}, ${at})`.execute(db);
  }
}
