import type { Database } from "#db/database.ts";
import type { TrustedTime } from "#db/trusted-time.ts";
import type { ProjectId } from "#lib/ids.ts";
import { dayOf } from "./day.ts";
import { readAnalyticsSettings } from "./settings.ts";

/** Views from before this day are too old to be stored. */
export const firstKeptDay = (trusted: Date, { retentionDays }: { retentionDays: number }): number =>
  dayOf(trusted.getTime()) - retentionDays;

/** The same by the settings of a project; 0 when there is none. Not to be called in a transaction. */
export async function readFirstKeptDay(
  { database, time }: { database: Database; time: TrustedTime },
  projectId: ProjectId,
): Promise<number> {
  const trusted = await time.now();
  const settings = await readAnalyticsSettings(database.kysely, projectId);
  return settings === null ? 0 : firstKeptDay(trusted, settings);
}
