import type { RemoteKind } from "#hosts/code-host.ts";
import type { HostApi } from "#hosts/remote/host-api.ts";
import type { RemoteHostDeps } from "#hosts/remote/reach-host.ts";
import { gitRemote, inWords } from "#hosts/remote/remote-code-host.ts";
import { RemoteError, type RemoteProgress } from "#git/refs/remote.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import type { Secret } from "#lib/secrets/secret.ts";
import { mirrorOf, type SourceRepository } from "./sources.ts";

export type SourceDeps = Pick<RemoteHostDeps, "database" | "vault" | "repoStore" | "outboundHttp" | "apis"> & {
  clock: Clock;
};

/**
 * Updates the mirror of a source, or creates it when it is missing. Returns whether the branch moved. `AppError` in
 * words for members of the project.
 */
export async function syncSource(
  deps: SourceDeps,
  source: SourceRepository & { token: Secret | null },
  progress: RemoteProgress = {},
): Promise<boolean> {
  const { repoStore } = deps;
  const mirror = mirrorOf(source);
  const api = requireApi(deps, source.kind);
  if (!(await repoStore.exists(mirror))) await repoStore.create(mirror, { branch: source.branch });
  const before = await repoStore.resolve(mirror, `refs/heads/${source.branch}`);
  const remote = await gitRemote(deps, { connection: source, api });
  const tips = await inWordsOf(deps, source, repoStore.fetch(mirror, remote, [source.branch], progress));
  const after = tips.get(source.branch) ?? null;
  if (after === null) {
    throw new AppError("not_found", `${api.name} has no branch ${source.branch} at ${source.url}.`);
  }
  await inWordsOf(deps, source, repoStore.fetchTags(mirror, remote));
  return after !== before;
}

/** Converts git's failures into messages about a source's host. */
export async function inWordsOf<T>(
  deps: Pick<SourceDeps, "apis">,
  { kind, token }: { kind: RemoteKind; token: Secret | null },
  work: Promise<T>,
): Promise<T> {
  const api = requireApi(deps, kind);
  const withAdvice = work.catch((cause: unknown): never => {
    // Most hosts give the same response for a private repository and for one that needs a login.
    if (token === null && cause instanceof RemoteError && cause.reason === "credential") {
      const message = `${api.name} shows this repository to nobody without a token, or has none here. Give one that may read it.`;
      throw new AppError("forbidden", message, { cause });
    }
    throw cause;
  });
  return inWords(api, withAdvice);
}

export function requireApi({ apis }: Pick<SourceDeps, "apis">, kind: RemoteKind): HostApi {
  const api = apis[kind];
  if (!api) throw new AppError("invalid", `This server does not speak with ${kind}.`);
  return api;
}
