import type { Database } from "#db/database.ts";
import { findKeyName } from "./api-keys.ts";

/** Who did something, with the name that they had then. */
export interface Actor {
  kind: "person" | "key" | "operator";
  id: string;
  name: string;
}

/** A caller of the interface or somebody in a browser: a person, or who holds a key. */
export type Doer = { person: { id: string; name: string } } | { person?: null; keyId: string };

/** Who somebody is for the records. */
export async function actorOf(database: Pick<Database, "kysely">, doer: Doer): Promise<Actor> {
  if (doer.person) return { kind: "person", id: doer.person.id, name: doer.person.name };
  return { kind: "key", id: doer.keyId, name: (await findKeyName(database, doer.keyId)) ?? doer.keyId };
}
