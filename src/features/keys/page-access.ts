import type { Context } from "hono";
import { noteDoer } from "./actor.ts";
import { levelIn } from "./holder.ts";
import { allowsScope, type Level, roleFor } from "#kit/levels.ts";
import type { Session } from "./sessions.ts";
import { isSameSecret } from "#lib/secrets/secret.ts";
import { hostedRepository } from "#features/projects/hosted-repository.ts";
import type { Project } from "#features/projects/project.ts";
import { publishedUrl } from "#features/projects/site/external-site.ts";
import { clientOf } from "#kit/pages/client-of.ts";
import type { Sent } from "#kit/pages/form-pages.ts";
import { formFields } from "#kit/pages/form-fields.ts";
import type { ShownProject } from "#kit/pages/document.ts";
import { askToSignIn, sendForbidden, sendNotFound, type ProblemPage, sendProblem } from "#kit/pages/problem-page.ts";

export interface ProjectAccessDeps {
  findProject(slug: string): Promise<Project | null>;
  session: { read(request: Request, from: string): Promise<Session | null> };
  /** URL of a site by its label: a project's slug, or the label of a preview. */
  siteUrl(label: string): string;
}

/** An authorized reader, or the response for all others, which does not reveal whether the project exists. */
export type Opened =
  | { project: Project; place: ShownProject; session: Session; answer?: never }
  | { project?: never; place?: never; answer: Response | Promise<Response> };

export type OpenedForm =
  | (Extract<Opened, { project: Project }> & { field(name: string): string })
  | Extract<Opened, { project?: never }>;

/** A reader who is signed in to the project. */
export type Member = Extract<Opened, { project: Project }>;

/** A form that a member submitted. */
export type SentForm = Sent<Member>;

export interface ProjectAccess {
  /** For a page below `/:slug/`; a reader with a lower level gets an explanation. */
  open(c: Context, needs?: Level): Promise<Opened>;
  /** Whether an authorized reader still is, for long-running responses. */
  isStillOpen(c: Context, opened: { project: Project }): Promise<boolean>;
  /** For submitted forms, which must contain the CSRF token of the session. */
  openForm(c: Context, options: { signInTo: string; needs: Level }): Promise<OpenedForm>;
}

/** Access to a project's dashboard pages: members, owners of the instance, and sessions of its keys. */
export function createProjectAccess(deps: ProjectAccessDeps): ProjectAccess {
  const enter = async (c: Context, signInTo: string, needs: Level): Promise<Opened> => {
    // Strangers get the same response for every name, so that they cannot find out which projects exist.
    const session = await deps.session.read(c.req.raw, clientOf(c));
    if (session === null) return { answer: askToSignIn(c, signInTo) };
    const project = await deps.findProject(c.req.param("slug") ?? "");
    const level = project && levelIn(session, project.id);
    if (!project || level === null) return { answer: sendNotFound(c) };
    const { slug, name } = project;
    const moved = leadToAddress(c, slug);
    if (moved !== null) return { answer: moved };
    if (!allowsScope(level, needs)) return { answer: sendProblem(c, lacksRole(name, needs)) };
    noteDoer(c, { doer: session, projectId: project.id });
    const hostUrl = hostedRepository(project).url;
    return {
      project,
      session,
      place: {
        slug,
        name,
        siteUrl: publishedUrl(project, deps.siteUrl),
        hostUrl,
        isArchived: project.archivedAt !== null,
        ...viewerOf(session, level),
      },
    };
  };
  return {
    open(c, needs = "read") {
      const url = new URL(c.req.url);
      return enter(c, url.pathname + url.search, needs);
    },
    async isStillOpen(c, { project }) {
      const session = await deps.session.read(c.req.raw, clientOf(c));
      const level = session && levelIn(session, project.id);
      return level !== null && allowsScope(level, "read");
    },
    async openForm(c, { signInTo, needs }) {
      const opened = await enter(c, signInTo, needs);
      if (opened.answer) return opened;
      const field = await formFields(c);
      if (!isSameSecret(field("csrf"), opened.session.csrfToken)) {
        return { answer: sendForbidden(c) };
      }
      return { ...opened, field };
    },
  };
}

/** A redirect to the same page at the project's current address; null if it is there already, and for forms. */
export function leadToAddress(c: Context, slug: string): Response | null {
  const isRead = c.req.method === "GET" || c.req.method === "HEAD";
  if (!isRead || slug === c.req.param("slug")) return null;
  const { pathname, search } = new URL(c.req.url);
  return c.redirect(pathname.replace(/^\/[^/]*/, `/${slug}`) + search, 308);
}

/** The reader, as pages show them. */
export const viewerOf = (session: Session, level: Level) => ({
  level,
  personName: "person" in session ? session.person.name : null,
});

/** The error page for a role that is too low. */
export function lacksRole(project: string, needs: Level): ProblemPage {
  return {
    status: 403,
    title: "Your role does not allow this",
    text: [
      `This needs the role ${roleFor(needs)} in ${project}.`,
      "An admin of the project can change your role on its members page.",
    ],
  };
}
