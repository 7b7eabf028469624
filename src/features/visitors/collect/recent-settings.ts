import { type AnalyticsSettings, readAnalyticsSettings } from "#features/visitors/settings.ts";
import { type Database, isOutOfReach } from "#db/database.ts";
import type { Clock } from "#lib/clock.ts";
import type { ProjectId } from "#lib/ids.ts";
import { createLruCache } from "#lib/lru-cache.ts";
import type { RecentSettings } from "./collector.ts";

const SETTINGS_MS = 5_000;

/** Reads settings at most every few seconds. While the store is away the last ones are used. */
export function createRecentSettings(database: Database, clock: Clock): RecentSettings {
  const known = createLruCache<ProjectId, { settings: AnalyticsSettings | null; at: number }>({ maxWeight: 1_000 });
  const reading = new Map<ProjectId, Promise<AnalyticsSettings | null>>();
  const read = async (projectId: ProjectId, at: number) => {
    try {
      const settings = await readAnalyticsSettings(database.kysely, projectId);
      known.set(projectId, { settings, at });
      return settings;
    } catch (error) {
      // While the store is away views are taken by the settings as they were last; the fold judges by those of then.
      const last = known.get(projectId);
      if (last === undefined || !isOutOfReach(error)) throw error;
      known.set(projectId, { settings: last.settings, at: clock.now().getTime() });
      return last.settings;
    } finally {
      reading.delete(projectId);
    }
  };
  const recent = (projectId: ProjectId) => {
    const remembered = known.get(projectId);
    // Either way: a clock that is set back must not make seconds a day.
    const isRecent = remembered && Math.abs(clock.now().getTime() - remembered.at) < SETTINGS_MS;
    return isRecent ? remembered.settings : undefined;
  };
  return {
    known: recent,
    async read(projectId) {
      const remembered = recent(projectId);
      if (remembered !== undefined) return remembered;
      let settings = reading.get(projectId);
      if (settings === undefined) reading.set(projectId, (settings = read(projectId, clock.now().getTime())));
      return await settings;
    },
  };
}
