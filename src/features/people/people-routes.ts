import { type Context, Hono } from "hono";
import { listInvitations, withdraw } from "#features/accounts/invitations.ts";
import { deletePerson, findByEmail, findPerson, listPeople, readEmail, rolesOf, resetPassword, setOwner } from "#features/accounts/people.ts"; // oxfmt-ignore
import { delayedMail } from "#features/mail/mail-queue.ts";
import { findTwoFactor, turnOffTwoFactor } from "#features/accounts/two-factor.ts";
import { inviteByMail, type InvitingDeps } from "./send-invitation.ts";
import type { InstanceReader, PersonAccess } from "#features/keys/person-access.ts";
import { noteSubject } from "#kit/http/context.ts";
import { AppError } from "#lib/app-error.ts";
import type { PersonId, ProjectId } from "#lib/ids.ts";
import { sendNotFound } from "#kit/pages/problem-page.ts";
import { limitedForm, sendPage } from "#kit/pages/send-page.ts";
import { type PeoplePage, peoplePage, personPage } from "./people-page.ts";

export interface PeopleRoutesDeps extends InvitingDeps {
  personAccess: PersonAccess;
  findProjectById(id: ProjectId): Promise<{ slug: string; name: string } | null>;
}

const MAX_FORM_BYTES = 4_096;
const MAX_SHOWN = 200;
const PERSON = ":id{usr_[0-9a-z]{26}}";

/** `/-/people`: accounts and invitations of the instance, for its owners. */
export function createPeopleRoutes(deps: PeopleRoutesDeps): Hono {
  const { personAccess, database } = deps;
  const routes = new Hono();
  type Shown = Partial<Pick<PeoplePage, "notice" | "invited" | "refused">>;

  const view = async (c: Context, { session, instance }: InstanceReader, shown: Shown = {}) => {
    const search = (c.req.query("search") ?? "").slice(0, 200);
    const people = await listPeople(database.kysely, { search, limit: MAX_SHOWN + 1 });
    return peoplePage({
      instance: instance("people"),
      csrfToken: session.csrfToken,
      search,
      people: people.slice(0, MAX_SHOWN),
      hasMore: people.length > MAX_SHOWN,
      invitations: await listInvitations(deps, null),
      ownId: "person" in session ? session.person.id : null,
      notice: c.req.query("done") === "deleted" ? "The account is deleted." : null,
      invited: null,
      refused: null,
      delayedMail: await delayedMail(database, deps.clock.now()),
      ...shown,
    });
  };
  const viewPerson = async (c: Context, { session, instance }: InstanceReader, problem: string | null) => {
    const person = await findPerson(database.kysely, c.req.param("id") as PersonId);
    if (!person) return null;
    const roles = [];
    for (const [projectId, role] of await rolesOf(database.kysely, person.id)) {
      const project = await deps.findProjectById(projectId);
      if (project) roles.push({ slug: project.slug, name: project.name, role });
    }
    const isOwn = "person" in session && session.person.id === person.id;
    const hasTwoFactor = (await findTwoFactor(database.kysely, person.id)) !== null;
    const page = { instance: instance("people"), csrfToken: session.csrfToken, person, isOwn, hasTwoFactor };
    return personPage({ ...page, roles, problem });
  };

  routes.get("/-/people", async (c) => {
    const opened = await personAccess.openOwner(c);
    if (opened.answer) return opened.answer;
    return sendPage(c, await view(c, opened));
  });

  routes.post("/-/people/:action{invite|withdraw}", limitedForm(MAX_FORM_BYTES), async (c) => {
    const opened = await personAccess.openOwnerForm(c);
    if (opened.answer) return opened.answer;
    const { field } = opened;
    const entered = field("email");
    try {
      if (c.req.param("action") === "withdraw") {
        noteSubject(c, await withdraw(database.kysely, null, field("id")));
        const notice = "The invitation is withdrawn: its link opens nothing now.";
        return sendPage(c, await view(c, opened, { notice }));
      }
      const email = readEmail(entered);
      if ((await findByEmail(database.kysely, email)) !== null) {
        throw new AppError("conflict", `There is an account with the address ${email} already.`);
      }
      const offer = { projectId: null, isOwner: field("as") === "owner" };
      const invited = await inviteByMail(c, deps, { email, offer, projectName: null });
      return sendPage(c, await view(c, opened, { invited }), { status: 201, isSecret: true });
    } catch (error) {
      if (!(error instanceof AppError) || error.code === "internal") throw error;
      const refused = { email: entered, problem: error.message };
      return sendPage(c, await view(c, opened, { refused }), {
        status: error.code === "conflict" ? 409 : 400,
      });
    }
  });

  routes.get(`/-/people/${PERSON}`, async (c) => {
    const opened = await personAccess.openOwner(c);
    if (opened.answer) return opened.answer;
    const page = await viewPerson(c, opened, null);
    return page === null ? sendNotFound(c) : sendPage(c, page);
  });

  routes.post(
    `/-/people/${PERSON}/:action{owner|member|password|two-factor|delete}`,
    limitedForm(MAX_FORM_BYTES),
    async (c) => {
      const opened = await personAccess.openOwnerForm(c);
      if (opened.answer) return opened.answer;
      const { field, session } = opened;
      const person = await findPerson(database.kysely, c.req.param("id") as PersonId);
      if (!person) return sendNotFound(c);
      const isOwn = "person" in session && session.person.id === person.id;
      noteSubject(c, person.email);
      try {
        switch (c.req.param("action")) {
          case "password":
            if (isOwn) throw new AppError("invalid", "Change your own password on your account page.");
            await resetPassword(deps, person, field("password"));
            break;
          case "two-factor":
            if (isOwn) throw new AppError("invalid", "Turn off your own codes on your account page.");
            await turnOffTwoFactor(database, person.id);
            break;
          case "delete":
            if (field("confirm").trim().toLowerCase() !== person.email) {
              throw new AppError("invalid", `Enter ${person.email} to delete the account.`);
            }
            await deletePerson(deps, person.id);
            return c.redirect("/-/people?done=deleted", 303);
          default:
            await setOwner(deps, person.id, c.req.param("action") === "owner");
        }
        return c.redirect(`/-/people/${person.id}`, 303);
      } catch (error) {
        if (!(error instanceof AppError) || error.code === "internal") throw error;
        const page = await viewPerson(c, opened, error.message);
        return page === null ? sendNotFound(c) : sendPage(c, page, { status: error.code === "conflict" ? 409 : 400 });
      }
    },
  );
  return routes;
}
