import type { Context } from "hono";
import type { HostedRepository } from "#hosts/code-host.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { Viewer } from "./merge-box.ts";
import { isOfProject } from "#features/keys/api-keys.ts";
import { clientOf } from "#kit/pages/client-of.ts";
import { askToSignIn, sendNotFound } from "#kit/pages/problem-page.ts";

export interface ReadableRepository extends HostedRepository {
  name: string;
  /** Whoever reaches the server may read its pull requests. */
  isPublic: boolean;
}

export interface PullRequestAccessDeps {
  findRepository(slug: string): Promise<ReadableRepository | null>;
  session: { read(request: Request, from: string): Promise<{ projectId: ProjectId | null; csrfToken: string } | null> };
  /** Whose API key the request carries, for programs. */
  holderOf(request: Request, from: string): Promise<{ projectId: ProjectId | null } | null>;
}

type Opened =
  | { repository: ReadableRepository; viewer: Viewer; answer?: never }
  | { repository?: never; viewer?: never; answer: Response | Promise<Response> };

export interface PullRequestAccess {
  /** For reading: members, and everybody where the project says so. */
  read(c: Context): Promise<Opened>;
  /** For a form: members only; what it did not find is as absent as what is another project's. */
  write(c: Context): Promise<Opened>;
}

/** Who may see and change pull requests; the rest are not told whether there are any. */
export function createPullRequestAccess(deps: PullRequestAccessDeps): PullRequestAccess {
  const signInPath = (c: Context) => {
    const { pathname, search } = new URL(c.req.url);
    return c.req.method === "POST" ? pathname.replace(/\/(merge|close|ready)$/, "") : pathname + search;
  };
  const enter = async (c: Context, isReading: boolean): Promise<Opened> => {
    const repository = await deps.findRepository(c.req.param("slug") ?? "");
    const session = await deps.session.read(c.req.raw, clientOf(c));
    const reader = session ?? (isReading ? await deps.holderOf(c.req.raw, clientOf(c)) : null);
    const isMember = repository !== null && reader !== null && isOfProject(reader, repository.projectId);
    if (repository !== null && (isMember || (isReading && repository.isPublic))) {
      const viewer = {
        canWrite: isMember,
        csrfToken: session?.csrfToken ?? null,
        signInUrl: `/sign-in?to=${encodeURIComponent(signInPath(c))}`,
      };
      return { repository, viewer };
    }
    return { answer: reader === null ? askToSignIn(c, signInPath(c)) : sendNotFound(c) };
  };
  return { read: (c) => enter(c, true), write: (c) => enter(c, false) };
}
