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

/** The branches that previews show. */
export interface PreviewBranches {
  /** The branch of a hash; null when there is none here. One of a host elsewhere is at most ten seconds old. */
  find(project: Project, branchHash: string): Promise<string | null>;
  /** Makes a branch current and answers with its commit. `AppError invalid` when there is none, `unavailable`, `forbidden`. */
  require(project: Project, branch: string): Promise<string>;
}

const MAX_REMEMBERED = 2_000;
/** A page has many parts, and a listing of the branches is a process. */
const LISTED_EVERY_MS = 1_000;
/** A host counts its requests. */
const FRESH_MS = 10_000;
const PATIENCE_MS = 2_000;
/** Whoever asks for a preview waits for its first fetch. */
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

  /** What its host has of a branch that is here: what is there already is shown when the host takes its time. */
  async function refresh(project: Project, branch: string): Promise<void> {
    const key = `${project.id} ${branch}`;
    if (isRecent(fetches.get(key)?.atMs, FRESH_MS)) return;
    const ended = codeHost.fetchBranch(hostedRepository(project), branch).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
    });
    ended.catch(() => undefined); // whoever waits for it hears of it
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
      const late = sleep(FETCH_PATIENCE_MS, "late" as const, { ref: false });
      const commit = await Promise.race([fetched, late]);
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
