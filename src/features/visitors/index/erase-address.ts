import type { Database, DatabaseTransaction, Queryable } from "#db/database.ts";
import { emptyLog, eraseUnusedSpace } from "#db/unused-space.ts";
import type { Clock } from "#lib/clock.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { KeyVault } from "#lib/secrets/key-vault.ts";
import { type AddressKeys, createNumberTest, findAddressKeys } from "./address-keys.ts";
import type { AgentList } from "#features/visitors/clients/agent-list.ts";
import { dayOf } from "#features/visitors/day.ts";
import { decodeFacts, encodeFacts, factAt } from "#features/visitors/facts.ts";
import { createIndexStores } from "./index-store.ts";
import { deleteUnusedLabels } from "./label-expiry.ts";
import { packCounts } from "./packing.ts";
import { decodePresence, removePresence } from "#features/visitors/presence.ts";
import { lockProject } from "./project-row.ts";
import { rewriteDay } from "./retally.ts";
import { createSegmentReader } from "./segments.ts";
import { sweepNumbers } from "./sweep.ts";
import { createCountChanges } from "./visitor-index.ts";

interface EraseDeps {
  database: Database;
  clock: Clock;
  vault: KeyVault;
  agents: AgentList;
}

export interface EraseOptions {
  projectId: ProjectId;
  /** An address; for IPv6 its /64 is erased. */
  address: string;
  /** User agents of programs whose name neither Docent nor the project knows. */
  userAgents?: readonly string[];
  /** Ids in readers' browsers, when `identity` is `cookie`. */
  cookies?: readonly string[];
  /** For a running server: rewriting the whole file or its tables would block everything else. */
  leaveUnusedSpace?: boolean;
  signal?: AbortSignal;
}

export interface ErasedAddress {
  visitors: number;
  views: number;
  days: number;
  /** Votes and comments on pages. */
  feedback: number;
  /** Views before this time cannot be found: their secret was destroyed. null when none was. */
  destroyedUntil: Date | null;
  /** False while SQLite's log keeps copies because of a concurrent reader: the server's next checkpoint clears it. */
  isOutOfFiles: boolean;
  /** Old versions of rows may be in unused space of the database's files. */
  isUnusedSpaceLeft: boolean;
}

/** Tables with data about a visitor. */
const TABLES = [
  "view_segment",
  "view_tally",
  "visitor_presence",
  "visitor_count",
  "visitor_pack",
  "analytics_label",
  "feedback",
] as const;
const CHUNK = 500;

/**
 * Deletes everything that a project stores about the readers of an address, as far as their numbers can be computed:
 * views, presence, their part of every count, their feedback, and texts that no other reader's view has. Data without a
 * visitor number, such as missing pages, stays counted by day. May run concurrently with a server. If it is killed, run
 * it again with the same address.
 */
export async function eraseAddress(deps: EraseDeps, options: EraseOptions): Promise<ErasedAddress> {
  const { database, clock } = deps;
  const { projectId, address, userAgents = [], cookies = [], leaveUnusedSpace = false, signal } = options;
  if (leaveUnusedSpace) database.sqlite?.exec("pragma secure_delete = on"); // from here on deleted data is overwritten
  const { number, index_number: index } = await database.transaction((transaction) =>
    lockProject(database, transaction, projectId),
  );
  const keys = await findAddressKeys(deps, { projectId, number, address, userAgents, cookies });
  const work: Work = {
    number,
    stores: createIndexStores(database),
    today: dayOf(clock.now().getTime()),
    isErased: createNumberTest(keys),
    erased: { views: 0, days: new Set(), visitors: new Set() },
  };
  const segments = createSegmentReader(number);
  /** Days with some of the visitors; on the second call those added since. */
  const findDays = async (queryable: Queryable) => {
    const found = new Set<number>();
    for await (const { day, columns } of segments(queryable))
      if (columns.visitor.some((visitor) => work.isErased(day, visitor))) found.add(day);
    return found;
  };
  for (const day of await findDays(database.kysely)) {
    signal?.throwIfAborted();
    await database.transaction(async (transaction) => {
      await lockProject(database, transaction, projectId);
      await eraseDay(transaction, work, day);
    });
  }
  const present = await findPresent(database.kysely, {
    keys,
    index,
    days: await readDays(database.kysely, number),
    signal,
  });
  await database.transaction(async (transaction) => {
    const row = await lockProject(database, transaction, projectId);
    for (const day of await findDays(transaction)) await eraseDay(transaction, work, day); // views that arrived meanwhile
    await erasePresence(transaction, work, {
      index: row.index_number,
      visitors: [...new Set([...present, ...work.erased.visitors])],
    });
    // A running rebuild may have read erased data. This ends it, and it is started again.
    await transaction
      .updateTable("analytics_project")
      .set({ next_index: null })
      .where("project_id", "=", projectId)
      .execute();
  });
  const feedback = await eraseFeedback(database, { projectId, keys, signal });
  await forgetLabels(database, projectId);
  await sweepNumbers(database, signal);
  const isOutOfFiles = await (leaveUnusedSpace ? emptyLog(database) : eraseUnusedSpace(database, TABLES));
  const { views, days, visitors } = work.erased;
  return {
    visitors: visitors.size,
    views,
    days: days.size,
    feedback,
    destroyedUntil: keys.destroyedUntil === null ? null : new Date(keys.destroyedUntil),
    isOutOfFiles,
    isUnusedSpaceLeft: leaveUnusedSpace,
  };
}

