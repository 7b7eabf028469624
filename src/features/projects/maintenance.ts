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
 * Soon after the start, then once a day: finishes deletions that were killed, removes repositories that were never finished, lets each project's pull requests agree with its repository, as a crash may
 * have left them apart, and packs what has piled up. Several processes doing it disturb nothing.
 */
export function startMaintenance(deps: {
  database: Database;
  repoStore: Pick<RepoStore, "maintain">;
  reconcile(project: Project): Promise<void>;
  /** Does what deletions that were killed have left to do. */
  finishDeletions(): Promise<void>;
  /** Removes the repositories that killed processes were making. */
  removeUnfinished(): Promise<void>;
  /** Deletes records that are older than they are kept. */
  deleteOldRecords(signal: AbortSignal): Promise<void>;
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
      await deps.deleteOldRecords(signal).catch((error: unknown) => {
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
      await deps.reconcile(project);
      await deps.repoStore.maintain(project.id);
      for (const source of await listSources(deps.database, project.id))
        await deps.repoStore.maintain(mirrorOf(source));
    } catch (error) {
      deps.logger.warn({ err: error, projectId: project.id }, "repository maintenance failed");
    }
  }

  return repeat(maintainAll, { firstAfterMs: FIRST_AFTER_MS, everyMs: EVERY_MS });
}
