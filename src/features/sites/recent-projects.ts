import { isOutOfReach } from "#db/database.ts";
import type { Clock } from "#lib/clock.ts";
import { createLruCache } from "#lib/lru-cache.ts";
import type { SiteProject } from "./site-project.ts";

const RECHECK_MS = 250;
/** How long a page waits for a store that does not respond, when the last known project is cached. */
const PATIENCE_MS = 250;
/** A lookup that hangs is retried after this long: one connection may be stuck while others work. */
const LATE_AGAIN_MS = 2_000;
const MAX_PROJECTS = 2_000;

/**
 * The project of an address as of at most a quarter of a second ago, so that a busy site does not query the store for
 * each request: the lookup costs 25 µs of the 115 that a page costs the main thread. Not cached are an address without
 * a project, and a private project: readers who were signed out stay out immediately, on every node. While the store is
 * unavailable, the last known project is used: pages come from the repositories.
 */
export function rememberProjects(
  find: (slug: string) => Promise<SiteProject | null>,
  clock: Clock,
  patienceMs = PATIENCE_MS,
): (slug: string) => Promise<SiteProject | null> {
  const known = createLruCache<string, { project: SiteProject; atMs: number; turn: number }>({
    maxWeight: MAX_PROJECTS,
  });
  let turns = 0;
  /** Pending lookups; for a known address only the newest. */
  const asking = new Map<string, { answer: Promise<SiteProject | null>; isLate: boolean; atMs: number }>();

  const lookUp = async (slug: string) => {
    const atMs = clock.now().getTime();
    const turn = (turns += 1);
    const project = await find(slug);
    if (project === null) known.delete(slug);
    else if ((known.get(slug)?.turn ?? 0) < turn) known.set(slug, { project, atMs, turn });
    return project;
  };
  const ask = (slug: string) => {
    const lookup = { answer: lookUp(slug), isLate: false, atMs: clock.now().getTime() };
    asking.set(slug, lookup);
    const forget = () => asking.get(slug) === lookup && asking.delete(slug);
    lookup.answer.then(forget, forget);
    return lookup;
  };
  const lookUpOrKeep = async (slug: string, project: SiteProject): Promise<SiteProject | null> => {
    // A lookup that started earlier may have missed a sign-out.
    const lookup = (isPrivate(project) ? undefined : asking.get(slug)) ?? ask(slug);
    const kept = lookup.answer.catch((error: unknown) => {
      if (!isOutOfReach(error)) throw error;
      const kept = known.get(slug) ?? { project, turn: 0 };
      known.set(slug, { ...kept, atMs: clock.now().getTime() }); // retried soon, but not by each request
      return kept.project;
    });
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<SiteProject>((resolve) => {
      timer = setTimeout(() => {
        lookup.isLate = true;
        resolve(known.get(slug)?.project ?? project);
      }, patienceMs).unref();
    });
    try {
      return await Promise.race([kept, timeout]);
    } finally {
      clearTimeout(timer);
    }
  };

  return async (slug) => {
    const remembered = known.get(slug);
    if (!remembered) return lookUp(slug);
    const ageMs = clock.now().getTime() - remembered.atMs;
    if (ageMs >= 0 && ageMs < RECHECK_MS && !isPrivate(remembered.project)) return remembered.project;
    const lookup = asking.get(slug);
    if (lookup?.isLate && clock.now().getTime() - lookup.atMs < LATE_AGAIN_MS) return remembered.project;
    return lookUpOrKeep(slug, remembered.project);
  };
}

const isPrivate = ({ access }: SiteProject): boolean => access !== undefined && access.mode !== "public";
