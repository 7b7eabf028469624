import { z } from "zod";
import { type Queryable, type Database, isOutOfReach } from "#db/database.ts";
import { basePathOf, normaliseExternalSite } from "#features/projects/site/external-site.ts";
import type { ProjectId } from "#lib/ids.ts";
import { type AddressRanges, parseAddressRanges } from "#lib/network/network-address.ts";
import type { TrustedTime } from "#db/trusted-time.ts";
import { dayOf } from "./day.ts";
import type { Clock } from "#lib/clock.ts";
import { createLruCache } from "#lib/lru-cache.ts";

const DEFAULT_RETENTION_DAYS = 396; // 13 months

// Written by the projects' settings pages, maybe of an older version: missing or invalid fields have their defaults.
const Stored = z.looseObject({
  externalSite: z.string().nullable().catch(null).default(null),
  analytics: z
    .looseObject({
      collect: z.boolean().catch(true).default(true),
      identity: z.enum(["stable", "cookie", "daily"]).catch("stable").default("stable"),
      retentionDays: z.number().int().min(1).catch(DEFAULT_RETENTION_DAYS).default(DEFAULT_RETENTION_DAYS),
      countPrivate: z.boolean().catch(true).default(true),
      excludedNetworks: z.array(z.string()).catch([]).default([]),
      allowedOrigins: z.array(z.string()).catch([]).default([]),
    })
    .prefault({}),
});

/** The key `analytics` of a project's settings, with what follows from its external site. */
export interface AnalyticsSettings {
  /** Off for projects that want no counts. */
  collect: boolean;
  /** `stable` (default): a keyed hash per retention epoch. `cookie`: a first-party id. `daily`: a new key each day. */
  identity: "stable" | "cookie" | "daily";
  /** How long facts, counts and the visitor secret are kept. */
  retentionDays: number;
  /** Whether readers that send GPC or DNT count (with a key of the day, never a cookie). */
  countPrivate: boolean;
  /** Own traffic: addresses and CIDR ranges. */
  excludedNetworks: string[];
  /** Origins of docs hosted elsewhere that may send views. */
  allowedOrigins: string[];
  /** The path below which an external site is published; see `pathInProject`. Null where Docent publishes the site. */
  siteBase: string | null;
  isExcluded: AddressRanges;
}

/** The analytics settings of a project; null when the project does not exist. */
export async function readAnalyticsSettings(
  queryable: Queryable,
  projectId: ProjectId,
): Promise<AnalyticsSettings | null> {
  const row = await queryable.selectFrom("project").select("settings").where("id", "=", projectId).executeTakeFirst();
  return row ? parseAnalyticsSettings(row.settings) : null;
}

/** Reads the settings' JSON; never throws. */
export function parseAnalyticsSettings(settings: string): AnalyticsSettings {
  const { analytics, externalSite } = Stored.catch(() => Stored.parse({})).parse(parseJson(settings));
  const site = externalSite === null ? null : normaliseExternalSite(externalSite);
  return {
    ...analytics,
    allowedOrigins:
      site === null ? analytics.allowedOrigins : [...new Set([new URL(site).origin, ...analytics.allowedOrigins])],
    siteBase: site === null ? null : basePathOf(site),
    isExcluded: usableRanges(analytics.excludedNetworks),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

function usableRanges(ranges: readonly string[]): AddressRanges {
  const usable = ranges.filter((range) => {
    try {
      return parseAddressRanges([range]) !== null;
    } catch {
      return false; // an invalid range excludes no one
    }
  });
  return parseAddressRanges(usable);
}

/** Views from before this day are too old to be stored. */
export const firstKeptDay = (trusted: Date, { retentionDays }: { retentionDays: number }): number =>
  dayOf(trusted.getTime()) - retentionDays;

/** The same by the settings of a project; 0 when it does not exist. Do not call it inside a transaction. */
export async function readFirstKeptDay(
  { database, time }: { database: Database; time: TrustedTime },
  projectId: ProjectId,
): Promise<number> {
  const trusted = await time.now();
  const settings = await readAnalyticsSettings(database.kysely, projectId);
  return settings === null ? 0 : firstKeptDay(trusted, settings);
}

/** Settings of projects, a few seconds old at most; null for a project that does not exist. */
export interface RecentSettings {
  /** Synchronous, for each page that is served; undefined when they have to be read. */
  known(projectId: ProjectId): AnalyticsSettings | null | undefined;
  read(projectId: ProjectId): Promise<AnalyticsSettings | null>;
}

const SETTINGS_MS = 5_000;

/** Reads settings at most every few seconds. While the store is unavailable the last ones are used. */
export function createRecentSettings(database: Database, clock: Clock): RecentSettings {
  const known = createLruCache<ProjectId, { settings: AnalyticsSettings | null; at: number }>({ maxWeight: 1_000 });
  const reading = new Map<ProjectId, Promise<AnalyticsSettings | null>>();
  const read = async (projectId: ProjectId, at: number) => {
    try {
      const settings = await readAnalyticsSettings(database.kysely, projectId);
      known.set(projectId, { settings, at });
      return settings;
    } catch (error) {
      // While the store is unavailable, views are accepted by the last known settings; the fold applies the current
      // ones.
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
    // In both directions: a clock that is set back must not turn seconds into a day.
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
