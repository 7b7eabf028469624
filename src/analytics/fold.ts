import { sql } from "kysely";
import type { Database, DatabaseTransaction } from "#db/database.ts";
import type { Clock } from "#lib/clock.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { Classify } from "./classify.ts";
import { BoundedMap } from "./counts-cache.ts";
import { dayOf } from "./day.ts";
import { foldProject, type ProjectContext } from "./fold-project.ts";
import { createIndexStores } from "./index-store.ts";
import type { JournalPosition } from "./journal.ts";
import { createLabelStore } from "./label-store.ts";
import { MIN_PACKED_ROWS, packCounts } from "./packing.ts";
import { RULES_VERSION } from "./rules.ts";
import { currentSecret } from "./secrets.ts";
import { createSegmentStore } from "./segments.ts";
import { readAnalyticsSettings } from "./settings.ts";
import type { JournalRecord } from "./view-record.ts";
import { createVisitorNumbers } from "./visitor-key.ts";

export interface FoldDeps {
  database: Database;
  classify: Classify;
  clock: Clock;
  /** Rows of changed counts from which on they are packed. */
  minPackedRows?: number;
}

/** Turns records into facts, the visitor index and view counts. */
export interface Fold {
  /**
   * One transaction for all of `records`; with `progress`, the journal's position is part of it, so that records are
   * folded exactly once whatever dies when.
   */
  fold(records: readonly JournalRecord[], progress?: { journal: string; position: JournalPosition }): Promise<void>;
}

const CONTEXT_MS = 5_000;
const MAX_CONTEXTS = 1_000;
/** A row is copied that often on average until its day is over: 2 µs, against a query that sums fewer rows in SQL. */
const REWRITES_PER_ROW = 16;
/** First key of the advisory locks that make one writer per project on PostgreSQL; the second is its number. */
const LOCK_CLASS = 0x0d0c;

interface KnownContext {
  context: ProjectContext;
  until: number;
}

export function createFold(deps: FoldDeps): Fold {
  const { database, classify, clock } = deps;
  const stores = createIndexStores(database);
  const labels = createLabelStore();
  const segments = createSegmentStore();
  const visitorNumberOf = createVisitorNumbers();
  const contexts = new BoundedMap<ProjectId, KnownContext>(MAX_CONTEXTS);
  const packer = createPacker(clock, deps.minPackedRows ?? MIN_PACKED_ROWS);
  const forget = () => {
    packer.forget();
    labels.forget();
    segments.forget();
    contexts.clear();
  };

  const contextOf = async (transaction: DatabaseTransaction, projectId: ProjectId): Promise<ProjectContext | null> => {
    const now = clock.now().getTime();
    const known = contexts.get(projectId);
    if (known && known.until > now) return known.context;
    const context = await readContext(transaction, projectId, now);
    if (context) contexts.set(projectId, { context, until: now + CONTEXT_MS });
    return context;
  };

  const run = async (
    transaction: DatabaseTransaction,
    records: readonly JournalRecord[],
    progress: { journal: string; position: JournalPosition } | undefined,
  ) => {
    const work: { context: ProjectContext; records: JournalRecord[] }[] = [];
    for (const [projectId, ofProject] of Map.groupBy(records, (record) => record.project)) {
      const context = await contextOf(transaction, projectId);
      if (context) work.push({ context, records: ofProject }); // else: deleted meanwhile, and its views with it
    }
    work.sort((a, b) => a.context.number - b.context.number); // the order of locks, so that nodes cannot deadlock
    if (database.engine === "postgres")
      await lockProjects(
        transaction,
        work.map(({ context }) => context.number),
      );
    const store = stores(transaction);
    for (const one of work) {
      const tools = { transaction, store, labels, segments, classify, visitorNumberOf };
      const changed = await foldProject(tools, one.context, one.records);
      await packer.changed(transaction, one.context.number, changed);
    }
    if (progress) await recordPosition(transaction, progress.journal, progress.position);
  };

  return {
    async fold(records, progress) {
      let attempt = 0;
      try {
        await database.transaction(async (transaction) => {
          if (attempt++ > 0) forget(); // what the failed attempt made was rolled back
          await run(transaction, records, progress);
        });
      } catch (error) {
        forget();
        throw error;
      }
    },
  };
}

/** Decides when a project's changes are packed: when they are many, and enough against what must be rewritten. */
function createPacker(clock: Clock, minPackedRows: number) {
  const states = new BoundedMap<number, { unpacked: number; packAt: number }>(MAX_CONTEXTS);
  return {
    async changed(transaction: DatabaseTransaction, project: number, rows: number): Promise<void> {
      if (rows === 0) return;
      const known = states.get(project);
      const unpacked = known ? known.unpacked + rows : await countUnpacked(transaction, project);
      const state = { unpacked, packAt: known?.packAt ?? minPackedRows };
      if (state.unpacked >= state.packAt) {
        const size = await packCounts({ transaction, project, today: dayOf(clock.now().getTime()) });
        state.unpacked = 0;
        state.packAt = Math.max(minPackedRows, Math.ceil(size / REWRITES_PER_ROW));
      }
      states.set(project, state);
    },
    forget: () => states.clear(),
  };
}

async function countUnpacked(transaction: DatabaseTransaction, project: number): Promise<number> {
  const { size } = await transaction
    .selectFrom("visitor_count")
    .select(({ fn }) => fn.countAll<number>().as("size"))
    .where("project", "=", project)
    .executeTakeFirstOrThrow();
  return Number(size);
}

async function lockProjects(transaction: DatabaseTransaction, numbers: readonly number[]): Promise<void> {
  for (const number of numbers) await lockProject(transaction, number);
}

/** Waits to be the one writer of a project's counts until the transaction ends (PostgreSQL only). */
export async function lockProject(transaction: DatabaseTransaction, number: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCK_CLASS}, ${number})`.execute(transaction);
}

async function readContext(
  transaction: DatabaseTransaction,
  projectId: ProjectId,
  now: number,
): Promise<ProjectContext | null> {
  const settings = await readAnalyticsSettings(transaction, projectId);
  if (settings === null) return null;
  const { number, kept_from: keptFrom } = await registerProject(transaction, projectId);
  const secret = await currentSecret(transaction, projectId, { now, retentionDays: settings.retentionDays });
  return { number, keptFrom, settings, secret };
}

/** The row that gives a project its number, made when missing. */
export async function registerProject(transaction: DatabaseTransaction, projectId: ProjectId) {
  const find = () =>
    transaction.selectFrom("analytics_project").selectAll().where("project_id", "=", projectId).executeTakeFirst();
  const known = await find();
  if (known) return known;
  // The number is unique: of two nodes at once one waits here, then fails and repeats its transaction.
  await sql`
    insert into analytics_project (project_id, number, rules_version, kept_from)
    select ${projectId}, coalesce(max(number), 0) + 1, ${RULES_VERSION}, 0 from analytics_project where true
    on conflict (project_id) do nothing
  `.execute(transaction);
  const made = await find();
  if (!made) throw new Error("a project's row vanished while it was made");
  return made;
}

async function recordPosition(
  transaction: DatabaseTransaction,
  journal: string,
  { segment, position }: JournalPosition,
): Promise<void> {
  await transaction
    .insertInto("journal_position")
    .values({ journal, segment, position })
    .onConflict((conflict) => conflict.column("journal").doUpdateSet({ segment, position }))
    .execute();
}
