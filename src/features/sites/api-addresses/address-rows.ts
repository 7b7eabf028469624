import { sql } from "kysely";
import type { Database, DatabaseTransaction } from "#db/database.ts";
import type { ApiAddressTable } from "#db/tables/sites.ts";
import type { Clock } from "#lib/clock.ts";
import type { ProjectId } from "#lib/ids.ts";
import { ProjectSettings } from "#features/projects/project.ts";

interface Deps {
  database: Pick<Database, "kysely" | "transaction">;
  clock: Clock;
}

/** The state of an address, without its copy. */
export type AddressRow = Omit<ApiAddressTable, "project_id" | "content" | "address"> & { address: string };

/** The interval for addresses of the live site. */
const EVERY_MS = 30 * 60_000;
/** The delay after a failure; it doubles with each further one. */
const AFTER_TROUBLE_MS = 60_000;
/** The minimum interval between fetches, however often someone pushes. */
const GAP_MS = { live: 5_000, other: 30_000 };
/** A node that has not finished by then was stopped. */
const LEASE_MS = 120_000;
/** The limit for addresses of versions other than the live one. */
const MAX_OTHERS = 20;
/** The delay when the server is too busy to parse a response. */
const BUSY_MS = 30_000;

const COLUMNS = [
  "address",
  "is_live",
  "wanted_at",
  "next_at",
  "claimed_until",
  "tried_at",
  "read_at",
  "failures",
  "trouble",
  "etag",
  "last_modified",
  "version",
  "size_bytes",
] as const;

/**
 * The addresses of a project, the hosts that it allows, and whether it enabled the proxy. Null when the project does
 * not exist.
 */
export async function readAddresses(
  { database: { kysely } }: Pick<Deps, "database">,
  project: ProjectId,
): Promise<{ hosts: readonly string[]; proxy: boolean; rows: AddressRow[] } | null> {
  const found = await kysely.selectFrom("project").select("settings").where("id", "=", project).executeTakeFirst();
  if (!found) return null;
  const { apiHosts: hosts = [], apiProxy: proxy = false } = ProjectSettings.parse(JSON.parse(found.settings));
  if (hosts.length === 0) return { hosts, proxy, rows: [] };
  const rows = await kysely
    .selectFrom("api_address")
    .select(COLUMNS)
    .where("project_id", "=", project)
    .orderBy("address")
    .execute();
  return { hosts, proxy, rows };
}

/** The compressed copy of a version; null when it was replaced. */
export async function readCopy(
  { database }: Pick<Deps, "database">,
  project: ProjectId,
  { address, version }: { address: string; version: string },
): Promise<Uint8Array | null> {
  const row = await database.kysely
    .selectFrom("api_address")
    .select("content")
    .where("project_id", "=", project)
    .where("address", "=", address)
    .where("version", "=", version)
    .executeTakeFirst();
  return row?.content ?? null;
}

/**
 * Records that a version of a project's site names these addresses, and that it names no others if it is the live one.
 */
export async function wantAddresses(
  { database, clock }: Deps,
  project: ProjectId,
  wanted: { addresses: readonly string[]; isLive: boolean; isNewCommit: boolean },
): Promise<void> {
  const now = clock.now().getTime();
  const gapMs = wanted.isLive ? GAP_MS.live : GAP_MS.other;
  await database.transaction(async (transaction) => {
    const known = await transaction
      .selectFrom("api_address")
      .select(["address", "tried_at", "next_at", "claimed_until", "is_live"])
      .where("project_id", "=", project)
      .execute();
    const byAddress = new Map(known.map((row) => [row.address, row]));
    const own = (address: string) =>
      transaction.updateTable("api_address").where("project_id", "=", project).where("address", "=", address);
    for (const address of wanted.addresses) {
      const row = byAddress.get(address);
      if (row === undefined) {
        const made = { project_id: project, address, is_live: wanted.isLive ? (1 as const) : (0 as const) };
        const times = { wanted_at: now, next_at: now, failures: 0 };
        await transaction
          .insertInto("api_address")
          .values({ ...made, ...times })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
        continue;
      }
      const becomesLive = wanted.isLive && row.is_live === 0;
      const next = wanted.isNewCommit || becomesLive ? earliestFetch(row, { now, gapMs }) : row.next_at;
      await own(address)
        .set({ wanted_at: now, next_at: next, ...(becomesLive && { is_live: 1 }) })
        .execute();
    }
    const named = new Set(wanted.addresses);
    for (const { address, is_live: isLive } of known) {
      if (wanted.isLive && isLive === 1 && !named.has(address)) await own(address).set({ is_live: 0 }).execute();
    }
    const others = await transaction
      .selectFrom("api_address")
      .select("address")
      .where("project_id", "=", project)
      .where("is_live", "=", 0)
      .orderBy("wanted_at", "desc")
      .orderBy("address")
      .execute();
    const past = others.slice(MAX_OTHERS).map(({ address }) => address);
    if (past.length > 0) {
      await transaction
        .deleteFrom("api_address")
        .where("project_id", "=", project)
        .where("address", "in", past)
        .execute();
    }
  });
}

/** The earliest time for the next fetch. A fetch in progress may have started before the push. */
function earliestFetch(
  row: Pick<AddressRow, "tried_at" | "next_at" | "claimed_until">,
  { now, gapMs }: { now: number; gapMs: number },
): number {
  const at = Math.max(now, Math.min(row.tried_at ?? 0, now) + gapMs);
  return row.claimed_until === null ? Math.min(at, row.next_at ?? at) : at;
}

