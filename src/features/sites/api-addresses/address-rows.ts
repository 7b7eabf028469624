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

/** What is known of an address, without its copy. */
export type AddressRow = Omit<ApiAddressTable, "project_id" | "content" | "address"> & { address: string };

/** How often what readers see is asked. */
const EVERY_MS = 30 * 60_000;
/** After a failure, twice as long after each further one. */
const AFTER_TROUBLE_MS = 60_000;
/** Whoever pushes without end has the host asked no oftener. */
const GAP_MS = { live: 5_000, other: 30_000 };
/** A node that has not ended its work by then was stopped. */
const LEASE_MS = 120_000;
/** Of other versions than the one that readers see. */
const MAX_OTHERS = 20;
/** A server that is too busy to read what it was sent. */
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

/** The addresses of a project, the hosts that it allows, and whether it turned the proxy on. Null when there is no such project. */
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

/** The copy of a version, packed; null when another took its place. */
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

/** Writes down that a version of a project's site names these addresses, and nothing else when it is the one that readers see. */
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
      const next = wanted.isNewCommit || becomesLive ? soonest(row, { now, gapMs }) : row.next_at;
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

/** When an address can be asked again at the earliest. What is asked at this moment may have been read before the push. */
function soonest(
  row: Pick<AddressRow, "tried_at" | "next_at" | "claimed_until">,
  { now, gapMs }: { now: number; gapMs: number },
): number {
  const at = Math.max(now, Math.min(row.tried_at ?? 0, now) + gapMs);
  return row.claimed_until === null ? Math.min(at, row.next_at ?? at) : at;
}

/** An address that this node asks now. */
export interface AddressClaim {
  project: ProjectId;
  row: AddressRow;
  until: number;
}

/** Addresses whose turn it is, taken so that no other node asks them. `busy`: projects of which enough are asked. */
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
    // Later than that none is put off to: the clock was ahead once.
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

/** How asking ended. `read`: there is another than the copy. `same`: the copy is the newest. `busy`: it could not be looked at, which says nothing of the address. */
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

/** Whether what the site is made of changed. Nothing is written when the claim was lost. */
export async function recordOutcome(
  { database: { kysely }, clock }: Deps,
  { project, row, until }: AddressClaim,
  outcome: AddressOutcome,
): Promise<boolean> {
  const now = clock.now().getTime();
  const failures = outcome.kind === "failed" ? row.failures + 1 : 0;
  const afterMs = { read: EVERY_MS, same: EVERY_MS, busy: BUSY_MS, failed: troubleMs(failures) }[outcome.kind];
  const next = row.is_live === 1 || outcome.kind === "busy" ? now + afterMs : null;
  const recorded = await kysely
    .updateTable("api_address")
    .set({
      claimed_until: null,
      // A push meanwhile had it asked again: that stays.
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

const troubleMs = (failures: number) => Math.min(EVERY_MS, AFTER_TROUBLE_MS * 2 ** Math.min(failures - 1, 10));

/** Lets another server ask at once: this one stops before it has an answer. */
export async function releaseAddress({ database }: Pick<Deps, "database">, claim: AddressClaim): Promise<void> {
  await database.kysely
    .updateTable("api_address")
    .set({ claimed_until: null })
    .where("project_id", "=", claim.project)
    .where("address", "=", claim.row.address)
    .where("claimed_until", "=", claim.until)
    .execute();
}

/** Gives up an address that its project does not allow any more. */
export async function dropAddress({ database }: Pick<Deps, "database">, { project, row }: AddressClaim): Promise<void> {
  await database.kysely
    .deleteFrom("api_address")
    .where("project_id", "=", project)
    .where("address", "=", row.address)
    .execute();
}

/**
 * Has the addresses of the site that readers see asked as soon as can be. How many there are. `beside` writes in the same
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
        .set({ next_at: soonest(row, { now, gapMs: GAP_MS.live }) })
        .where("project_id", "=", project)
        .where("address", "=", row.address)
        .execute();
    }
    await beside?.(transaction, rows.length);
    return rows.length;
  });
}
