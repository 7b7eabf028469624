import type { Context } from "hono";
import type { HostedRepository } from "#hosts/code-host.ts";
import type { Viewer } from "./merge-box.ts";
import { noteDoer } from "#features/keys/actor.ts";
import { type Holder, levelIn, personIn } from "#features/keys/holder.ts";
import { lacksRole, leadToAddress, viewerOf } from "#features/keys/page-access.ts";
import type { Session } from "#features/keys/sessions.ts";
import { clientOf } from "#kit/pages/client-of.ts";
import { allowsScope, type Level } from "#kit/levels.ts";
import { askToSignIn, sendNotFound, sendProblem } from "#kit/pages/problem-page.ts";

export interface ReadableRepository extends HostedRepository {
  name: string;
  /** Where readers find the project's site. */
  siteUrl: string;
  /** Another service publishes the site. */
  isPublishedElsewhere: boolean;
  isArchived: boolean;
  /** Everyone who can reach the server may read its pull requests. */
  isPublic: boolean;
  /** The name that addresses the agent in comments; null if the project has turned that off. */
  mention: string | null;
}

export interface PullRequestAccessDeps {
  findRepository(slug: string): Promise<ReadableRepository | null>;
  session: { read(request: Request, from: string): Promise<Session | null> };
  /** The holder of the request's API key, for programs. */
  holderOf(request: Request, from: string): Promise<Holder | null>;
}

type Opened =
  | { repository: ReadableRepository; viewer: Viewer; answer?: never }
  | { repository?: never; viewer?: never; answer: Response | Promise<Response> };

export interface PullRequestAccess {
  /** For reading: members, and everyone if the repository is public. */
  read(c: Context): Promise<Opened>;
  /** For a form of members who have a level. A missing repository and one of another project get the same answer. */
  write(c: Context, needs: Level): Promise<Opened>;
}

/** Decides who may see and change pull requests. Others do not learn whether there are any. */
export function createPullRequestAccess(deps: PullRequestAccessDeps): PullRequestAccess {
  const signInPath = (c: Context) => {
    const { pathname, search } = new URL(c.req.url);
    return c.req.method === "POST"
      ? pathname.replace(/\/(merge|close|ready|comment|comments\/.*|threads\/.*)$/, "")
      : pathname + search;
  };
  const enter = async (c: Context, needs: Level | null): Promise<Opened> => {
    const isReading = needs === null;
    const repository = await deps.findRepository(c.req.param("slug") ?? "");
    const session = await deps.session.read(c.req.raw, clientOf(c));
    const reader = session ?? (isReading ? await deps.holderOf(c.req.raw, clientOf(c)) : null);
    const own = repository && reader && levelIn(reader, repository.projectId);
    const level = own !== null && allowsScope(own, "read") ? own : null;
    if (repository !== null && level !== null && needs !== null && !allowsScope(level, needs))
      return { answer: sendProblem(c, lacksRole(repository.name, needs)) };
    if (repository !== null && (level !== null || (isReading && repository.isPublic))) {
      const moved = leadToAddress(c, repository.slug);
      if (moved !== null) return { answer: moved };
      if (session !== null && level !== null) noteDoer(c, { doer: session, projectId: repository.projectId });
      const viewer = {
        isMember: level !== null,
        ...(session !== null && level !== null && { ...viewerOf(session, level), person: personIn(session) }),
        csrfToken: session?.csrfToken ?? null,
        signInUrl: `/sign-in?to=${encodeURIComponent(signInPath(c))}`,
      };
      return { repository, viewer };
    }
    if (repository !== null && own !== null) return { answer: sendProblem(c, lacksRole(repository.name, "read")) };
    return { answer: reader === null ? askToSignIn(c, signInPath(c)) : sendNotFound(c) };
  };
  return { read: (c) => enter(c, null), write: enter };
}
