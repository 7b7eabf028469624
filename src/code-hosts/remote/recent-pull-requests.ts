import type { CodeHost, HostedRepository, PullRequest } from "#code-hosts/code-host.ts";
import type { RepoStore } from "#git/repo-store.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import { createLruCache } from "#lib/lru-cache.ts";

const MAX_REMEMBERED = 2_000;
/** Callers poll a job every second or so, and a page of a preview has many parts; a host counts its requests. */
const FRESH_MS = 10_000;

/**
 * A pull request as it is shown to those who ask again and again: Docent's own at once, one of another host at most ten
 * seconds old, with its branch fetched. While that host cannot tell, as it was known last; null when it never was.
 */
export function createRecentPullRequests(deps: { codeHost: CodeHost; repoStore: RepoStore; clock: Clock }) {
  const { codeHost, repoStore, clock } = deps;
  const known = createLruCache<string, { at: number; found: Promise<PullRequest | null> }>({
    maxWeight: MAX_REMEMBERED,
  });

  async function look(repository: HostedRepository, number: number): Promise<PullRequest | null> {
    const found = await codeHost.getPullRequest(repository, number);
    if (found?.state !== "open") return found;
    const { branch, commit } = found.head;
    const here = await repoStore.resolve(repository.projectId, `refs/heads/${branch}`);
    if (here !== commit) await codeHost.fetchBranch(repository, branch);
    return found;
  }

  return (repository: HostedRepository, number: number): Promise<PullRequest | null> => {
    if (repository.codeHost === "embedded") return codeHost.getPullRequest(repository, number);
    const key = `${repository.projectId} ${number}`;
    const now = clock.now().getTime();
    const last = known.get(key);
    if (last && Math.abs(now - last.at) < FRESH_MS) return last.found;
    const found = look(repository, number).catch((error: unknown) => {
      if (error instanceof AppError) return last?.found ?? null;
      throw error;
    });
    known.set(key, { at: now, found });
    return found;
  };
}
