import type { Database } from "#db/database.ts";
import type { Clock } from "#lib/clock.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { Logger } from "#lib/logger.ts";
import { dayOf, dayText } from "./day.ts";
import { lockProject } from "./project-row.ts";
import { rebuildVisitorIndex } from "./rebuild.ts";
import { RULES_VERSION } from "./rules.ts";
import { currentSecret } from "./secrets.ts";
import { readAnalyticsSettings } from "./settings.ts";
import { sweepNumbers } from "./sweep.ts";

interface MaintenanceDeps {
  database: Database;
  clock: Clock;
  logger: Logger;
}

/** Old facts go once a week's worth is too old, because the index is made again then. */
const EXPIRY_STEP_DAYS = 7;

/**
 * What is due of: deleting what is older than a project keeps (and its visitor secret), counting again by new class
 * rules, and emptying the tables of what belongs to nothing any more. Safe at any time and on several nodes.
 */
export async function maintainAnalytics(deps: MaintenanceDeps, signal?: AbortSignal): Promise<void> {
  const { database, logger } = deps;
  const projects = await database.kysely.selectFrom("analytics_project").selectAll().execute();
  for (const { project_id: projectId, rules_version: rulesVersion } of projects) {
    signal?.throwIfAborted();
    try {
      const hasExpired = await expire(deps, projectId);
      if (!hasExpired && rulesVersion >= RULES_VERSION) continue;
      await rebuildVisitorIndex(deps, { projectId, ...(signal ? { signal } : {}) });
      logger.info({ projectId }, "visitors were counted again");
    } catch (error) {
      if (signal?.aborted) throw error;
      logger.error({ err: error, projectId }, "visitor counts could not be maintained");
    }
  }
  await sweepNumbers(database, signal);
}

/** Deletes facts and view counts that are too old; true when there were any, and the index must be made again. */
async function expire({ database, clock, logger }: MaintenanceDeps, projectId: ProjectId): Promise<boolean> {
  const now = clock.now().getTime();
  return database.transaction(async (transaction) => {
    const settings = await readAnalyticsSettings(transaction, projectId);
    if (settings === null) return false;
    await currentSecret(transaction, projectId, { now, retentionDays: settings.retentionDays });
    const row = await lockProject(database, transaction, projectId);
    const keptFrom = dayOf(now) - settings.retentionDays;
    if (keptFrom < row.kept_from + EXPIRY_STEP_DAYS) return false;
    await transaction
      .updateTable("analytics_project")
      .set({ kept_from: keptFrom })
      .where("project_id", "=", projectId)
      .execute();
    const facts = await transaction
      .deleteFrom("view_segment")
      .where("project", "=", row.number)
      .where("day", "<", keptFrom)
      .executeTakeFirst();
    await transaction.deleteFrom("view_tally").where("project", "=", row.number).where("day", "<", keptFrom).execute();
    const hasExpired = facts.numDeletedRows > 0n;
    if (hasExpired)
      logger.info({ projectId, before: dayText(keptFrom) }, "views older than the retention were deleted");
    return hasExpired;
  });
}
