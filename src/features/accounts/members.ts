import { containing } from "#db/containing.ts";
import type { Database, Queryable } from "#db/database.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import type { PersonId, ProjectId } from "#lib/ids.ts";
import type { Role } from "#kit/levels.ts";
import type { Person } from "./people.ts";

export interface ProjectMember extends Person {
  role: Role;
}

type MemberRow = Omit<ProjectMember, "isOwner"> & { is_owner: number };
const fromRow = ({ is_owner, ...row }: MemberRow): ProjectMember => ({ ...row, isOwner: is_owner === 1 });

const memberRows = (queryable: Queryable, projectId: ProjectId) =>
  queryable
    .selectFrom("project_member")
    .innerJoin("person", "person.id", "project_member.person_id")
    .select(["person.id", "person.name", "person.email", "person.is_owner", "project_member.role"])
    .where("project_member.project_id", "=", projectId);

/** Members of a project by name; `search` matches a part of the name or address. */
export async function listMembers(
  queryable: Queryable,
  projectId: ProjectId,
  { search = "", limit }: { search?: string; limit: number },
): Promise<ProjectMember[]> {
  const rows = await memberRows(queryable, projectId)
    .$if(search !== "", (query) =>
      query.where((row) => row.or([containing("person.name", search), containing("person.email", search)])),
    )
    .orderBy("person.name")
    .orderBy("person.id")
    .limit(limit)
    .execute();
  return rows.map(fromRow);
}

/** Members of a project by ID, after a given one. */
export async function listMembersAfter(
  queryable: Queryable,
  projectId: ProjectId,
  { after, limit }: { after: string | null; limit: number },
): Promise<ProjectMember[]> {
  const rows = await memberRows(queryable, projectId)
    .$if(after !== null, (query) => query.where("person.id", ">", after as PersonId))
    .orderBy("person.id")
    .limit(limit)
    .execute();
  return rows.map(fromRow);
}

/** Sets a person's role in a project, or removes it with null. */
export async function setRole(
  { database, clock }: { database: Pick<Database, "kysely">; clock: Clock },
  { projectId, personId, role }: { projectId: ProjectId; personId: PersonId; role: Role | null },
): Promise<void> {
  if (role === null) {
    await database.kysely
      .deleteFrom("project_member")
      .where("project_id", "=", projectId)
      .where("person_id", "=", personId)
      .execute();
    return;
  }
  await database.kysely
    .insertInto("project_member")
    .values({ project_id: projectId, person_id: personId, role, created_at: clock.now().getTime() })
    .onConflict((conflict) => conflict.columns(["project_id", "person_id"]).doUpdateSet({ role, by_group: 0 }))
    .execute();
}

/** A member by ID. `AppError not_found`. */
export async function findMember(queryable: Queryable, projectId: ProjectId, personId: string): Promise<ProjectMember> {
  const row = await memberRows(queryable, projectId)
    .where("person.id", "=", personId as PersonId)
    .executeTakeFirstOrThrow(() => new AppError("not_found", "This person is no longer a member of the project."));
  return fromRow(row);
}
