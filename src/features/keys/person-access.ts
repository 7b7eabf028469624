import type { Context } from "hono";
import type { Person } from "#features/accounts/people.ts";
import { noteDoer } from "./actor.ts";
import { isInstanceAdmin } from "./holder.ts";
import type { Session } from "./sessions.ts";
import { isSameSecret } from "#lib/secrets/secret.ts";
import { clientOf } from "#kit/pages/client-of.ts";
import type { InstancePlace, InstanceSection } from "#kit/pages/document.ts";
import { formFields } from "#kit/pages/form-fields.ts";
import { askToSignIn, type ProblemPage, sendForbidden, sendProblem } from "#kit/pages/problem-page.ts";

/** An authenticated reader of a page that belongs to no project. */
export interface InstanceReader {
  session: Session;
  instance(section: InstanceSection): InstancePlace;
}

type Refused = { session?: never; answer: Response | Promise<Response> };
type Let<Who> = (Who & { answer?: never }) | Refused;
type Sent<Who> = (Who & { field(name: string): string; answer?: never }) | Refused;

export type PersonReader = InstanceReader & { person: Person };

export interface PersonAccess {
  /** For people with an account. */
  open(c: Context): Promise<Let<PersonReader>>;
  /** For owners of the instance, and keys with the same permissions. */
  openOwner(c: Context): Promise<Let<InstanceReader>>;
  /** For submitted forms, which must contain the CSRF token of the session. */
  openForm(c: Context): Promise<Sent<PersonReader>>;
  openOwnerForm(c: Context): Promise<Sent<InstanceReader>>;
}

const NOT_OWNER: ProblemPage = {
  status: 403,
  title: "This is for owners of the instance",
  text: ["An owner can make you one on the people page."],
};
const NO_ACCOUNT: ProblemPage = {
  status: 403,
  title: "This is for people with an account",
  text: ["You are signed in with an API key. Sign out, and sign in with your email address."],
};

/** Access to pages that belong to no project. */
export function createPersonAccess(deps: {
  session: { read(request: Request, from: string): Promise<Session | null> };
}): PersonAccess {
  const enter = async (c: Context): Promise<Let<InstanceReader>> => {
    const session = await deps.session.read(c.req.raw, clientOf(c));
    const { pathname, search } = new URL(c.req.url);
    // A form cannot be submitted again from its URL.
    const back = c.req.method === "GET" ? pathname + search : "/";
    if (session === null) return { answer: askToSignIn(c, back) };
    noteDoer(c, { doer: session, projectId: null });
    return { session, instance: (section) => instancePlace(session, section) };
  };
  const open = async (c: Context): Promise<Let<PersonReader>> => {
    const entered = await enter(c);
    if (entered.answer) return entered;
    return "person" in entered.session
      ? { ...entered, person: entered.session.person }
      : { answer: sendProblem(c, NO_ACCOUNT) };
  };
  const openOwner = async (c: Context): Promise<Let<InstanceReader>> => {
    const entered = await enter(c);
    if (entered.answer) return entered;
    return isInstanceAdmin(entered.session) ? entered : { answer: sendProblem(c, NOT_OWNER) };
  };
  const withForm = async <Who extends InstanceReader>(c: Context, opened: Let<Who>): Promise<Sent<Who>> => {
    if (opened.answer) return opened;
    const field = await formFields(c);
    return isSameSecret(field("csrf"), opened.session.csrfToken) ? { ...opened, field } : { answer: sendForbidden(c) };
  };
  return {
    open,
    openOwner,
    openForm: async (c) => withForm(c, await open(c)),
    openOwnerForm: async (c) => withForm(c, await openOwner(c)),
  };
}

export const instancePlace = (session: Session, section: InstanceSection): InstancePlace => ({
  personName: "person" in session ? session.person.name : null,
  isOwner: isInstanceAdmin(session),
  section,
});
