import type { Database, DatabaseTransaction } from "#db/database.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import type { ProjectId } from "#lib/ids.ts";
import { monthStart } from "#features/visitors/day.ts";
import { classAt, type FactColumns } from "#features/visitors/facts.ts";
import { createIndexStores, type IndexStore } from "./index-store.ts";
import { createPacker, type Packer } from "./packing.ts";
import { lockProject, takeNumber } from "./project-row.ts";
import { retallyDay, retallyMonth } from "./retally.ts";
import { maskOf, RULES_VERSION, storedClass } from "#features/visitors/clients/rules.ts";
import { readDay } from "./segments.ts";
import { addAppearances, type Appearance } from "./visitor-index.ts";
import { type CountRow, decodePack, packRows, packSpans } from "./pack.ts";

interface RebuildDeps {
  database: Database;
  clock: Clock;
}

export interface RebuildResult {
  /** The number of facts read. */
  views: number;
  /** With `verify`: rows of counts in the new index, and how many differ from the old one. */
  comparison: { rows: number; differences: number } | null;
}

interface RebuildOptions {
  projectId: ProjectId;
  /**
   * Compares the indexes under the lock before the new one is used (a second for a million rows). They differ only if
   * there are facts older than the retention.
   */
  verify?: boolean;
  onProgress?: (share: number) => void;
  signal?: AbortSignal;
}

/** Views of one pass over the facts; more views need more passes, each for a part of the visitors. */
const VIEWS_PER_PASS = 2_000_000;
const CHUNK = 2_000;
const VISITORS = 2 ** 53;

/**
 * Rebuilds the visitor index of a project from its facts and their stored classes, while views continue to be folded:
 * they are added to both indexes, and adding a view twice or in another order changes nothing. Then the new index
 * replaces the old one. If it is killed at any time, the old index stays in place and the rebuild can be run again.
 */
export async function rebuildVisitorIndex(
  { database, clock }: RebuildDeps,
  options: RebuildOptions,
): Promise<RebuildResult> {
  const { projectId, onProgress, signal } = options;
  const stores = createIndexStores(database);
  const packer = createPacker(clock);
  const { number, next } = await begin(database, projectId);
  const days = await readDays(database, number);
  const views = days.reduce((sum, { views: ofDay }) => sum + ofDay, 0);
  const passes = Math.max(1, Math.ceil(views / VIEWS_PER_PASS));
  for (let pass = 0; pass < passes; pass++) {
    const part = { from: (VISITORS / passes) * pass, to: (VISITORS / passes) * (pass + 1) };
    const appearances: Appearance[] = [];
    for (const { day } of days) {
      signal?.throwIfAborted();
      for (const columns of await readDay(database.kysely, number, day)) collect({ columns, day, part }, appearances);
    }
    appearances.sort((a, b) => a.visitor - b.visitor); // in the order of the table, so that it grows at its end
    for (let start = 0; start < appearances.length; start += CHUNK) {
      signal?.throwIfAborted();
      await addChunk({ database, projectId, next, packer, stores }, appearances.slice(start, start + CHUNK));
      onProgress?.((pass + start / appearances.length) / passes);
    }
  }
  for (const { day } of days) await retallyDay({ database, stores }, { projectId, day });
  for (const month of new Set(days.map(({ day }) => monthStart(day))))
    await retallyMonth(database, { projectId, month });
  return { views, comparison: await finish(database, { projectId, next, verify: options.verify ?? false }) };
}

/**
 * From here on folds write to the new index, too. The cleanup removes the index of an earlier rebuild that was killed.
 */
async function begin(database: Database, projectId: ProjectId): Promise<{ number: number; next: number }> {
  return database.transaction(async (transaction) => {
    const { number } = await lockProject(database, transaction, projectId);
    const next = await takeNumber(database, transaction);
    await transaction
      .updateTable("analytics_project")
      .set({ next_index: next })
      .where("project_id", "=", projectId)
      .execute();
    return { number, next };
  });
}

