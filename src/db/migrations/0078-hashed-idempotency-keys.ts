import { createHash } from "node:crypto";
import { type Kysely, sql } from "kysely";

interface Row {
  owner: string;
  key: string;
}

/** Callers put tokens into Idempotency-Keys. Only their equality matters, so the store has a hash instead. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Rows of the last two days.
  const { rows } = await sql<Row>`select owner, key from idempotency_key`.execute(db);
  for (const { owner, key } of rows) {
    const hash = createHash("sha256").update(key).digest("hex");
    await sql`update idempotency_key set key = ${hash} where owner = ${owner} and key = ${key}`.execute(db);
  }
}
