import { setTimeout as sleep } from "node:timers/promises";
import type { CodeHost, HostedRepository, PullRequest } from "#hosts/code-host.ts";
import type { RepoStore } from "#git/repo-store.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import type { ProjectId } from "#lib/ids.ts";
import { createLruCache } from "#lib/lru-cache.ts";

const MAX_REMEMBERED = 2_000;
/** Callers poll a job every second or so, and a preview page has many parts; hosts limit requests. */
const FRESH_MS = 10_000;
/** A slower host is not waited for. */
const PATIENCE_MS = 2_000;

interface Seen {
  askedAt: number;
  isAsking: boolean;
  answer: Promise<void>;
  /** Null when it does not exist; undefined while the host has not responded yet. */
  last: PullRequest | null | undefined;
}

/**
 * A pull request for callers that poll: Docent's own immediately, one of another host at most ten seconds old and not
 * older than the host's last webhook, with its branch fetched. While that host is unavailable, the last known state.
 * `AppError unavailable` when there is none: the host has not said that the pull request does not exist.
 */
export function createRecentPullRequests(deps: {
  codeHost: CodeHost;
  repoStore: RepoStore;
  clock: Clock;
  patienceMs?: number;
}) {
  const { codeHost, repoStore, clock, patienceMs = PATIENCE_MS } = deps;
  const known = createLruCache<string, Seen>({ maxWeight: MAX_REMEMBERED });
  const hinted = createLruCache<ProjectId, number>({ maxWeight: MAX_REMEMBERED });

  async function look(repository: HostedRepository, number: number): Promise<PullRequest | null> {
    const found = await codeHost.getPullRequest(repository, number);
    if (found?.state !== "open") return found;
    const { branch, commit } = found.head;
    const here = await repoStore.resolve(repository.projectId, `refs/heads/${branch}`);
    if (here !== commit) await codeHost.fetchBranch(repository, branch);
    return found;
  }

  function ask(repository: HostedRepository, number: number, last: Seen["last"]): Seen {
    const seen: Seen = { askedAt: clock.now().getTime(), isAsking: true, answer: Promise.resolve(), last };
    seen.answer = look(repository, number)
      .then(
        (found) => void (seen.last = found),
        (error: unknown) => {
          if (!(error instanceof AppError)) throw error;
        },
      )
      .finally(() => (seen.isAsking = false));
    seen.answer.catch(() => undefined); // callers that wait for it see the error
    return seen;
  }

  const isOld = ({ askedAt }: Seen, project: ProjectId) =>
    askedAt <= (hinted.get(project) ?? -1) || Math.abs(clock.now().getTime() - askedAt) >= FRESH_MS;

  async function find(repository: HostedRepository, number: number): Promise<PullRequest | null> {
    if (repository.codeHost === "embedded") return codeHost.getPullRequest(repository, number);
    const key = `${repository.projectId} ${number}`;
    let seen = known.get(key);
    // One request at a time: a host that hangs does not get more and more of them.
    if (!seen || (!seen.isAsking && isOld(seen, repository.projectId))) {
      seen = ask(repository, number, seen?.last);
      known.set(key, seen);
    }
    if (seen.isAsking) await Promise.race([seen.answer, sleep(patienceMs, undefined, { ref: false })]);
    if (seen.last === undefined) throw new AppError("unavailable", "The code host does not answer.");
    return seen.last;
  }

  return {
    find,
    /** The host reported an event: what is cached of the project's pull requests may be stale. */
    hint: (project: ProjectId) => hinted.set(project, clock.now().getTime()),
  };
}
