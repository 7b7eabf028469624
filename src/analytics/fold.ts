import type { Database, DatabaseTransaction } from "#db/database.ts";
import type { Clock } from "#lib/clock.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { Classify } from "./classify.ts";
import { BoundedMap } from "./counts-cache.ts";
import { foldProject, type ProjectContext } from "./fold-project.ts";
import { createIndexStores } from "./index-store.ts";
import type { JournalPosition } from "./journal.ts";
import { createLabelStore } from "./label-store.ts";
import { createPacker } from "./packer.ts";
import { lockProject } from "./project-row.ts";
import { currentSecret } from "./secrets.ts";
import { createSegmentStore } from "./segments.ts";
import { readAnalyticsSettings } from "./settings.ts";
import type { JournalRecord } from "./view-record.ts";
import { createAgentVerifier } from "./verify-agent.ts";
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
   * folded exactly once whatever dies when. `JournalMoved` when the journal does not stand at `progress.from`.
   */
  fold(records: readonly JournalRecord[], progress?: FoldProgress): Promise<void>;
}

interface FoldProgress {
  journal: string;
  /** Where the journal was left: just before the records. */
  from: JournalPosition;
  position: JournalPosition;
}

/**
 * The records were folded already, and nothing was done: a commit came through whose answer was lost, or that of a
 * process which died meanwhile.
 */
export class JournalMoved extends Error {}

type KnownSettings = Pick<ProjectContext, "settings" | "secret">;

const SETTINGS_MS = 5_000;
const MAX_SETTINGS = 1_000;

export function createFold(deps: FoldDeps): Fold {
  const { database, classify, clock } = deps;
  const stores = createIndexStores(database);
  const labels = createLabelStore();
  const segments = createSegmentStore();
  const packer = createPacker(clock, deps.minPackedRows);
  const visitorNumberOf = createVisitorNumbers();
  const verify = createAgentVerifier();
  const settings = new BoundedMap<ProjectId, { known: KnownSettings; until: number }>(MAX_SETTINGS);
  const forget = () => {
    labels.forget();
    segments.forget();
    packer.forget();
    settings.clear();
  };

  const settingsOf = async (transaction: DatabaseTransaction, projectId: ProjectId): Promise<KnownSettings | null> => {
    const now = clock.now().getTime();
    const remembered = settings.get(projectId);
    if (remembered && remembered.until > now) return remembered.known;
    const known = await readKnownSettings(transaction, projectId, now);
    if (known) settings.set(projectId, { known, until: now + SETTINGS_MS });
    return known;
  };

  const run = async (
    transaction: DatabaseTransaction,
    records: readonly JournalRecord[],
    progress: FoldProgress | undefined,
  ) => {
    const tools = { transaction, store: stores(transaction), labels, segments, classify, visitorNumberOf, verify };
    const byProject = [...Map.groupBy(records, (record) => record.project)];
    byProject.sort(([left], [right]) => (left < right ? -1 : 1)); // the order of locks, so that nodes cannot deadlock
    for (const [projectId, ofProject] of byProject) {
      const known = await settingsOf(transaction, projectId);
      if (!known) continue; // deleted meanwhile, and its views with it
      const row = await lockProject(database, transaction, projectId);
      const indexes = row.next_index === null ? [row.index_number] : [row.index_number, row.next_index];
      const context = { ...known, number: row.number, indexes, keptFrom: row.kept_from };
      const changed = await foldProject(tools, context, ofProject);
      for (const [index, rows] of changed) await packer.changed(transaction, index, rows);
    }
    if (progress) await recordPosition(transaction, progress);
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

async function readKnownSettings(transaction: DatabaseTransaction, projectId: ProjectId, now: number) {
  const settings = await readAnalyticsSettings(transaction, projectId);
  if (settings === null) return null;
  const { retentionDays } = settings;
  return { settings, secret: await currentSecret(transaction, projectId, { now, retentionDays }) };
}

/** Compares and swaps: the second of two transactions that fold the same records waits here for the first, and fails. */
async function recordPosition(
  transaction: DatabaseTransaction,
  { journal, from, position }: FoldProgress,
): Promise<void> {
  const { numUpdatedRows } = await transaction
    .updateTable("journal_position")
    .set({ segment: position.segment, position: position.position })
    .where("journal", "=", journal)
    .where("segment", "=", from.segment)
    .where("position", "=", from.position)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows > 0n) return;
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto("journal_position")
    .values({ journal, segment: position.segment, position: position.position })
    .onConflict((conflict) => conflict.column("journal").doNothing())
    .executeTakeFirstOrThrow();
  const isFirst = from.segment === 0 && from.position === 0 && numInsertedOrUpdatedRows === 1n;
  if (!isFirst) throw new JournalMoved(`the journal ${journal} was folded on by somebody else`);
}