interface Work {
  number: number;
  stores: ReturnType<typeof createIndexStores>;
  today: number;
  isErased(day: number, visitor: number): boolean;
  erased: { views: number; days: Set<number>; visitors: Set<number> };
}

/** Removes the visitors' views of a day from facts and view counts. The caller holds the project's write lock. */
async function eraseDay(transaction: DatabaseTransaction, work: Work, day: number): Promise<void> {
  const { number, stores, isErased, erased } = work;
  await rewriteDay({ transaction, stores }, { number, day }, (content) => {
    const columns = decodeFacts(content);
    const facts = Array.from({ length: columns.rows }, (_, index) => factAt(columns, index));
    const kept = facts.filter(({ visitor }) => !isErased(day, visitor));
    if (kept.length === facts.length) return null;
    erased.views += facts.length - kept.length;
    erased.days.add(day);
    for (const { visitor } of facts) if (isErased(day, visitor)) erased.visitors.add(visitor);
    // Even when none is left: the number of a day's newest segment tells other processes that the day changed.
    return { content: encodeFacts(kept), views: kept.length };
  });
}

/** Days that an index may have data for. */
async function readDays(queryable: Queryable, number: number): Promise<number[]> {
  const rows = await queryable
    .selectFrom("view_segment")
    .select("day")
    .distinct()
    .where("project", "=", number)
    .execute();
  return rows.map(({ day }) => day);
}

/**
 * Those of the numbers that the index contains, including views whose facts were deleted by an erasure that was killed.
 */
async function findPresent(
  queryable: Queryable,
  given: { keys: AddressKeys; index: number; days: readonly number[]; signal: AbortSignal | undefined },
): Promise<number[]> {
  const found = new Set<number>();
  for (const day of [null, ...given.days]) {
    given.signal?.throwIfAborted();
    const numbers = day === null ? given.keys.stable : given.keys.ofDay(day);
    for (const chunk of chunks([...numbers])) {
      const rows = await queryable
        .selectFrom("visitor_presence")
        .select("visitor")
        .distinct()
        .where("project", "=", given.index)
        .where("visitor", "in", chunk)
        .execute();
      for (const { visitor } of rows) found.add(Number(visitor));
    }
  }
  return [...found];
}

/** Removes visitors from an index. The caller holds the project's write lock. */
async function erasePresence(
  transaction: DatabaseTransaction,
  { stores, today, erased }: Work,
  { index, visitors }: { index: number; visitors: readonly number[] },
): Promise<void> {
  const changes = createCountChanges();
  for (const chunk of chunks(visitors)) {
    const ofIndex = { project: index, visitors: chunk };
    const rows = await transaction
      .selectFrom("visitor_presence")
      .selectAll()
      .where("project", "=", ofIndex.project)
      .where("visitor", "in", ofIndex.visitors)
      .execute();
    for (const { visitor, page, last, earlier } of rows) {
      erased.visitors.add(Number(visitor));
      removePresence(decodePresence(last, earlier), changes.forPage(page));
    }
    await transaction
      .deleteFrom("visitor_presence")
      .where("project", "=", ofIndex.project)
      .where("visitor", "in", ofIndex.visitors)
      .execute();
  }
  await stores(transaction).addCounts(index, changes.rows());
  await packCounts({ transaction, project: index, today });
}

/** Deletes the feedback of an address's readers, and returns the number of entries. */
async function eraseFeedback(
  { kysely }: Database,
  given: { projectId: ProjectId; keys: AddressKeys; signal: AbortSignal | undefined },
): Promise<number> {
  const { projectId, keys, signal } = given;
  let erased = 0;
  for (let after = ""; ;) {
    signal?.throwIfAborted();
    const rows = await kysely
      .selectFrom("feedback")
      .select(["id", "day", "page", "author", "comment", "voter"])
      .where("project_id", "=", projectId)
      .where("id", ">", after)
      .orderBy("id")
      .limit(CHUNK)
      .execute();
    for (const { id, day, page, author, comment, voter } of rows) {
      const agentWords = author === "agent" ? (comment ?? "") : null;
      if (!keys.votersOf(day, { page, agentWords }).has(Number(voter))) continue;
      await kysely.deleteFrom("feedback").where("id", "=", id).execute();
      erased += 1;
    }
    const last = rows.at(-1);
    if (rows.length < CHUNK || last === undefined) return erased;
    after = last.id;
  }
}

/** Deletes texts that only the erased views had: a page, a referring host. */
async function forgetLabels(database: Database, projectId: ProjectId): Promise<void> {
  const row = await database.kysely
    .selectFrom("analytics_project")
    .select(["number", "kept_from", "index_from"])
    .where("project_id", "=", projectId)
    .executeTakeFirst();
  // When the index is due for a rebuild, the server's maintenance does both, in this order.
  if (row && row.index_from >= row.kept_from) await deleteUnusedLabels(database, projectId, row);
}

function chunks<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / CHUNK) }, (_, index) =>
    all.slice(index * CHUNK, (index + 1) * CHUNK),
  );
}
