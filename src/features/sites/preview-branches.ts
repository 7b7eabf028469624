import { setTimeout as sleep } from "node:timers/promises";
import type { CodeHost } from "#hosts/code-host.ts";
import { isBranchName } from "#git/refs/references.ts";
import type { RepoStore } from "#git/repo-store.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import { createLruCache } from "#lib/lru-cache.ts";
import { hostedRepository } from "#features/projects/hosted-repository.ts";
import type { Project } from "#features/projects/project.ts";
import type { PreviewLinks } from "./preview-links.ts";

/** The branches that have previews. */
export interface PreviewBranches {
  /** The branch for a hash; null when it does not exist. One on another host is at most ten seconds old. */
  find(project: Project, branchHash: string): Promise<string | null>;
  /** Fetches a branch and returns its commit. `AppError invalid` when it does not exist, `unavailable`, `forbidden`. */
  require(project: Project, branch: string): Promise<string>;
}

const MAX_REMEMBERED = 2_000;
/** A page has many parts, and listing the branches starts a process. */
const LISTED_EVERY_MS = 1_000;
/** Hosts limit requests. */
const FRESH_MS = 10_000;
const PATIENCE_MS = 2_000;
/** The first request for a preview waits for its fetch. */
const FETCH_PATIENCE_MS = 25_000;

export function createPreviewBranches(deps: {
  repoStore: RepoStore;
  codeHost: Pick<CodeHost, "fetchBranch">;
  links: Pick<PreviewLinks, "branchHash">;
  clock: Clock;
}): PreviewBranches {
  const { repoStore, codeHost, links, clock } = deps;
  const known = createLruCache<string, string>({ maxWeight: MAX_REMEMBERED });
  const listedAt = createLruCache<string, number>({ maxWeight: MAX_REMEMBERED });
  const fetches = createLruCache<string, { atMs: number; ended: Promise<unknown> }>({ maxWeight: MAX_REMEMBERED });
  const isHere = async ({ id }: Project, branch: string) =>
    (await repoStore.resolve(id, `refs/heads/${branch}`)) !== null;
  const isRecent = (atMs: number | undefined, forMs: number) =>
    atMs !== undefined && Math.abs(clock.now().getTime() - atMs) < forMs;

  async function look(project: Project, branchHash: string): Promise<string | null> {
    const key = `${project.id} ${branchHash}`;
    const remembered = known.get(key);
    if (remembered !== undefined && (await isHere(project, remembered))) return remembered;
    if (isRecent(listedAt.get(project.id), LISTED_EVERY_MS)) return null;
    listedAt.set(project.id, clock.now().getTime());
    const all = await repoStore.branches(project.id);
    const found = all.find(({ name }) => links.branchHash(project.id, name) === branchHash);
    if (found) known.set(key, found.name);
    return found?.name ?? null;
  }

  /** Fetches a branch that is already mirrored; the mirrored commit is shown when the host is slow. */
  async function refresh(project: Project, branch: string): Promise<void> {
    const key = `${project.id} ${branch}`;
    if (isRecent(fetches.get(key)?.atMs, FRESH_MS)) return;
    const ended = codeHost.fetchBranch(hostedRepository(project), branch).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
    });
    ended.catch(() => undefined); // callers that wait for it see the error
    fetches.set(key, { atMs: clock.now().getTime(), ended });
    await Promise.race([ended, sleep(PATIENCE_MS, undefined, { ref: false })]);
  }

  return {
    async find(project, branchHash) {
      const branch = await look(project, branchHash);
      if (branch === null || project.codeHost === "embedded" || branch === project.branch) return branch;
      await refresh(project, branch);
      return (await isHere(project, branch)) ? branch : null;
    },
    async require(project, branch) {
      if (!isBranchName(branch)) throw refusal("This is not a valid branch name.");
      const fetched = codeHost.fetchBranch(hostedRepository(project), branch);
      const timeout = sleep(FETCH_PATIENCE_MS, "late" as const, { ref: false });
      const commit = await Promise.race([fetched, timeout]);
      if (commit === "late") {
        fetched.catch(() => undefined);
        throw new AppError("unavailable", "The branch is still being fetched from its host. Ask again in a minute.", {
          retryAfterSeconds: 60,
        });
      }
      if (commit === null) throw refusal("There is no such branch.");
      known.set(`${project.id} ${links.branchHash(project.id, branch)}`, branch);
      return commit;
    },
  };
}

const refusal = (message: string) =>
  new AppError("invalid", message, { details: [{ path: "branch", message: "is not a branch of this project" }] });
