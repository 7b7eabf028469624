import { type Context, Hono } from "hono";
import { acceptInvitation, findInvitation, hasAccount, type Invitation } from "#features/accounts/invitations.ts";
import { createOwner, hasOwner, type Person } from "#features/accounts/people.ts";
import { noteDoer } from "#features/keys/actor.ts";
import { type OperatorAccess, SETUP_PATH } from "#features/keys/operator-access.ts";
import type { Session, SignedIn } from "#features/keys/sessions.ts";
import type { Database } from "#db/database.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import type { LocalModels } from "#models/local-servers.ts";
import type { ProjectId } from "#lib/ids.ts";
import { isSameSecret } from "#lib/secrets/secret.ts";
import { noteSubject } from "#kit/http/context.ts";
import { isSameOrigin } from "#kit/http/same-origin.ts";
import { formFields } from "#kit/pages/form-fields.ts";
import { clientOf } from "#kit/pages/client-of.ts";
import { sendForbidden, sendProblem } from "#kit/pages/problem-page.ts";
import { limitedForm, sendPage } from "#kit/pages/send-page.ts";
import { joinPage, setupPage } from "./setup-page.ts";

export interface SetupRoutesDeps {
  database: Database;
  clock: Clock;
  operatorAccess: OperatorAccess;
  session: { read(request: Request, from: string): Promise<Session | null> };
  /** Starts a session; returns a `Set-Cookie` value. */
  signIn(signedIn: SignedIn): Promise<string>;
  /** Model servers on this machine. */
  findLocalModels: LocalModels["look"];
  findProjectById(id: ProjectId): Promise<{ slug: string; name: string } | null>;
}

const MAX_FORM_BYTES = 4_096;

/**
 * `/-/setup`, where the operator creates an owner's account, and `/-/join/{token}`, where people accept invitations.
 */
export function createSetupRoutes(deps: SetupRoutesDeps): Hono {
  const { operatorAccess, database } = deps;
  const routes = new Hono();

  const enter = async (c: Context, person: Person, to: string, projectId: ProjectId | null = null) => {
    const browser = c.req.header("user-agent") ?? "";
    noteDoer(c, { doer: { person }, projectId });
    c.header("Set-Cookie", await deps.signIn({ personId: person.id, address: clientOf(c), browser }), { append: true });
    return c.redirect(to, 303);
  };

  routes.get(SETUP_PATH, async (c) => {
    const opened = await operatorAccess.open(c);
    if (opened.answer) return opened.answer;
    const { csrfToken } = opened.operator;
    const isFirst = !(await hasOwner(database.kysely));
    const found = isFirst ? await deps.findLocalModels() : [];
    return sendPage(c, setupPage({ csrfToken, isFirst, name: "", email: "", problem: null, found }));
  });

  routes.post(SETUP_PATH, limitedForm(MAX_FORM_BYTES), async (c) => {
    const opened = await operatorAccess.openForm(c);
    if (opened.answer) return opened.answer;
    const { field, operator } = opened;
    const entered = { name: field("name"), email: field("email") };
    try {
      const owner = await createOwner(deps, { ...entered, password: field("password") });
      // This browser now has the person's session, and no longer that of the operator.
      c.header("Set-Cookie", operatorAccess.end());
      return await enter(c, owner, "/");
    } catch (error) {
      if (!(error instanceof AppError) || (error.code !== "invalid" && error.code !== "conflict")) throw error;
      const isFirst = !(await hasOwner(database.kysely));
      const page = setupPage({ csrfToken: operator.csrfToken, isFirst, ...entered, problem: error.message, found: [] });
      return sendPage(c, page, { status: error.code === "conflict" ? 409 : 400 });
    }
  });

  /** The invitation in the URL, with the data for its page. */
  const open = async (c: Context) => {
    const token = c.req.param("token") ?? "";
    const invitation = await findInvitation(deps, token);
    if (!invitation) return { answer: sendProblem(c, OVER) };
    const { projectId } = invitation.offer;
    const project = projectId === null ? null : await deps.findProjectById(projectId);
    const session = await deps.session.read(c.req.raw, clientOf(c));
    const person = session !== null && "person" in session ? session.person : null;
    return { token, invitation, project, session, person };
  };
  const show = async (
    c: Context,
    { invitation, project, session, person, token }: Exclude<Awaited<ReturnType<typeof open>>, { answer: unknown }>,
    refused: { name: string; problem: string; status: 400 | 403 | 409 } | null,
  ) => {
    const page = joinPage({
      token,
      invitation,
      projectName: project?.name ?? null,
      state: await stateOf(invitation, person),
      csrfToken: session?.csrfToken ?? "",
      name: refused?.name ?? "",
      problem: refused?.problem ?? null,
    });
    return sendPage(c, page, { status: refused?.status ?? 200, isSecret: true });
  };
  const stateOf = async (invitation: Invitation, person: Person | null) => {
    if (person !== null) return person.email === invitation.email ? ("accept" as const) : ("somebody else" as const);
    return (await hasAccount(database.kysely, invitation)) ? ("sign in" as const) : ("new account" as const);
  };

  routes.get("/-/join/:token", async (c) => {
    const opened = await open(c);
    return opened.answer ?? show(c, opened, null);
  });

  routes.post("/-/join/:token", limitedForm(MAX_FORM_BYTES), async (c) => {
    const opened = await open(c);
    if (opened.answer) return opened.answer;
    const { token, project, session, person } = opened;
    // A form on another site is sent without the session cookie, and would sign this browser in as the invited person.
    if (!isSameOrigin(c)) return sendForbidden(c);
    const field = await formFields(c);
    if (session !== null && !isSameSecret(field("csrf"), session.csrfToken)) return sendForbidden(c);
    const name = field("name");
    try {
      const by = person === null ? { name, password: field("password") } : { person };
      const joined = await acceptInvitation(deps, token, by);
      const { offer } = joined;
      const { projectId } = offer;
      if (projectId !== null) noteSubject(c, offer.role);
      noteDoer(c, { doer: joined, projectId });
      const isReader = projectId !== null && offer.role === "reader";
      const to = project === null ? "/" : isReader ? `/open-site?project=${offer.projectId}` : `/${project.slug}`;
      return person === null ? await enter(c, joined.person, to, projectId) : c.redirect(to, 303);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const status = ({ invalid: 400, conflict: 409, forbidden: 403 } as const)[error.code as "invalid"];
      if (status === undefined) throw error;
      return show(c, opened, { name, problem: error.message, status });
    }
  });
  return routes;
}

const OVER = {
  status: 404 as const,
  title: "This invitation is no longer valid",
  text: ["It was used or withdrawn, or it has expired.", "Ask the person who invited you for a new link."],
};
