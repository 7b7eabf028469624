import { type OpenAPIHono, z } from "@hono/zod-openapi";
import { type Invitation, listInvitations, withdraw } from "#features/accounts/invitations.ts";
import { findByEmail, readEmail } from "#features/accounts/people.ts";
import { type HttpEnv, noteSubject } from "#kit/http/context.ts";
import { operation } from "#kit/http/operation.ts";
import { createRouter } from "#kit/http/router.ts";
import { id, paramsOf, ProjectParams, timestamp } from "#kit/http/schemas.ts";
import { AppError } from "#lib/app-error.ts";
import type { ProjectId } from "#lib/ids.ts";
import { memberEmail, memberRole } from "./members-api.ts";
import { inviteByMail, type InvitingDeps } from "./send-invitation.ts";

export interface InvitationApiDeps extends InvitingDeps {
  findProject(id: ProjectId): Promise<{ name: string } | null>;
}

const tags = ["Members"];
const PATH = "/v2/project/{projectId}/invitations";
const INVITATION_EXAMPLE = "inv_01m83zm717e389j4ffzvxajn4k";

const InvitationBody = z
  .object({
    id: id("the invitation", INVITATION_EXAMPLE),
    email: memberEmail,
    role: memberRole,
    invitedBy: z.string().openapi({ description: "Name of the person or key that invited.", example: "Ada Writer" }),
    expiresAt: timestamp.openapi({ description: "Date and time when the invitation expires." }),
  })
  .openapi("Invitation", { description: "An open invitation, without its link." });

const listRoute = operation({
  method: "get",
  path: PATH,
  id: "listInvitations",
  tags,
  summary: "List invitations",
  description: "Lists the open invitations to the project, newest first.",
  scope: "admin",
  params: ProjectParams,
  answer: [
    200,
    z
      .object({ invitations: z.array(InvitationBody).max(1_000).openapi({ description: "Open invitations." }) })
      .openapi("Invitations"),
    "Open invitations.",
  ],
});
const inviteRoute = operation({
  method: "put",
  path: PATH,
  id: "inviteMember",
  tags,
  summary: "Invite a person",
  description:
    "Invites a person without an account to the project. The response contains the link, which works once, for a week and only for this address, and is not shown again. With a mail server, Docent also sends it. A further invitation of the same address replaces the first.",
  scope: "admin",
  params: ProjectParams,
  body: z.strictObject({ email: memberEmail, role: memberRole }).openapi("NewInvitation"),
  answer: [
    200,
    InvitationBody.extend({
      url: z.url().openapi({
        description: "The link to send.",
        example: "https://docs.example.com/-/join/Jx0mUbpS1v3fR8t2Zc5nQwYk7LhGdEaTiOoPsXyVzB4",
      }),
      isMailed: z.boolean().openapi({ description: "Whether Docent sends the link by mail." }),
    }).openapi("NewlyMadeInvitation"),
    "The invitation with its link.",
  ],
  errors: [409],
  headers: ["Cache-Control"],
});
const withdrawRoute = operation({
  method: "delete",
  path: `${PATH}/{id}`,
  id: "withdrawInvitation",
  tags,
  summary: "Withdraw an invitation",
  description: "Withdraws an open invitation. Its link no longer works.",
  scope: "admin",
  params: paramsOf("the invitation", INVITATION_EXAMPLE),
  answer: [204, "The invitation is withdrawn."],
});

/** Invitations to a project. The caller authenticates requests. */
export function invitationApiRoutes(deps: InvitationApiDeps): OpenAPIHono<HttpEnv> {
  const { kysely } = deps.database;
  const routes = createRouter();

  routes.openapi(listRoute, async (c) => {
    const found = await listInvitations(deps, c.get("principal").projectId);
    return c.json({ invitations: found.map(invitationToJson) }, 200);
  });

  routes.openapi(inviteRoute, async (c) => {
    const asked = c.req.valid("json");
    const { projectId } = c.get("principal");
    const project = await deps.findProject(projectId);
    const email = readEmail(asked.email);
    if ((await findByEmail(kysely, email)) !== null) {
      const message = "This address has an account. Give it the role: `PUT /v2/project/{projectId}/members`.";
      throw new AppError("conflict", message);
    }
    const offer = { projectId, role: asked.role };
    const invited = await inviteByMail(c, deps, { email, offer, projectName: project?.name ?? null });
    c.header("Cache-Control", "no-store");
    return c.json({ ...invitationToJson(invited), url: invited.url, isMailed: invited.isSent }, 200);
  });

  routes.openapi(withdrawRoute, async (c) => {
    const email = await withdraw(kysely, c.get("principal").projectId, c.req.valid("param").id);
    if (email === null) throw new AppError("not_found", "This invitation does not exist, was used, or has expired.");
    noteSubject(c, email);
    return c.body(null, 204);
  });
  return routes;
}

const invitationToJson = ({ id: invitationId, email, offer, invitedBy, expiresAt }: Invitation) => ({
  id: invitationId,
  email,
  role: offer.projectId === null ? ("viewer" as const) : offer.role,
  invitedBy,
  expiresAt: expiresAt.toISOString(),
});
