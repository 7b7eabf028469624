import type { CodeHost, HostedRepository, PullRequest } from "#code-hosts/code-host.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import { createLruCache } from "#lib/lru-cache.ts";

const MAX_REMEMBERED = 2_000;
/** Callers poll a job every second or so; a host counts its requests. */
const FRESH_MS = 10_000;

/**
 * A pull request as callers who poll are shown it: Docent's own at once, one of another host at most ten seconds old.
 * Null when that host cannot tell now: what is stored of it holds then.
 */
export function createRecentPullRequests({ codeHost, clock }: { codeHost: CodeHost; clock: Clock }) {
  const known = createLruCache<string, { at: number; found: Promise<PullRequest | null> }>({
    maxWeight: MAX_REMEMBERED,
  });
  return (repository: HostedRepository, number: number): Promise<PullRequest | null> => {
    if (repository.codeHost === "embedded") return codeHost.getPullRequest(repository, number);
    const key = `${repository.projectId} ${number}`;
    const now = clock.now().getTime();
    const last = known.get(key);
    if (last && Math.abs(now - last.at) < FRESH_MS) return last.found;
    const found = codeHost.getPullRequest(repository, number).catch((error: unknown) => {
      if (error instanceof AppError) return null;
      throw error;
    });
    known.set(key, { at: now, found });
    return found;
  };
}
