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

/** Input of a caller without access to this machine. */
export interface NewProjectInput extends NewProject {
  branch: string | null;
  /** Null: a new, empty repository. */
  repository: {
    url: string;
    /** Null: use the GitHub App of this server, or with `copy` no credentials. */
    token: Secret | null;
    kind: RemoteKind | null;
    /** Copies the repository once, without a connection to its host. */
    copy: boolean;
  } | null;
}

/** Creates projects and sources for remote callers, from URLs only, never from local files. */
export interface ProjectMaking extends AsyncDisposable {
  /**
   * Resolves when the project exists. Throws what `createProject` and `connectProject` throw, and `AppError
   * rate_limited`.
   */
  make(input: NewProjectInput): Promise<Project>;
  /** Resolves when the mirror exists. Throws what `addSource` throws, and `AppError rate_limited`. */
  addSource(input: Parameters<typeof addSource>[1]): Promise<SourceRepository>;
}

/** A process per repository, and large ones fill the network and the disk. */
const AT_ONCE = 4;
const RETRY_SECONDS = 10;

/** Disposing aborts running creations, which leave nothing behind. */
export function createProjectMaking(
  deps: ConnectDeps & { outboundHttp: OutboundHttp } & Pick<RemoteProgress, "onProgress">,
): ProjectMaking {
  const { onProgress } = deps;
  const stopping = new AbortController();
  const underWay = new Set<Promise<unknown>>();

  async function fetched(
    input: NewProjectInput,
    { url, copy, ...reached }: NonNullable<NewProjectInput["repository"]>,
  ) {
    const progress = { signal: stopping.signal, onProgress };
    if (!copy) return await connectProject(deps, { ...input, ...reached, url, ...progress });
    const addresses = await addressesOf(deps, url);
    return await createProject(deps, { ...input, source: url, addresses, ...progress });
  }

  function refuseWhenStopping(): void {
    if (stopping.signal.aborted) throw new ShuttingDown();
  }
  async function withFetchLimit<Made>(fetch: () => Promise<Made>): Promise<Made> {
    if (underWay.size >= AT_ONCE) {
      const message = `${AT_ONCE} repositories are being fetched already. Try again when one of them is there.`;
      throw new AppError("rate_limited", message, { retryAfterSeconds: RETRY_SECONDS });
    }
    const work: Promise<Made> = fetch().finally(() => underWay.delete(work));
    underWay.add(work);
    return await work;
  }

  return {
    async make(input) {
      const { repository } = input;
      refuseWhenStopping();
      if (repository === null) return await createProject(deps, { ...input, source: null });
      return await withFetchLimit(() => fetched(input, repository));
    },
    async addSource(input) {
      refuseWhenStopping();
      return await withFetchLimit(() => addSource(deps, { ...input, signal: stopping.signal, onProgress }));
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await Promise.allSettled(underWay);
    },
  };
}

/**
 * Resolves the host of a repository to copy, to addresses that this server may connect to. `AppError forbidden`,
 * `invalid` for another scheme or an unknown host.
 */
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
