import type { Hono } from "hono";
import { listInvitations, withdraw } from "#features/accounts/invitations.ts";
import { findMember, listMembers, setRole } from "#features/accounts/members.ts";
import { findByEmail, readEmail } from "#features/accounts/people.ts";
import { noteDoer } from "#features/keys/actor.ts";
import type { Member, ProjectAccess } from "#features/keys/page-access.ts";
import { noteSubject } from "#kit/http/context.ts";
import { AppError } from "#lib/app-error.ts";
import { isRole, type Role } from "#kit/levels.ts";
import { formPages } from "#kit/pages/form-pages.ts";
import { membersPage } from "./members-page.ts";
import { inviteByMail, type InvitingDeps, type NewInvitation } from "./send-invitation.ts";

export interface MembersRoutesDeps extends InvitingDeps {
  access: ProjectAccess;
}

const MAX_SHOWN = 200;

/** `/{slug}/members`: roles in a project, for its admins. */
export function createMembersRoutes(deps: MembersRoutesDeps): Hono {
  const { access, database } = deps;
  return formPages<Member, NewInvitation>({
    access,
    pages: { members: "admin" },
    actions: {
      "members/invite": {
        needs: "admin",
        async run({ project, session, field }, c) {
          const [role, email] = [readRole(field("role")), readEmail(field("email"))];
          const projectId = project.id;
          const found = await findByEmail(database.kysely, email);
          if (found === null) {
            const offer = { projectId, role };
            return { made: await inviteByMail(c, deps, { email, offer, projectName: project.name }) };
          }
          noteSubject(c, `${email} as ${role}`);
          noteDoer(c, { doer: session, projectId, action: "members/add" });
          await setRole(deps, { projectId, personId: found.person.id, role });
          return { notice: `${found.person.name} is ${role} now.` };
        },
      },
      "members/role": {
        needs: "admin",
        async run({ project, place, session, field }, c) {
          const role = field("role") === "none" ? null : readRole(field("role"));
          const { id, name, role: former } = await findMember(database.kysely, project.id, field("person"));
          await setRole(deps, { projectId: project.id, personId: id, role });
          noteSubject(c, role === null ? `${name} was removed` : `${name} from ${former} to ${role}`);
          // A person who changed their own role may no longer see the page.
          if ("person" in session && id === session.person.id) return { to: `/${place.slug}/members` };
          return { notice: role === null ? `${name} is no longer a member.` : `${name} is ${role} now.` };
        },
      },
      "members/withdraw": {
        needs: "admin",
        notice: "The invitation is withdrawn: its link opens nothing now.",
        async run({ project, field }, c) {
          noteSubject(c, await withdraw(database.kysely, project.id, field("id")));
          return null;
        },
      },
    },
    async show({ project, place, session }, { notice, refused, made }, c) {
      const search = (c.req.query("search") ?? "").slice(0, 200);
      const members = await listMembers(database.kysely, project.id, { search, limit: MAX_SHOWN + 1 });
      return membersPage({
        place,
        csrfToken: session.csrfToken,
        search,
        members: members.slice(0, MAX_SHOWN),
        hasMore: members.length > MAX_SHOWN,
        invitations: await listInvitations(deps, project.id),
        ownId: "person" in session ? session.person.id : null,
        notice,
        invited: made,
        refused,
      });
    },
  });
}

function readRole(text: string): Role {
  if (isRole(text)) return text;
  throw new AppError("invalid", "Choose a role from the list.");
}
