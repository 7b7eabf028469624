import { sql } from "kysely";
import type { Database } from "#db/database.ts";

/** Columns with sealed values, and their names in messages. Short-lived ones, such as sealed mail, are left out. */
const SEALED = [
  ["webhook_endpoint", "secret", "webhook secret"],
  ["webhook_endpoint", "url", "webhook address"],
  ["connection", "sealed_token", "token of a code host"],
  ["connection", "sealed_webhook_secret", "webhook secret of a code host"],
  ["source", "sealed_token", "token of a source"],
  ["github_app", "sealed_private_key", "key of a GitHub App"],
  ["person_two_factor", "secret", "two-factor secret"],
  ["person", "chat_url", "chat address of a person"],
  ["visitor_secret", "sealed", "visitor secret"],
] as const;
/** Checked with `full` only: messages of jobs are most of a database. */
const IN_FULL = [
  ["job_step", "messages", "step of a job"],
  ["job_message", "chores", "chores of a job"],
] as const;

/** Counts the stored secrets that were sealed with another key, by kind. */
export async function foreignSecrets(
  { kysely }: Pick<Database, "kysely">,
  { keyId, full }: { keyId: string; full: boolean },
): Promise<{ what: string; count: number }[]> {
  const found: { what: string; count: number }[] = [];
  const own = `v1.${keyId}.%`;
  for (const [table, column, what] of full ? [...SEALED, ...IN_FULL] : SEALED) {
    const text = sql.ref(column);
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from ${sql.table(table)} where ${text} like 'v1.%' and ${text} not like ${own}`.execute(
      kysely,
    );
    found.push({ what, count: Number(rows[0]?.count ?? 0) });
  }
  const projects = await kysely.selectFrom("project").select("settings").execute();
  const keys = projects.flatMap(({ settings }) => {
    const { sealedKeys = {} } = JSON.parse(settings) as { sealedKeys?: Record<string, string> };
    return Object.values(sealedKeys);
  });
  const isForeign = (sealed: string) => sealed.startsWith("v1.") && !sealed.startsWith(`v1.${keyId}.`);
  found.push({ what: "key of a model provider", count: keys.filter(isForeign).length });
  return found.filter(({ count }) => count > 0);
}
