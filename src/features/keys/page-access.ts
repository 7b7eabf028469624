import type { Context } from "hono";
import { isOfProject } from "./api-keys.ts";
import type { Session } from "./sessions.ts";
import { isSameSecret } from "#lib/secrets/secret.ts";
import { hostedRepository } from "#features/projects/hosted-repository.ts";
import type { Project } from "#features/projects/project.ts";
import { clientOf } from "#kit/pages/client-of.ts";
import type { ShownProject } from "#kit/pages/document.ts";
import { askToSignIn, sendForbidden, sendNotFound } from "#kit/pages/problem-page.ts";

export interface ProjectAccessDeps {
  findProject(slug: string): Promise<Project | null>;
  session: { read(request: Request, from: string): Promise<Session | null> };
  /** Address of a site by its label: a project's slug, or that of a preview. */
  siteUrl(label: string): string;
}

/** A reader who may see the project, or the answer for everybody else, which does not say whether the project exists. */
export type Opened =
  | { project: Project; place: ShownProject; session: Session; answer?: never }
  | { project?: never; place?: never; answer: Response | Promise<Response> };

export type OpenedForm =
  | (Extract<Opened, { project: Project }> & { field(name: string): string })
  | Extract<Opened, { project?: never }>;

/** Somebody who is signed in to the project that they ask about. */
export type Member = Extract<Opened, { project: Project }>;

export interface ProjectAccess {
  /** For a page below `/:slug/`. */
  open(c: Context): Promise<Opened>;
  /** Whether a reader who was let in would be let in again; for answers that go on for long. */
  isStillOpen(c: Context, opened: { project: Project }): Promise<boolean>;
  /** For a form that was sent; it must carry the token that only the session's own pages know. */
  openForm(c: Context, options: { signInTo: string }): Promise<OpenedForm>;
}

/** Who may see a project's own pages: whoever is signed in with one of its keys. */
export function createProjectAccess(deps: ProjectAccessDeps): ProjectAccess {
  const enter = async (c: Context, signInTo: string): Promise<Opened> => {
    // A stranger gets the same answer for every name, so that names cannot be found out.
    const session = await deps.session.read(c.req.raw, clientOf(c));
    if (session === null) return { answer: askToSignIn(c, signInTo) };
    const project = await deps.findProject(c.req.param("slug") ?? "");
    if (!project || !isOfProject(session, project.id)) return { answer: sendNotFound(c) };
    const { slug, name } = project;
    const hostUrl = hostedRepository(project).url;
    return { project, session, place: { slug, name, siteUrl: deps.siteUrl(slug), hostUrl } };
  };
  return {
    open(c) {
      const url = new URL(c.req.url);
      return enter(c, url.pathname + url.search);
    },
    async isStillOpen(c, { project }) {
      const session = await deps.session.read(c.req.raw, clientOf(c));
      return session !== null && isOfProject(session, project.id);
    },
    async openForm(c, { signInTo }) {
      const opened = await enter(c, signInTo);
      if (opened.answer) return opened;
      const fields = new URLSearchParams(await c.req.text());
      // Browsers send the line breaks of a text area as CRLF.
      const field = (name: string) => (fields.get(name) ?? "").replaceAll("\r\n", "\n");
      if (!isSameSecret(field("csrf"), opened.session.csrfToken)) {
        return { answer: sendForbidden(c) };
      }
      return { ...opened, field };
    },
  };
}
