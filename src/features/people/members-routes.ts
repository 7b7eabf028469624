import { Hono } from "hono";
import { invite, listInvitations, withdraw } from "#features/accounts/invitations.ts";
import { findMember, listMembers, setRole } from "#features/accounts/members.ts";
import { findByEmail, readEmail } from "#features/accounts/people.ts";
import { sendInvitation, type SendInvitationDeps } from "./send-invitation.ts";
import { actorOf, noteDoer } from "#features/keys/actor.ts";
import type { Member as Opened, ProjectAccess } from "#features/keys/page-access.ts";
import type { Database } from "#db/database.ts";
import { noteSubject } from "#kit/http/context.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import { isRole } from "#kit/levels.ts";
import { limitedForm, sendPage } from "#kit/pages/send-page.ts";
import { isNewRole, type MembersPage, membersPage } from "./members-page.ts";

export interface MembersRoutesDeps extends SendInvitationDeps {
  database: Database;
  clock: Clock;
  access: ProjectAccess;
}

const MAX_FORM_BYTES = 4_096;
const MAX_SHOWN = 200;

/** `/{slug}/members`: roles in a project, for its admins. */
export function createMembersRoutes(deps: MembersRoutesDeps): Hono {
  const { access, database } = deps;
  const routes = new Hono();
  type Shown = Partial<Pick<MembersPage, "notice" | "invited" | "refused">>;

  const view = async ({ project, place, session }: Opened, search: string, shown: Shown = {}) => {
    const members = await listMembers(database.kysely, project.id, { search, limit: MAX_SHOWN + 1 });
    return membersPage({
      place,
      csrfToken: session.csrfToken,
      search,
      members: members.slice(0, MAX_SHOWN),
      hasMore: members.length > MAX_SHOWN,
      invitations: await listInvitations(deps, project.id),
      ownId: "person" in session ? session.person.id : null,
      notice: null,
      invited: null,
      refused: null,
      ...shown,
    });
  };

  routes.get("/:slug/members", async (c) => {
    const opened = await access.open(c, "admin");
    if (opened.answer) return opened.answer;
    return sendPage(c, await view(opened, (c.req.query("search") ?? "").slice(0, 200)));
  });

  routes.post("/:slug/members/:action{invite|role|withdraw}", limitedForm(MAX_FORM_BYTES), async (c) => {
    const page = `/${c.req.param("slug")}/members`;
    const opened = await access.openForm(c, { signInTo: page, needs: "admin" });
    if (opened.answer) return opened.answer;
    const { project, session, field } = opened;
    const projectId = project.id;
    const done = async (notice: string) => sendPage(c, await view(opened, "", { notice }));
    const [entered, role] = [field("email"), field("role")];
    try {
      switch (c.req.param("action")) {
        case "withdraw":
          noteSubject(c, await withdraw(database.kysely, projectId, field("id")));
          return await done("The invitation is withdrawn: its link opens nothing now.");
        case "role": {
          if (!isNewRole(role)) throw new AppError("invalid", "Choose a role from the list.");
          const member = await findMember(database.kysely, projectId, field("person"));
          await setRole(deps, { projectId, personId: member.id, role: role === "none" ? null : role });
          noteSubject(
            c,
            role === "none" ? `${member.name} was removed` : `${member.name} from ${member.role} to ${role}`,
          );
          // A person who changed their own role may no longer see the page.
          if ("person" in session && member.id === session.person.id) return c.redirect(page, 303);
          return await done(
            role === "none" ? `${member.name} is no longer a member.` : `${member.name} is ${role} now.`,
          );
        }
        default: {
          if (!isRole(role)) throw new AppError("invalid", "Choose a role from the list.");
          const email = readEmail(entered);
          noteSubject(c, `${email} as ${role}`);
          const found = await findByEmail(database.kysely, email);
          if (found !== null) {
            noteDoer(c, { doer: session, projectId, action: "members/add" });
            await setRole(deps, { projectId, personId: found.person.id, role });
            return await done(`${found.person.name} is ${role} now.`);
          }
          const by = await actorOf(database, session);
          const { invitation, token } = await invite(deps, { email, offer: { projectId, role }, invitedBy: by.name });
          const sent = await sendInvitation(deps, invitation, { token, projectName: project.name, by });
          const invited = { ...sent, openedAt: c.req.header("host") ?? new URL(c.req.url).host };
          return sendPage(c, await view(opened, "", { invited }), { status: 201, isSecret: true });
        }
      }
    } catch (error) {
      if (!(error instanceof AppError) || error.code === "internal") throw error;
      const refused = { email: entered, role, problem: error.message };
      return sendPage(c, await view(opened, "", { refused }), { status: 400 });
    }
  });
  return routes;
}
