import { beginningWith } from "#db/containing.ts";
import type { Database } from "#db/database.ts";
import type { Clock } from "#lib/clock.ts";
import type { PersonId, ProjectId } from "#lib/ids.ts";
import { isHolderAlive } from "./api-keys.ts";
import type { Session } from "./sessions.ts";

const MARK_LENGTH = 16;

/** Names a session in the tokens and cookies of private sites, without revealing its cookie. */
export const sessionMark = ({ hash }: Pick<Session, "hash">): string => hash.slice(0, MARK_LENGTH);

/**
 * Whether a key or person is still signed in with the session of a mark, and may see the project. Therefore what they
 * entered private sites with ends with a sign-out, with a new password and with the button that ends sessions.
 */
export async function isMemberSignedIn(
  deps: { database: Database; clock: Clock },
  { holderId, session }: { holderId: string; session: string | null },
  seen: { projectId: ProjectId; from: string },
): Promise<boolean> {
  if (session?.length !== MARK_LENGTH) return false;
  const row = await deps.database.kysely
    .selectFrom("session")
    .select("hash")
    .where((or) => or.or([or("person_id", "=", holderId as PersonId), or("key_id", "=", holderId)]))
    .where(beginningWith("hash", session))
    .where("expires_at", ">", deps.clock.now().getTime())
    .executeTakeFirst();
  return row !== undefined && (await isHolderAlive(deps, holderId, seen));
}
