import type { RemoteKind } from "#hosts/code-host.ts";
import type { RemoteProgress } from "#git/refs/remote.ts";
import { AppError, ShuttingDown } from "#lib/app-error.ts";
import type { OutboundHttp } from "#lib/network/outbound-http.ts";
import type { Secret } from "#lib/secrets/secret.ts";
import { addSource } from "#hosts/sources/add-source.ts";
import type { SourceRepository } from "#hosts/sources/sources.ts";
import { type ConnectDeps, connectProject } from "./connect-project.ts";
import type { Project } from "./project.ts";
import { createProject, type NewProject } from "./projects.ts";

/** A project as somebody wants it who is not at this machine. */
export interface ProjectWish extends NewProject {
  branch: string | null;
  /** Null: an empty repository here. */
  repository: {
    url: string;
    /** Null: by the app of this server, or with `copy` by nobody's leave. */
    token: Secret | null;
    kind: RemoteKind | null;
    /** The repository is copied, and its host is not asked again. */
    copy: boolean;
  } | null;
}

/** Makes projects and sources for callers elsewhere: from addresses alone, never from files of this machine. */
export interface ProjectMaking extends AsyncDisposable {
  /** Done when the project is there. What `createProject` and `connectProject` throw, and `AppError rate_limited`. */
  make(wish: ProjectWish): Promise<Project>;
  /** Done when its mirror is there. What `addSource` throws, and `AppError rate_limited`. */
  addSource(wish: Parameters<typeof addSource>[1]): Promise<SourceRepository>;
}

/** Of large repositories, each a process that fills the line and the disk. */
const AT_ONCE = 4;
const RETRY_SECONDS = 10;

/** What is under way when it is disposed is ended, and leaves nothing behind. */
export function createProjectMaking(
  deps: ConnectDeps & { outboundHttp: OutboundHttp } & Pick<RemoteProgress, "onProgress">,
): ProjectMaking {
  const { onProgress } = deps;
  const stopping = new AbortController();
  const underWay = new Set<Promise<unknown>>();

  async function fetched(wish: ProjectWish, { url, copy, ...reached }: NonNullable<ProjectWish["repository"]>) {
    const progress = { signal: stopping.signal, onProgress };
    if (!copy) return await connectProject(deps, { ...wish, ...reached, url, ...progress });
    const addresses = await addressesOf(deps, url);
    return await createProject(deps, { ...wish, source: url, addresses, ...progress });
  }

  function refuseWhenStopping(): void {
    if (stopping.signal.aborted) throw new ShuttingDown();
  }
  async function amongFew<Made>(fetch: () => Promise<Made>): Promise<Made> {
    if (underWay.size >= AT_ONCE) {
      const message = `${AT_ONCE} repositories are being fetched already. Try again when one of them is there.`;
      throw new AppError("rate_limited", message, { retryAfterSeconds: RETRY_SECONDS });
    }
    const work: Promise<Made> = fetch().finally(() => underWay.delete(work));
    underWay.add(work);
    return await work;
  }

  return {
    async make(wish) {
      const { repository } = wish;
      refuseWhenStopping();
      if (repository === null) return await createProject(deps, { ...wish, source: null });
      return await amongFew(() => fetched(wish, repository));
    },
    async addSource(wish) {
      refuseWhenStopping();
      return await amongFew(() => addSource(deps, { ...wish, signal: stopping.signal, onProgress }));
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await Promise.allSettled(underWay);
    },
  };
}

/** Addresses that this server may connect to. `AppError forbidden`, `invalid` for a host that is not there. */
/** Where the host of a repository is that is to be copied. `AppError invalid`, `forbidden`. */
export async function addressesOf({ outboundHttp }: { outboundHttp: OutboundHttp }, url: string): Promise<string[]> {
  if (!/^https:\/\//i.test(url)) {
    const message =
      "A repository is copied from an https address. Upload a folder under Your computer, or run docent projects create NAME --repo PATH on the server.";
    throw new AppError("invalid", message);
  }
  const target = await outboundHttp.findAddresses(url);
  if (target.ok) return target.addresses;
  if (target.reason === "refused")
    throw new AppError("forbidden", `The repository may not be reached: ${target.message}`);
  throw new AppError("invalid", `The server of the repository does not answer: ${target.message}`);
}
