import type { RepoStore } from "#git/repo-store.ts";
import type { Clock } from "#lib/clock.ts";
import type { Logger } from "#lib/logger.ts";
import { createLruCache } from "#lib/lru-cache.ts";
import type { SiteProject } from "./site-project.ts";
import type { SiteVersion } from "./site-version.ts";

/** The dates of the last changes of pages, read from the history in the background. */
export interface PageDates {
  /**
   * Keyed by path in the repository. Waits at most `patienceMs`; then it returns the dates of an older version, or none
   * if there is no older one.
   */
  of(project: SiteProject, version: SiteVersion, patienceMs: number): Promise<ReadonlyMap<string, Date>>;
}

interface Known {
  commit: string;
  dates: ReadonlyMap<string, Date>;
}

/** For all sites together. */
const MAX_DATES = 500_000;
const MAX_FAILED = 10_000;
const RETRY_MS = 60_000;

/** Reads the whole history once; after that each push costs only its new commits. */
export function createPageDates(deps: {
  /** Null for a local folder, which has no history. */
  repoStore: Pick<RepoStore, "lastChanges" | "contained"> | null;
  clock: Clock;
  logger: Logger;
}): PageDates {
  const { repoStore, clock, logger } = deps;
  const kept = createLruCache<string, Known>({ maxWeight: MAX_DATES, weigh: ({ dates }) => dates.size + 1 });
  const reading = new Map<string, Promise<void>>();
  const failed = createLruCache<string, number>({ maxWeight: MAX_FAILED });

  async function read(key: string, { id }: SiteProject, version: SiteVersion & { commit: string }): Promise<void> {
    const known = kept.get(key);
    if (repoStore === null) return;
    try {
      const isLater =
        known !== undefined && (await repoStore.contained(id, version.commit, [known.commit])).has(known.commit);
      const since = isLater ? known.commit : null;
      const changes = await repoStore.lastChanges(id, { head: version.commit, since });
      const now = clock.now().getTime();
      const dates = new Map<string, Date>();
      for (const { path } of version.docs.pages.values()) {
        const seconds = changes.get(path);
        // A commit date in the future is not believed.
        const date = seconds === undefined ? since && known?.dates.get(path) : new Date(Math.min(seconds * 1_000, now));
        if (date) dates.set(path, date);
      }
      kept.set(key, { commit: version.commit, dates });
    } catch (error) {
      failed.set(key, clock.now().getTime());
      logger.warn({ err: error, projectId: id }, "dates of pages not read");
    }
  }

  return {
    async of(project, version, patienceMs) {
      const { commit } = version;
      if (commit === null || repoStore === null) return new Map();
      const key = `${project.id} ${project.branch}`;
      if (
        kept.get(key)?.commit !== commit &&
        clock.now().getTime() - (failed.get(key) ?? Number.NEGATIVE_INFINITY) > RETRY_MS
      ) {
        const running =
          reading.get(key) ?? read(key, project, { ...version, commit }).finally(() => reading.delete(key));
        reading.set(key, running);
        const { promise: late, resolve } = Promise.withResolvers<void>();
        const timer = setTimeout(resolve, patienceMs);
        await Promise.race([running, late]);
        clearTimeout(timer);
      }
      return kept.get(key)?.dates ?? new Map<string, Date>();
    },
  };
}
