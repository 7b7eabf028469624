import { sql } from "kysely";
import type { Database } from "#db/database.ts";

/** Columns with sealed values, their names in messages, and what to do about a lost one. Short-lived ones, such as mail, are left out. */
const SEALED = [
  [
    "webhook_endpoint",
    "secret",
    "webhook secret",
    "delete the webhook and create it again; its receiver needs the new secret",
  ],
  ["webhook_endpoint", "url", "webhook address", "delete the webhook and create it again"],
  ["connection", "sealed_token", "token of a code host", "docent projects token PROJECT --token-file FILE"],
  [
    "connection",
    "sealed_webhook_secret",
    "webhook secret of a code host",
    "docent projects token makes a new one, and docent projects webhook shows it",
  ],
  ["source", "sealed_token", "token of a source", "remove the source and add it again"],
  ["github_app", "sealed_private_key", "key of a GitHub App", "register the app again, or enter a new private key"],
  [
    "person_two_factor",
    "secret",
    "two-factor secret",
    "sign in with a recovery code and set the codes up again; or docent admin --turn-off-two-factor EMAIL",
  ],
  ["person", "chat_url", "chat address of a person", "each enters it again on Your account"],
  [
    "visitor_secret",
    "sealed",
    "visitor secret",
    "docent serve --adopt deletes it: readers from before count once more",
  ],
] as const;
/** Checked with `full` only: messages of jobs are most of a database. */
const IN_FULL = [
  ["job_step", "messages", "step of a job", "start a new job: this one accepts no follow-up"],
  ["job_message", "chores", "chores of a job", "start a new job"],
] as const;

/** A kind of secret that another key encrypted. */
export interface ForeignSecrets {
  what: string;
  count: number;
  /** What to do about it. */
  advice: string;
}

/** Counts the stored secrets that were sealed with another key, by kind. */
export async function foreignSecrets(
  { kysely }: Pick<Database, "kysely">,
  { keyId, full }: { keyId: string; full: boolean },
): Promise<ForeignSecrets[]> {
  const found: ForeignSecrets[] = [];
  const own = `v1.${keyId}.%`;
  for (const [table, column, what, advice] of full ? [...SEALED, ...IN_FULL] : SEALED) {
    const text = sql.ref(column);
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from ${sql.table(table)} where ${text} like 'v1.%' and ${text} not like ${own}`.execute(
      kysely,
    );
    found.push({ what, count: Number(rows[0]?.count ?? 0), advice });
  }
  const projects = await kysely.selectFrom("project").select("settings").execute();
  const keys = projects.flatMap(({ settings }) => {
    const { sealedKeys = {} } = JSON.parse(settings) as { sealedKeys?: Record<string, string> };
    return Object.values(sealedKeys);
  });
  const isForeign = (sealed: string) => sealed.startsWith("v1.") && !sealed.startsWith(`v1.${keyId}.`);
  found.push({
    what: "key of a model provider",
    count: keys.filter(isForeign).length,
    advice: "enter it again on the page Models of the project",
  });
  return found.filter(({ count }) => count > 0);
}
