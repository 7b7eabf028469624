import { type Kysely, sql } from "kysely";
import type { Tables } from "./schema.ts";

/** A table that a database has while a copy of another one is written into it, with the id of the instance that is copied. */
export const UNFINISHED_COPY = "unfinished_copy";

export const beginCopy = (kysely: Kysely<Tables>, instance: string): Promise<void> =>
  kysely.transaction().execute(async (transaction) => {
    await sql`create table ${sql.table(UNFINISHED_COPY)} (instance text not null)`.execute(transaction);
    await sql`insert into ${sql.table(UNFINISHED_COPY)} (instance) values (${instance})`.execute(transaction);
  });

/** The instance whose copy a database will be. */
export async function readBegunCopy(kysely: Kysely<Tables>): Promise<string | undefined> {
  const { rows } = await sql<{ instance: string }>`select instance from ${sql.table(UNFINISHED_COPY)}`.execute(kysely);
  return rows[0]?.instance;
}

/** From now on servers start on the database. */
export async function endCopy(kysely: Kysely<Tables>): Promise<void> {
  await sql`drop table ${sql.table(UNFINISHED_COPY)}`.execute(kysely);
}
