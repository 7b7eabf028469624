import { z } from "zod";
import type { Queryable } from "#db/database.ts";
import type { ProjectId } from "#lib/ids.ts";
import { type AddressRanges, parseAddressRanges } from "#lib/network/network-address.ts";

const DEFAULT_RETENTION_DAYS = 396; // 13 months

// Written by the projects' settings pages, maybe of an older version: what is missing or wrong has its default.
const Stored = z.looseObject({
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

/** The key `analytics` of a project's settings. */
export interface AnalyticsSettings {
  /** Off for projects that want no counts at all. */
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
  isExcluded: AddressRanges;
}

/** The analytics settings of a project; null when there is no such project. */
export async function readAnalyticsSettings(
  queryable: Queryable,
  projectId: ProjectId,
): Promise<AnalyticsSettings | null> {
  const row = await queryable.selectFrom("project").select("settings").where("id", "=", projectId).executeTakeFirst();
  return row ? parseAnalyticsSettings(row.settings) : null;
}

/** Reads the settings' JSON; never throws. */
export function parseAnalyticsSettings(settings: string): AnalyticsSettings {
  const { analytics } = Stored.catch(() => Stored.parse({})).parse(parseJson(settings));
  return { ...analytics, isExcluded: usableRanges(analytics.excludedNetworks) };
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
      return false; // a range that is none excludes nobody
    }
  });
  return parseAddressRanges(usable);
}
