import { randomBytes } from "node:crypto";
import type { Database } from "#db/database.ts";
import type { Clock } from "#lib/clock.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { AccessToken, AccessTokens, TokenSite } from "./access-tokens.ts";

/** Long enough for a slow connection, and short for someone who copies the address. */
const ENTRY_MS = 60_000;

/** A token that opens a private site once, for a key or person who is signed in to the dashboard. */
export const makeEntry = (tokens: AccessTokens, site: TokenSite, holderId: string): string =>
  tokens.make(site, {
    kind: "entry",
    lifetimeMs: ENTRY_MS,
    subject: `${holderId}-${randomBytes(9).toString("base64url")}`,
  });

/** The key or person of an entry: IDs have no hyphen. */
export const holderOfEntry = ({ subject }: AccessToken): string => subject.slice(0, subject.indexOf("-"));

/** Takes an entry; false if it was taken before, on any node. */
export async function spendEntry(
  { database, clock }: { database: Pick<Database, "kysely">; clock: Clock },
  projectId: ProjectId,
  { subject, expiresAt }: AccessToken,
): Promise<boolean> {
  const { kysely } = database;
  await kysely.deleteFrom("spent_entry").where("expires_at", "<", clock.now().getTime()).execute();
  const { numInsertedOrUpdatedRows } = await kysely
    .insertInto("spent_entry")
    .values({ name: subject, project_id: projectId, expires_at: expiresAt.getTime() })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}
