import type { Database } from "#db/database.ts";
import type { TrustedTime } from "#db/trusted-time.ts";
import type { Clock } from "#lib/clock.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { KeyVault } from "#lib/secrets/key-vault.ts";
import type { Logger } from "#lib/logger.ts";
import { expire } from "./expiry.ts";
import { forgetUnusedLabels } from "./label-expiry.ts";
import { judgeViewsAgain } from "./judge-again.ts";
import { rebuildVisitorIndex } from "./rebuild.ts";
import type { AgentList } from "#features/visitors/clients/agent-list.ts";
import { RULES_VERSION } from "#features/visitors/clients/rules.ts";
import { sweepNumbers } from "./sweep.ts";

interface MaintenanceDeps {
  database: Database;
  clock: Clock;
  vault: KeyVault;
  time: TrustedTime;
  logger: Logger;
  /** The list of agents in use; what comes with Docent by default. */
  agents?: AgentList;
}

/**
 * Runs everything that is due: deleting data that a project no longer keeps (and its visitor secret), judging views
 * again with newer lists of addresses, recounting, and deleting orphaned rows. Safe at any time and on several nodes.
 */
export async function maintainAnalytics(deps: MaintenanceDeps, signal?: AbortSignal): Promise<void> {
  const { database, time, logger } = deps;
  const trusted = await time.now();
  const { kysely } = database;
  const projects = await kysely
    .selectFrom("analytics_project")
    .select("project_id")
    // Readers without scripts may have no view, but still a search or feedback.
    .union(kysely.selectFrom("search_count").select("project_id"))
    .union(kysely.selectFrom("feedback").select("project_id"))
    .union(kysely.selectFrom("visitor_secret").select("project_id"))
    .execute();
  for (const { project_id: projectId } of projects) {
    signal?.throwIfAborted();
    try {
      await expire(deps, { projectId, trusted });
      await judgeViewsAgain(deps, projectId, signal);
      await rebuildWhereDue(deps, projectId, signal);
      await forgetUnusedLabels(database, projectId);
    } catch (error) {
      if (signal?.aborted) throw error;
      logger.error({ err: error, projectId }, "visitor counts could not be maintained");
    }
  }
  await sweepNumbers(database, signal);
}

async function rebuildWhereDue(
  deps: MaintenanceDeps,
  projectId: ProjectId,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { database, logger } = deps;
  const row = await database.kysely
    .selectFrom("analytics_project")
    .select(["rules_version", "index_from", "kept_from"])
    .where("project_id", "=", projectId)
    .executeTakeFirst();
  if (!row || (row.rules_version >= RULES_VERSION && row.index_from >= row.kept_from)) return;
  await rebuildVisitorIndex(deps, { projectId, ...(signal ? { signal } : {}) });
  await database.kysely
    .updateTable("analytics_project")
    .set({ index_from: row.kept_from })
    .where("project_id", "=", projectId)
    .where("index_from", "<", row.kept_from)
    .execute();
  logger.info({ projectId }, "visitors were counted again");
}
