import type { Context } from "hono";
import type { Actor } from "#features/accounts/audit.ts";
import type { Database } from "#db/database.ts";
import type { ProjectId } from "#lib/ids.ts";
import { findKeyName } from "./api-keys.ts";

/** A caller of the interface or somebody in a browser: a person, who holds a key, or who runs the server. */
export type Doer = { person: { id: string; name: string } } | { person?: null; keyId: string } | { operator: true };

/** Who somebody is for the records. */
export async function actorOf(database: Pick<Database, "kysely">, doer: Doer): Promise<Actor> {
  if ("operator" in doer) return { kind: "operator", id: "operator", name: "operator" };
  if (doer.person) return { kind: "person", id: doer.person.id, name: doer.person.name };
  return { kind: "key", id: doer.keyId, name: (await findKeyName(database, doer.keyId)) ?? doer.keyId };
}

/** Who is at work, and in which project, for the audit log. */
export interface AtWork {
  doer: Doer;
  projectId: ProjectId | null;
  /** A name for what is done; without one the operation's, or the path's. */
  action?: string;
  /** Set to false for a request that changes something by GET, as the way back from an identity provider. */
  isRead?: boolean;
}

const AT_WORK = "atWork";

/** Notes who was let in, so that what the request changes is recorded under their name. */
export const noteDoer = (c: Context, atWork: AtWork): void => c.set(AT_WORK, atWork);

/** Who was let in; null for somebody unknown. */
export const doerOf = (c: Context): AtWork | null => (c.get(AT_WORK) as AtWork | undefined) ?? null;
