import type { Context } from "hono";
import type { Actor } from "#features/accounts/audit.ts";
import type { Database } from "#db/database.ts";
import type { ProjectId } from "#lib/ids.ts";
import { findKeyName } from "./api-keys.ts";

/** An authenticated caller: a person, a key, or the operator of the server. */
export type Doer = { person: { id: string; name: string } } | { person?: null; keyId: string } | { operator: true };

/** Resolves the name of a caller for the audit log. */
export async function actorOf(database: Pick<Database, "kysely">, doer: Doer): Promise<Actor> {
  if ("operator" in doer) return { kind: "operator", id: "operator", name: "operator" };
  if (doer.person) return { kind: "person", id: doer.person.id, name: doer.person.name };
  return { kind: "key", id: doer.keyId, name: (await findKeyName(database, doer.keyId)) ?? doer.keyId };
}

/** Who asked for work: a person, or an API key, which has no address. */
export interface Asker {
  name: string;
  email: string | null;
}

/** The caller as the one who asks for work; null for the operator. */
export async function askerOf(
  database: Pick<Database, "kysely">,
  caller: { person?: (Asker & { id: string }) | null; keyId?: string },
): Promise<Asker | null> {
  if (caller.person) return { name: caller.person.name, email: caller.person.email };
  const name = caller.keyId === undefined ? null : await findKeyName(database, caller.keyId);
  return name === null ? null : { name: `API key “${name}”`, email: null };
}

/** The caller and project of a request, for the audit log. */
export interface AtWork {
  doer: Doer;
  projectId: ProjectId | null;
  /** Name of the action; by default that of the operation or path. */
  action?: string;
  /** Set to false for a GET request that changes something, such as the redirect from an identity provider. */
  isRead?: boolean;
}

const AT_WORK = "atWork";

/** Records the authenticated caller, to whom the audit log attributes changes of the request. */
export const noteDoer = (c: Context, atWork: AtWork): void => c.set(AT_WORK, atWork);

/** The authenticated caller; null if there is none. */
export const doerOf = (c: Context): AtWork | null => (c.get(AT_WORK) as AtWork | undefined) ?? null;
