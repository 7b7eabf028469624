import type { Database, DatabaseTransaction } from "#db/database.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { KeyVault } from "#lib/secrets/key-vault.ts";
import type { Logger } from "#lib/logger.ts";
import { DAY_MS } from "#lib/clock.ts";
import { dayText, monthStart } from "#features/visitors/day.ts";
import { firstKeptDay, readAnalyticsSettings } from "#features/visitors/settings.ts";
import { facets } from "#features/visitors/labels.ts";
import { type AnalyticsProject, lockProject } from "./project-row.ts";
import { sumMonth } from "./retally.ts";
import { currentSecret } from "#features/visitors/secrets.ts";

/** How long before a deletion its mark is set. As the index is rebuilt then, this is also the interval of deletions. */
const MARK_DAYS = 7;

interface ExpiryDeps {
  database: Database;
  vault: KeyVault;
  logger: Logger;
}

/**
 * Deletes facts, view counts, searches and feedback that a project no longer keeps, and its visitor secret in time.
 * First a mark records what will be too old in a week; when a week of trusted time has passed and it is still too old,
 * it is deleted. A mark is removed when the retention was raised, or the clock turned out to be wrong.
 */
export async function expire(
  { database, vault, logger }: ExpiryDeps,
  { projectId, trusted }: { projectId: ProjectId; trusted: Date },
): Promise<void> {
  const now = trusted.getTime();
  await database.transaction(async (transaction) => {
    const settings = await readAnalyticsSettings(transaction, projectId);
    if (settings === null) return;
    const { retentionDays } = settings;
    await currentSecret({ queryable: transaction, vault }, projectId, { now, retentionDays });
    const row = await lockProject(database, transaction, projectId);
    const change = (
      values: Partial<
        Pick<AnalyticsProject, "kept_from" | "index_from" | "labels_from" | "expires_before" | "marked_at">
      >,
    ) => transaction.updateTable("analytics_project").set(values).where("project_id", "=", projectId).execute();
    const keptFrom = firstKeptDay(trusted, settings);
    const mark = { expires_before: keptFrom + MARK_DAYS, marked_at: now };
    if (keptFrom < row.kept_from)
      await change({
        kept_from: keptFrom,
        index_from: Math.min(row.index_from, keptFrom),
        labels_from: Math.min(row.labels_from, keptFrom),
      });
    const { expires_before: expiresBefore, marked_at: markedAt } = row;
    if (expiresBefore === null || markedAt === null || expiresBefore > mark.expires_before || markedAt > now) {
      await change(mark);
      return;
    }
    if (now < markedAt + MARK_DAYS * DAY_MS || expiresBefore > keptFrom) return;
    const hasFacts = await deleteBefore(transaction, row.number, expiresBefore);
    for (const table of ["search_count", "search_click", "feedback"] as const)
      await transaction
        .deleteFrom(table)
        .where("project_id", "=", projectId)
        .where("day", "<", expiresBefore)
        .execute();
    const isIndexRight = !hasFacts && row.index_from >= row.kept_from;
    await change({ kept_from: expiresBefore, ...mark, ...(isIndexRight ? { index_from: expiresBefore } : {}) });
    if (hasFacts) {
      logger.info({ projectId, before: dayText(expiresBefore) }, "views older than the retention were deleted");
    }
  });
}

/** Returns whether there were facts: then the index must be rebuilt. */
async function deleteBefore(transaction: DatabaseTransaction, project: number, day: number): Promise<boolean> {
  const facts = await transaction
    .deleteFrom("view_segment")
    .where("project", "=", project)
    .where("day", "<", day)
    .executeTakeFirst();
  await transaction
    .deleteFrom("view_tally")
    .where("project", "=", project)
    .where("day", "<", day)
    .where("facet", "!=", facets.pageMonth)
    .execute();
  // The month of the first kept day is stored under its own first day, and keeps its later days.
  await transaction
    .deleteFrom("view_tally")
    .where("project", "=", project)
    .where("day", "<", monthStart(day))
    .where("facet", "=", facets.pageMonth)
    .execute();
  await sumMonth(transaction, { project, month: monthStart(day) });
  return facts.numDeletedRows > 0n;
}
