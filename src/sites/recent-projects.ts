import type { Clock } from "#lib/clock.ts";
import { createLruCache } from "#lib/lru-cache.ts";
import type { SiteProject } from "./site-project.ts";

const RECHECK_MS = 250;
const MAX_PROJECTS = 200;

/**
 * The project of an address as it was at most a quarter of a second ago, so that not each request of a busy site asks
 * the store: the look-up costs 25 µs of the 115 that a page costs the serving thread. An address without a project is
 * asked for each time.
 */
export function rememberProjects(
  find: (slug: string) => Promise<SiteProject | null>,
  clock: Clock,
): (slug: string) => SiteProject | Promise<SiteProject | null> {
  const known = createLruCache<string, { project: SiteProject; atMs: number }>({ maxWeight: MAX_PROJECTS });
  const lookUp = async (slug: string, atMs: number) => {
    const project = await find(slug);
    if (project === null) known.delete(slug);
    else known.set(slug, { project, atMs });
    return project;
  };
  return (slug) => {
    const remembered = known.get(slug);
    const now = clock.now().getTime();
    const ageMs = now - (remembered?.atMs ?? 0);
    return remembered && ageMs >= 0 && ageMs < RECHECK_MS ? remembered.project : lookUp(slug, now);
  };
}