async function finish(
  database: Database,
  { projectId, next, verify }: { projectId: ProjectId; next: number; verify: boolean },
): Promise<RebuildResult["comparison"]> {
  return database.transaction(async (transaction) => {
    const row = await lockProject(database, transaction, projectId);
    if (row.next_index !== next) throw new AppError("conflict", "Another rebuild of this project began meanwhile.");
    const comparison = verify ? await compareIndexes(transaction, row.index_number, next) : null;
    await transaction
      .updateTable("analytics_project")
      .set({ index_number: next, next_index: null, rules_version: RULES_VERSION })
      .where("project_id", "=", projectId)
      .execute();
    return comparison;
  });
}

async function compareIndexes(transaction: DatabaseTransaction, old: number, next: number) {
  const before = await readIndexRows(transaction, old);
  const after = await readIndexRows(transaction, next);
  let differences = 0;
  for (const [key, counts] of before) if (after.get(key) !== counts) differences++;
  for (const key of after.keys()) if (!before.has(key)) differences++;
  return { rows: after.size, differences };
}

interface ChunkTarget {
  database: Database;
  projectId: ProjectId;
  next: number;
  packer: Packer;
  stores: ReturnType<typeof createIndexStores>;
}

async function addChunk({ database, projectId, next, packer, stores }: ChunkTarget, chunk: readonly Appearance[]) {
  await database.transaction(async (transaction) => {
    const row = await lockProject(database, transaction, projectId);
    if (row.next_index !== next) throw new AppError("conflict", "Another rebuild of this project began meanwhile.");
    const store: IndexStore = stores(transaction);
    await packer.changed(transaction, next, await addAppearances(store, next, chunk));
  });
}

interface Collecting {
  columns: FactColumns;
  day: number;
  part: { from: number; to: number };
}

function collect({ columns, day, part }: Collecting, appearances: Appearance[]): void {
  for (let index = 0; index < columns.rows; index++) {
    const visitor = columns.visitor[index]!;
    if (visitor < part.from || visitor >= part.to) continue;
    const mask = maskOf(storedClass(classAt(columns, index)));
    if (mask !== 0) appearances.push({ visitor, page: columns.page[index]!, day, mask });
  }
}

function readDays(database: Database, number: number) {
  return database.kysely
    .selectFrom("view_segment")
    .select(({ fn }) => ["day", fn.sum<number>("views").as("views")])
    .where("project", "=", number)
    .groupBy("day")
    .orderBy("day")
    .execute()
    .then((rows) => rows.map((row) => ({ day: row.day, views: Number(row.views) })));
}

/** All rows of an index, packed or not: "day/page/previous" to "human/ai/total". For comparing two indexes. */
export async function readIndexRows(transaction: DatabaseTransaction, index: number): Promise<Map<string, string>> {
  const sums = new Map<string, { human: number; ai: number; total: number }>();
  const add = (day: number, row: CountRow) => {
    const key = `${day}/${row.page}/${row.previous}`;
    const sum = sums.get(key) ?? { human: 0, ai: 0, total: 0 };
    sums.set(key, { human: sum.human + row.human, ai: sum.ai + row.ai, total: sum.total + row.total });
  };
  const packs = await transaction
    .selectFrom("visitor_pack")
    .select(["day", "content"])
    .where("project", "=", index)
    .where("span", "in", [packSpans.day, packSpans.dayOfPackedMonth])
    .execute();
  for (const { day, content } of packs) for (const row of packRows(decodePack(content))) add(day, row);
  const rows = await transaction.selectFrom("visitor_count").selectAll().where("project", "=", index).execute();
  for (const row of rows) add(row.day, row);
  const texts = new Map<string, string>();
  for (const [key, { human, ai, total }] of sums) {
    if (human !== 0 || ai !== 0 || total !== 0) texts.set(key, `${human}/${ai}/${total}`);
  }
  return texts;
}
