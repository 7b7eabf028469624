import type { Database } from "#db/database.ts";
import { shownDirectory } from "#git/process/repository-missing.ts";
import type { RepoStore } from "#git/repo-store.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { Logger } from "#lib/logger.ts";

export interface LostRepository {
  id: ProjectId;
  slug: string;
}

const MAX_NAMED = 5;
const LOOK_EVERY_MS = 60_000;

interface Deps {
  database: Database;
  repoStore: Pick<RepoStore, "list" | "directory">;
}

/** Projects whose repositories are missing, by slug. Costs one listing of projects and one of repositories. */
export async function lostRepositories({ database: { kysely }, repoStore }: Deps): Promise<LostRepository[]> {
  // Projects first: a new project has a repository before its row.
  const projects = await kysely.selectFrom("project").select(["id", "slug"]).orderBy("slug").execute();
  const there = await repoStore.list();
  return projects.filter(({ id }) => !there.has(id));
}

/**
 * Logs which repositories are missing, when that changes. This affects only their projects: their sites respond with
 * 503 and their jobs wait, but this process is otherwise ready.
 */
export function watchRepositories({ logger, ...deps }: Deps & { logger: Logger }): AsyncDisposable {
  let lastLogged = "";
  let looking: Promise<void> | null = null;
  async function look(): Promise<void> {
    const lost = await lostRepositories(deps);
    const now = lost.map(({ id }) => id).join();
    if (now === lastLogged) return;
    lastLogged = now;
    if (lost.length > 0) logger.error({ missing: lost.length }, lostSentence(lost, deps));
    else logger.info("all repositories are in the data directory again");
  }
  const lookSoon = () => {
    // Other checks report that the database is down.
    looking ??= look()
      .catch(() => undefined)
      .finally(() => (looking = null));
  };
  lookSoon();
  const timer = setInterval(lookSoon, LOOK_EVERY_MS).unref();
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await looking;
    },
  };
}

function lostSentence(lost: readonly LostRepository[], { repoStore }: Pick<Deps, "repoStore">): string {
  const named = lost.slice(0, MAX_NAMED).map(({ id, slug }) => `${slug} (${shownDirectory(repoStore.directory(id))})`);
  const rest = lost.length > MAX_NAMED ? ` and ${lost.length - MAX_NAMED} more` : "";
  return `Repositories are missing from the data directory: ${named.join(", ")}${rest}.`;
}
