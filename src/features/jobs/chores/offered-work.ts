import { type CalledChore, entryOf } from "#agent/toolbox/chore-calls.ts";
import type { ObjectId, RepoStore } from "#git/repo-store.ts";
import { createLruCache } from "#lib/lru-cache.ts";
import type { ProjectId } from "#lib/ids.ts";
import { createFairPlaces } from "#lib/waiting/fair-places.ts";
import type { ChoreSuggestion } from "#features/jobs/job.ts";
import type { Project } from "#features/projects/project.ts";
import type { TryChoresDeps } from "./try-routes.ts";

/** What the chores would fix in the docs of a project. */
export type OfferedWork =
  | { kind: "ready"; audit: string; offers: readonly ChoreSuggestion[] }
  | { kind: "looking" }
  /** There are no docs, or the chores could not be tried. */
  | { kind: "unknown" };

/** The work to offer, for the newest commit of the project's branch. The first call starts the search and does not wait. */
export type OfferWork = (project: Project) => Promise<OfferedWork>;

/** Chores that need no input. Each is offered only if it would change a file. */
const OFFERED: readonly { title: string; call: CalledChore }[] = [
  { title: "Fix broken links", call: { tool: "fix_links", input: {} } },
  { title: "Add missing descriptions", call: { tool: "add_missing_descriptions", input: {} } },
  { title: "Repair the navigation", call: { tool: "repair_navigation", input: {} } },
];
const AUDIT: CalledChore = { tool: "audit", input: {} };

const MAX_PROJECTS = 1_000;
const MAX_WAITING = 100;
/** After a failure, such as a busy server, a later page view tries again. */
const RETRY_MS = 60_000;

interface Kept {
  commit: ObjectId;
  work: OfferedWork;
  foundAtMs: number;
}

/** Tries chores in the background, one project at a time: the trials of people use the same places. */
export function createOfferWork(
  deps: Pick<TryChoresDeps, "tryChores"> & { repoStore: Pick<RepoStore, "resolve">; closing: AbortSignal },
): OfferWork {
  const kept = createLruCache<ProjectId, Kept>({ maxWeight: MAX_PROJECTS });
  const places = createFairPlaces({ places: 1, perOwner: 1, maxWaiting: MAX_WAITING });

  const find = async (project: Project, commit: ObjectId): Promise<OfferedWork> => {
    const attempt = (call: CalledChore) =>
      deps.tryChores(project, { commit, chores: [call], withoutChecks: true, signal: deps.closing });
    const [audit] = (await attempt(AUDIT)).chores;
    const offers: ChoreSuggestion[] = [];
    for (const { title, call } of OFFERED) {
      const { ok, files, moreFiles } = await attempt(call);
      if (!ok || files.length === 0) continue;
      const places = files.reduce((sum, file) => sum + Math.max(file.additions ?? 0, file.deletions ?? 0), 0);
      offers.push({ chore: entryOf(call), title, files: files.length + moreFiles, places });
    }
    return { kind: "ready", audit: audit?.summary ?? "", offers };
  };

  return async (project) => {
    const commit = await deps.repoStore.resolve(project.id, `refs/heads/${project.branch}`);
    if (commit === null) return { kind: "unknown" };
    const known = kept.get(project.id);
    const isStale = known?.work.kind === "unknown" && performance.now() - known.foundAtMs > RETRY_MS;
    if (known?.commit === commit && !isStale) return known.work;
    const keep = (work: OfferedWork) => kept.set(project.id, { commit, work, foundAtMs: performance.now() });
    keep({ kind: "looking" });
    void places
      .run(project.id, () => find(project, commit))
      .catch((): OfferedWork => ({ kind: "unknown" }))
      .then((work) => kept.get(project.id)?.commit === commit && keep(work));
    return { kind: "looking" };
  };
}
