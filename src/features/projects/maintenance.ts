import { listSources, mirrorOf } from "#hosts/sources/sources.ts";
import type { Database } from "#db/database.ts";
import type { RepoStore } from "#git/repo-store.ts";
import { repeat } from "#kit/tasks/repeat.ts";
import type { Logger } from "#lib/logger.ts";
import type { Project } from "./project.ts";
import { listProjects } from "./projects.ts";

const FIRST_AFTER_MS = 2_000;
const EVERY_MS = 24 * 3_600_000;

/**
 * Runs soon after the start and then daily: finishes interrupted deletions, removes incomplete repositories, reconciles
 * pull requests with their repository, which a crash may have left inconsistent, and packs repositories. Safe to run in
 * several processes.
 */
export function startMaintenance(deps: {
  database: Database;
  repoStore: Pick<RepoStore, "maintain">;
  /** Absent where another process does it. */
  reconcile?(project: Project): Promise<void>;
  /** Finishes deletions that a kill interrupted. */
  finishDeletions(): Promise<void>;
  /** Removes repositories that killed processes left incomplete. */
  removeUnfinished(): Promise<void>;
  /** Deletes records beyond their retention period. Absent where another process does it. */
  deleteOldRecords?(signal: AbortSignal): Promise<void>;
  logger: Logger;
}): AsyncDisposable {
  async function maintainAll(signal: AbortSignal): Promise<void> {
    try {
      await deps.finishDeletions().catch((error: unknown) => {
        deps.logger.error({ err: error }, "a project's deletion could not be finished");
      });
      await deps.removeUnfinished().catch((error: unknown) => {
        deps.logger.error({ err: error }, "unfinished repositories could not be removed");
      });
      await deps.deleteOldRecords?.(signal).catch((error: unknown) => {
        deps.logger.error({ err: error }, "old records could not be deleted");
      });
      for (const project of await listProjects(deps)) {
        if (signal.aborted) return;
        await maintainOne(project);
      }
    } catch (error) {
      deps.logger.error({ err: error }, "projects could not be listed for maintenance");
    }
  }

  async function maintainOne(project: Project): Promise<void> {
    try {
      await deps.reconcile?.(project);
      await deps.repoStore.maintain(project.id);
      for (const source of await listSources(deps.database, project.id))
        await deps.repoStore.maintain(mirrorOf(source));
    } catch (error) {
      deps.logger.warn({ err: error, projectId: project.id }, "repository maintenance failed");
    }
  }

  return repeat(maintainAll, { firstAfterMs: FIRST_AFTER_MS, everyMs: EVERY_MS });
}
