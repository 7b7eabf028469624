import type { Database, DatabaseTransaction } from "#db/database.ts";
import { createTrustedTime, type TrustedTime } from "#db/trusted-time.ts";
import type { Clock } from "#lib/clock.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { KeyVault } from "#lib/secrets/key-vault.ts";
import type { AgentList } from "#features/visitors/clients/agent-list.ts";
import type { Classify } from "#features/visitors/clients/classify.ts";
import { createLruCache } from "#lib/lru-cache.ts";
import { emptyOutcome, type FoldOutcome, foldProject, type ProjectContext } from "./fold-project.ts";
import { createIndexStores } from "./index-store.ts";
import type { JournalPosition } from "#features/visitors/journal/journal.ts";
import { firstKeptDay, readAnalyticsSettings } from "#features/visitors/settings.ts";
import { createLabelStore } from "./label-store.ts";
import { createPacker } from "./packing.ts";
import { lockProject } from "./project-row.ts";
import { currentSecret } from "#features/visitors/secrets.ts";
import { createSegmentStore } from "./segments.ts";
import type { JournalRecord } from "#features/visitors/view-record.ts";
import { createAgentVerifier } from "#features/visitors/clients/verify-agent.ts";
import { createVisitorNumbers } from "#features/visitors/clients/visitor-key.ts";

export interface FoldDeps {
  database: Database;
  classify: Classify;
  /** For verifying agents; the list that comes with Docent by default. */
  agents?: AgentList;
  clock: Clock;
  /** Decrypts the visitor secrets. */
  vault: KeyVault;
  /** The clock that decides what is too old. */
  time?: TrustedTime;
  /** The number of changed count rows at which they are packed. */
  minPackedRows?: number;
}

/** Turns records into facts, the visitor index and view counts. */
export interface Fold {
  /**
   * One transaction for all of `records`; with `progress`, it includes the journal's position, so that records are
   * folded exactly once, even if a process is killed in between. Throws `JournalMoved` when the journal is not at
   * `progress.from`.
   */
  fold(records: readonly JournalRecord[], progress?: FoldProgress): Promise<FoldOutcome>;
}

interface FoldProgress {
  journal: string;
  /** The journal's last position: just before the records. */
  from: JournalPosition;
  position: JournalPosition;
  /** Digest of an imported log's lines up to `position`. */
  digest?: string;
}

/**
 * The records were folded already, and nothing was done: an earlier commit succeeded but its response was lost, or its
 * process died.
 */
export class JournalMoved extends Error {}

type KnownSettings = Pick<ProjectContext, "settings" | "secret">;

const SETTINGS_MS = 5_000;
const MAX_SETTINGS = 1_000;

export function createFold(deps: FoldDeps): Fold {
  const { database, classify, clock, time = createTrustedTime(deps) } = deps;
  const stores = createIndexStores(database);
  const labels = createLabelStore({ clock });
  const segments = createSegmentStore();
  const packer = createPacker(clock, deps.minPackedRows);
  const visitorNumberOf = createVisitorNumbers();
  const verify = createAgentVerifier(deps.agents);
  const settings = createLruCache<ProjectId, { known: KnownSettings; at: number }>({ maxWeight: MAX_SETTINGS });
  const forget = () => {
    labels.forget();
    segments.forget();
    packer.forget();
    settings.clear();
  };

  const settingsOf = async (
    transaction: DatabaseTransaction,
    projectId: ProjectId,
    trusted: Date,
  ): Promise<KnownSettings | null> => {
    const now = clock.now().getTime();
    const remembered = settings.get(projectId);
    // In both directions: a clock that is set back must not turn seconds into a day.
    if (remembered && Math.abs(now - remembered.at) < SETTINGS_MS) return remembered.known;
    const known = await readKnownSettings({ queryable: transaction, vault: deps.vault }, projectId, trusted.getTime());
    if (known) settings.set(projectId, { known, at: now });
    return known;
  };

  const run = async (
    transaction: DatabaseTransaction,
    records: readonly JournalRecord[],
    { progress, trusted }: { progress: FoldProgress | undefined; trusted: Date },
  ): Promise<FoldOutcome> => {
    const outcome = emptyOutcome();
    const tools = { transaction, store: stores(transaction), labels, segments, classify, visitorNumberOf, verify };
    const byProject = [...Map.groupBy(records, (record) => record.project)];
    byProject.sort(([left], [right]) => (left < right ? -1 : 1)); // a fixed lock order, so that nodes cannot deadlock
    for (const [projectId, ofProject] of byProject) {
      const known = await settingsOf(transaction, projectId, trusted);
      if (!known) {
        outcome.refused += ofProject.length; // deleted meanwhile, with its views
        continue;
      }
      const row = await lockProject(database, transaction, projectId);
      const indexes = row.next_index === null ? [row.index_number] : [row.index_number, row.next_index];
      const { number, label_version: labelVersion } = row;
      const context = { ...known, number, labelVersion, indexes, keptFrom: firstKeptDay(trusted, known.settings) };
      const changed = await foldProject(tools, context, ofProject, outcome);
      for (const [index, rows] of changed) await packer.changed(transaction, index, rows);
    }
    if (progress) await recordPosition(transaction, progress);
    return outcome;
  };

  return {
    async fold(records, progress) {
      let attempt = 0;
      const trusted = await time.now();
      try {
        return await database.transaction(async (transaction) => {
          if (attempt++ > 0) forget(); // what the failed attempt created was rolled back
          return run(transaction, records, { progress, trusted });
        });
      } catch (error) {
        forget();
        throw error;
      }
    },
  };
}

async function readKnownSettings(
  deps: { queryable: DatabaseTransaction; vault: KeyVault },
  projectId: ProjectId,
  now: number,
) {
  const settings = await readAnalyticsSettings(deps.queryable, projectId);
  if (settings === null) return null;
  const { retentionDays } = settings;
  return { settings, secret: await currentSecret(deps, projectId, { now, retentionDays }) };
}

/** Compare-and-swap: the second of two transactions that fold the same records waits here for the first, and fails. */
async function recordPosition(transaction: DatabaseTransaction, progress: FoldProgress): Promise<void> {
  const { journal, from, position } = progress;
  const digest = progress.digest ?? null;
  const { numUpdatedRows } = await transaction
    .updateTable("journal_position")
    .set({ segment: position.segment, position: position.position, digest })
    .where("journal", "=", journal)
    .where("segment", "=", from.segment)
    .where("position", "=", from.position)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows > 0n) return;
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto("journal_position")
    .values({ journal, segment: position.segment, position: position.position, digest })
    .onConflict((conflict) => conflict.column("journal").doNothing())
    .executeTakeFirstOrThrow();
  const isFirst = from.segment === 0 && from.position === 0 && numInsertedOrUpdatedRows === 1n;
  if (!isFirst) throw new JournalMoved(`the journal ${journal} was folded by another process`);
}
