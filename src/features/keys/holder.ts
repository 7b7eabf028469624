import type { Database } from "#db/database.ts";
import { findPerson, type Person, rolesOf } from "#features/accounts/people.ts";
import type { PersonId, ProjectId } from "#lib/ids.ts";
import { allowsScope, type KeyScope, type Level, LEVEL_OF_ROLE, type Role } from "#kit/levels.ts";

/** Whose key it is, and which. */
export interface KeyHolder {
  /** Null: the instance's, for every project. */
  projectId: ProjectId | null;
  keyId: string;
}

export interface Principal extends KeyHolder {
  scope: KeyScope;
}

/** A person with the roles that they have in projects. */
export interface PersonHolder {
  person: Person;
  roles: ReadonlyMap<ProjectId, Role>;
  /** The personal access token that they came with, whose scope is a further limit; absent in a browser. */
  token?: { keyId: string; scope: KeyScope };
}

/** Who asks: a program with a key, a browser that a key signed in, or a person. */
export type Holder = Principal | PersonHolder;

/** What somebody may do in a project; null when they are nobody there. An owner of the instance is an admin everywhere. */
export function levelIn(holder: Holder, projectId: ProjectId): Level | null {
  if (!("person" in holder)) {
    return holder.projectId === null || holder.projectId === projectId ? holder.scope : null;
  }
  const role = holder.person.isOwner ? "admin" : holder.roles.get(projectId);
  if (role === undefined) return null;
  const scope = holder.token?.scope ?? "admin";
  return allowsScope(scope, LEVEL_OF_ROLE[role]) ? LEVEL_OF_ROLE[role] : scope;
}

/** The person who asks; null for who holds a key. */
export const personIn = (holder: Holder): Person | null => ("person" in holder ? holder.person : null);

/** Whether somebody may see a project at all. */
export const isOfProject = (holder: Holder, projectId: ProjectId): boolean => levelIn(holder, projectId) !== null;

/** Whether somebody may change what belongs to no project: an owner, or a key of the instance that may do everything. */
export const isInstanceAdmin = (holder: Holder): boolean =>
  "person" in holder
    ? holder.person.isOwner && (holder.token?.scope ?? "admin") === "admin"
    : holder.projectId === null && holder.scope === "admin";

/** A person with their roles as they are now; null when the account is gone. */
export async function personHolder(
  { kysely }: Pick<Database, "kysely">,
  id: PersonId,
  token?: PersonHolder["token"],
): Promise<PersonHolder | null> {
  const person = await findPerson(kysely, id);
  return person && { person, roles: await rolesOf(kysely, id), ...(token && { token }) };
}