/** An address that this node is fetching. */
export interface AddressClaim {
  project: ProjectId;
  row: AddressRow;
  until: number;
}

/** Claims due addresses, so that no other node fetches them. `busy`: projects that have all their places in use. */
export async function claimAddresses(
  { database: { kysely }, clock }: Deps,
  { limit, busy }: { limit: number; busy: readonly ProjectId[] },
): Promise<AddressClaim[]> {
  if (limit <= 0) return [];
  const now = clock.now().getTime();
  const until = now + LEASE_MS;
  const due = await kysely
    .selectFrom("api_address")
    .select([...COLUMNS, "project_id"])
    // None is postponed further than that: the clock was once ahead.
    .where(({ eb, or }) => or([eb("next_at", "<=", now), eb("next_at", ">", now + 2 * EVERY_MS)]))
    .where(({ eb, or }) =>
      or([eb("claimed_until", "is", null), eb("claimed_until", "<=", now), eb("claimed_until", ">", until)]),
    )
    .$if(busy.length > 0, (query) => query.where("project_id", "not in", busy))
    .orderBy("next_at")
    .limit(limit)
    .execute();
  const claims: AddressClaim[] = [];
  for (const { project_id: project, ...row } of due) {
    const taken = await kysely
      .updateTable("api_address")
      .set({ claimed_until: until, tried_at: now })
      .where("project_id", "=", project)
      .where("address", "=", row.address)
      .where(({ eb }) =>
        row.claimed_until === null ? eb("claimed_until", "is", null) : eb("claimed_until", "=", row.claimed_until),
      )
      .returning("address")
      .executeTakeFirst();
    if (taken) claims.push({ project, row, until });
  }
  return claims;
}

/**
 * The result of a fetch. `read`: there is a new version. `same`: the copy is current. `busy`: it could not be parsed,
 * which is not the address's fault.
 */
export type AddressOutcome =
  | {
      kind: "read";
      version: string;
      sizeBytes: number;
      content: Uint8Array;
      etag: string | null;
      lastModified: string | null;
    }
  | { kind: "same" }
  | { kind: "failed"; trouble: string }
  | { kind: "busy" };

/** Returns whether the sources of the site changed. Writes nothing when the claim was lost. */
export async function recordOutcome(
  { database: { kysely }, clock }: Deps,
  { project, row, until }: AddressClaim,
  outcome: AddressOutcome,
): Promise<boolean> {
  const now = clock.now().getTime();
  const failures = outcome.kind === "failed" ? row.failures + 1 : 0;
  const afterMs = { read: EVERY_MS, same: EVERY_MS, busy: BUSY_MS, failed: retryDelayMs(failures) }[outcome.kind];
  const next = row.is_live === 1 || outcome.kind === "busy" ? now + afterMs : null;
  const recorded = await kysely
    .updateTable("api_address")
    .set({
      claimed_until: null,
      // A push meanwhile requested another fetch: that stays.
      next_at: sql<number | null>`case when next_at = ${row.next_at} then ${next} else next_at end`,
      ...(outcome.kind !== "busy" && { failures, trouble: outcome.kind === "failed" ? outcome.trouble : null }),
      ...((outcome.kind === "read" || outcome.kind === "same") && { read_at: now }),
      ...(outcome.kind === "read" && {
        etag: outcome.etag,
        last_modified: outcome.lastModified,
        version: outcome.version,
        size_bytes: outcome.sizeBytes,
        content: outcome.content,
      }),
    })
    .where("project_id", "=", project)
    .where("address", "=", row.address)
    .where("claimed_until", "=", until)
    .returning("address")
    .executeTakeFirst();
  if (!recorded || outcome.kind === "busy") return false;
  const trouble = outcome.kind === "failed" ? outcome.trouble : null;
  return trouble !== row.trouble || outcome.kind === "read";
}

const retryDelayMs = (failures: number) => Math.min(EVERY_MS, AFTER_TROUBLE_MS * 2 ** Math.min(failures - 1, 10));

/** Lets another server fetch it immediately: this one stops before it has a result. */
export async function releaseAddress({ database }: Pick<Deps, "database">, claim: AddressClaim): Promise<void> {
  await database.kysely
    .updateTable("api_address")
    .set({ claimed_until: null })
    .where("project_id", "=", claim.project)
    .where("address", "=", claim.row.address)
    .where("claimed_until", "=", claim.until)
    .execute();
}

/** Drops an address that its project no longer allows. */
export async function dropAddress({ database }: Pick<Deps, "database">, { project, row }: AddressClaim): Promise<void> {
  await database.kysely
    .deleteFrom("api_address")
    .where("project_id", "=", project)
    .where("address", "=", row.address)
    .execute();
}

/**
 * Makes the addresses of the live site due as soon as possible. Returns how many there are. `beside` writes in the same
 * transaction.
 */
export function askAgain(
  { database, clock }: Deps,
  project: ProjectId,
  beside?: (transaction: DatabaseTransaction, count: number) => Promise<void>,
): Promise<number> {
  const now = clock.now().getTime();
  return database.transaction(async (transaction) => {
    const rows = await transaction
      .selectFrom("api_address")
      .select(["address", "tried_at", "next_at", "claimed_until"])
      .where("project_id", "=", project)
      .where("is_live", "=", 1)
      .orderBy("address")
      .execute();
    for (const row of rows) {
      await transaction
        .updateTable("api_address")
        .set({ next_at: earliestFetch(row, { now, gapMs: GAP_MS.live }) })
        .where("project_id", "=", project)
        .where("address", "=", row.address)
        .execute();
    }
    await beside?.(transaction, rows.length);
    return rows.length;
  });
}
