import type { Database } from "#db/database.ts";
import { findPerson, type Person, rolesOf } from "#features/accounts/people.ts";
import type { PersonId, ProjectId } from "#lib/ids.ts";
import { allowsScope, type KeyScope, type Level, LEVEL_OF_ROLE, type Role, roleFor } from "#kit/levels.ts";

/** The ID and project of an API key. */
export interface KeyHolder {
  /** Null: an instance key, for every project. */
  projectId: ProjectId | null;
  keyId: string;
}

export interface Principal extends KeyHolder {
  scope: KeyScope;
}

/** A person with their roles in projects. */
export interface PersonHolder {
  person: Person;
  roles: ReadonlyMap<ProjectId, Role>;
  /** The personal access token of the request, whose scope limits the roles; absent in a browser. */
  token?: { keyId: string; scope: KeyScope };
}

/** An authenticated caller: a program with a key, a browser session of a key, or a person. */
export type Holder = Principal | PersonHolder;

/** The level of a caller in a project; null without access. Owners of the instance are admins everywhere. */
export function levelIn(holder: Holder, projectId: ProjectId): Level | null {
  if (!("person" in holder)) {
    return holder.projectId === null || holder.projectId === projectId ? holder.scope : null;
  }
  const role = holder.person.isOwner ? "admin" : holder.roles.get(projectId);
  if (role === undefined) return null;
  const scope = holder.token?.scope ?? "admin";
  return allowsScope(scope, LEVEL_OF_ROLE[role]) ? LEVEL_OF_ROLE[role] : scope;
}

/**
 * Why a caller may not do what needs `needed`, after “This” or “A push”: a person's role is too low, or the scope of the
 * token or key.
 */
export function permissionRefusal(
  holder: Holder,
  { projectId, needed }: { projectId: ProjectId | null; needed: Level },
): string {
  const scope = "person" in holder ? (holder.token?.scope ?? "admin") : holder.scope;
  if ("person" in holder && allowsScope(scope, needed))
    return `needs the role ${roleFor(needed)} in this project; yours is ${(projectId && holder.roles.get(projectId)) ?? "none"}.`;
  return `needs a ${"person" in holder ? "token" : "key"} with the scope "${needed}"; this one has "${scope}".`;
}

/** The person of a caller; null for a key. */
export const personIn = (holder: Holder): Person | null => ("person" in holder ? holder.person : null);

/** Whether a caller can see a project at all. */
export const isOfProject = (holder: Holder, projectId: ProjectId): boolean => levelIn(holder, projectId) !== null;

/** Whether a caller can change what belongs to no project: an owner, or an instance key with all permissions. */
export const isInstanceAdmin = (holder: Holder): boolean =>
  "person" in holder
    ? holder.person.isOwner && (holder.token?.scope ?? "admin") === "admin"
    : holder.projectId === null && holder.scope === "admin";

/** A person with their current roles; null if the account was deleted. */
export async function personHolder(
  { kysely }: Pick<Database, "kysely">,
  id: PersonId,
  token?: PersonHolder["token"],
): Promise<PersonHolder | null> {
  const person = await findPerson(kysely, id);
  return person && { person, roles: await rolesOf(kysely, id), ...(token && { token }) };
}
