import { type OpenAPIHono, z } from "@hono/zod-openapi";
import { findMember, listMembersAfter, type ProjectMember, setRole } from "#features/accounts/members.ts";
import { EMAIL, findByEmail, readEmail } from "#features/accounts/people.ts";
import type { Database } from "#db/database.ts";
import { type HttpEnv, noteSubject } from "#kit/http/context.ts";
import { operation } from "#kit/http/operation.ts";
import { linkNextCursor, MAX_ROWS, NextCursor, PageQuery, wrongCursor } from "#kit/http/paging.ts";
import { createRouter } from "#kit/http/router.ts";
import { id, paramsOf, ProjectParams } from "#kit/http/schemas.ts";
import { ROLES } from "#kit/levels.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";

export interface PeopleApiDeps {
  database: Database;
  clock: Clock;
}

const tags = ["Members"];
const OWN = "/v2/project/{projectId}";
const PERSON_EXAMPLE = "usr_01m83zm717e389j4ffzvxajn4k";
export const memberRole = z
  .enum(ROLES)
  .openapi({ description: "Role of the person in the project.", example: "editor" });
export const memberEmail = z
  .string()
  .max(254)
  .regex(EMAIL, "must be an email address such as ada@example.com")
  .openapi({ description: "Email address of the person.", example: "ada@example.com" });

const MemberBody = z
  .object({
    id: id("the person", PERSON_EXAMPLE),
    name: z.string().openapi({ description: "Name of the person.", example: "Ada Writer" }),
    email: memberEmail,
    role: memberRole,
    isOwner: z
      .boolean()
      .openapi({ description: "Whether the person is an owner of the server, which grants more than any role." }),
  })
  .openapi("Member", { description: "A person with a role in a project." });
const listRoute = operation({
  method: "get",
  path: `${OWN}/members`,
  id: "listMembers",
  tags,
  summary: "List members",
  description: "Lists all people with a role in the project, in the order of their identifiers.",
  scope: "admin",
  params: ProjectParams,
  query: PageQuery,
  answer: [
    200,
    z
      .object({
        members: z.array(MemberBody).max(MAX_ROWS).openapi({ description: "Members of the project." }),
        nextCursor: NextCursor,
      })
      .openapi("Members"),
    "Members of the project.",
  ],
  headers: ["Link"],
});
const setRoute = operation({
  method: "put",
  path: `${OWN}/members`,
  id: "setMember",
  tags,
  summary: "Add a member or change their role",
  description:
    "Gives the person with this email address the role, whether or not the person had one before. The person must have an account. Otherwise the response is 409; use `PUT /v2/project/{projectId}/invitations`.",
  scope: "admin",
  params: ProjectParams,
  body: z.strictObject({ email: memberEmail, role: memberRole }).openapi("NewMember"),
  answer: [200, MemberBody, "The member."],
  errors: [409],
});
const removeRoute = operation({
  method: "delete",
  path: `${OWN}/members/{id}`,
  id: "removeMember",
  tags,
  summary: "Remove a member",
  description:
    "Removes the person's role in the project, from the person's next request on. The person's account is kept.",
  scope: "admin",
  params: paramsOf("the person", PERSON_EXAMPLE),
  answer: [204, "The person has no role in the project."],
});
/** Members of a project. The caller authenticates requests. */
export function peopleRoutes(deps: PeopleApiDeps): OpenAPIHono<HttpEnv> {
  const { kysely } = deps.database;
  const routes = createRouter();

  routes.openapi(listRoute, async (c) => {
    const { limit, cursor } = c.req.valid("query");
    if (cursor !== undefined && !/^usr_[0-9a-z]{26}$/.test(cursor)) throw wrongCursor();
    const { projectId } = c.get("principal");
    const found = await listMembersAfter(kysely, projectId, { after: cursor ?? null, limit: limit + 1 });
    const members = found.slice(0, limit).map(memberToJson);
    const nextCursor = found.length > limit ? members.at(-1)!.id : null;
    linkNextCursor(c, nextCursor);
    return c.json({ members, nextCursor }, 200);
  });

  routes.openapi(setRoute, async (c) => {
    const asked = c.req.valid("json");
    const { projectId } = c.get("principal");
    const found = await findByEmail(kysely, readEmail(asked.email));
    if (found === null) {
      throw new AppError(
        "conflict",
        "Nobody has an account with this address. Invite them: `PUT /v2/project/{projectId}/invitations`, or on the members page.",
      );
    }
    await setRole(deps, { projectId, personId: found.person.id, role: asked.role });
    noteSubject(c, `${found.person.name} is ${asked.role}`);
    return c.json(memberToJson(await findMember(kysely, projectId, found.person.id)), 200);
  });

  routes.openapi(removeRoute, async (c) => {
    const { projectId } = c.get("principal");
    const member = await findMember(kysely, projectId, c.req.valid("param").id);
    await setRole(deps, { projectId, personId: member.id, role: null });
    noteSubject(c, member.name);
    return c.body(null, 204);
  });
  return routes;
}

const memberToJson = ({ id: personId, name, email: address, role: has, isOwner }: ProjectMember) => ({
  id: personId,
  name,
  email: address,
  role: has,
  isOwner,
});
