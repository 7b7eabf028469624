import { randomBytes } from "node:crypto";
import type { Database } from "#db/database.ts";
import type { Clock } from "#lib/clock.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { AccessToken, AccessTokens, TokenSite } from "./access-tokens.ts";

/** Long enough for a slow connection, and short for someone who copies the address. */
const ENTRY_MS = 60_000;

/**
 * A token that opens a private site once, for a key or person who is signed in to the dashboard. `session` is the mark of
 * their session there: what they enter the site with ends when it does.
 */
export const makeEntry = (
  tokens: AccessTokens,
  site: TokenSite,
  { holderId, session }: { holderId: string; session: string },
): string =>
  tokens.make(site, {
    kind: "entry",
    lifetimeMs: ENTRY_MS,
    subject: `${holderId}-${session}-${randomBytes(9).toString("base64url")}`,
  });

/** The subject of a member's cookie, from their entry: the key or person with the session. Neither has a hyphen. */
export const memberOfEntry = ({ subject }: AccessToken): string => subject.split("-", 2).join("-");

/** The key or person and the session of a member's cookie. Cookies of Docent 0.2 have no session. */
export function readMember(member: string): { holderId: string; session: string | null } {
  const [holderId = "", session = null] = member.split("-");
  return { holderId, session };
}

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
