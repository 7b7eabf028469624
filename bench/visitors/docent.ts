import { createClassifier } from "#features/visitors/clients/classify.ts";
import { createFold } from "#features/visitors/index/fold.ts";
import type { Database } from "#db/database.ts";
import { systemClock } from "#lib/clock.ts";
import type { ProjectId } from "#lib/ids.ts";
import { aView, insertTestProject } from "#testing/views.ts";
import type { GeneratedView } from "./generate.ts";
import { testVault } from "#testing/vault.ts";

/** How many waiting views one fold processes. */
const BATCH = 10_000;

/** Folds views as the server does after the journal. Returns the views per second of folding alone. */
export async function loadDocent(
  database: Database,
  views: Iterable<GeneratedView>,
  onProgress: (done: number, perSecond: number) => void,
): Promise<{ projectId: ProjectId; perSecond: number; lastPerSecond: number }> {
  const projectId = await insertTestProject(database.kysely, { analytics: { retentionDays: 4_000 } });
  const fold = createFold({ database, classify: createClassifier(), clock: systemClock, vault: testVault });
  let batch: ReturnType<typeof aView>[] = [];
  let spentMs = 0;
  let done = 0;
  let recent: { ms: number; views: number } = { ms: 0, views: 0 };
  let lastPerSecond = 0;
  const flush = async () => {
    const started = performance.now();
    await fold.fold(batch);
    const ms = performance.now() - started;
    spentMs += ms;
    done += batch.length;
    recent = { ms: recent.ms + ms, views: recent.views + batch.length };
    if (recent.views >= 200_000) {
      lastPerSecond = (recent.views / recent.ms) * 1_000;
      onProgress(done, lastPerSecond);
      recent = { ms: 0, views: 0 };
    }
    batch = [];
  };
  for (const { time, visitor, page, isAi } of views) {
    const address = `10.${(visitor >> 16) & 255}.${(visitor >> 8) & 255}.${visitor & 255}`;
    const how = isAi ? ({ source: "served", surface: "markdown" } as const) : {};
    batch.push(aView(projectId, { time, address, path: `/docs/page-${page}`, ...how }));
    if (batch.length === BATCH) await flush();
  }
  if (batch.length > 0) await flush();
  return { projectId, perSecond: (done / spentMs) * 1_000, lastPerSecond };
}

/** Copies what queries read (not the facts, not the presence of visitors) from one store into another. */
export async function copyIndex(from: Database, to: Database, projectId: ProjectId): Promise<void> {
  const project = await from.kysely
    .selectFrom("project")
    .selectAll()
    .where("id", "=", projectId)
    .executeTakeFirstOrThrow();
  await to.kysely.insertInto("project").values(project).execute();
  const row = await from.kysely
    .selectFrom("analytics_project")
    .selectAll()
    .where("project_id", "=", projectId)
    .executeTakeFirstOrThrow();
  await to.kysely.insertInto("analytics_project").values(row).execute();
  for (const [table, number] of [
    ["analytics_label", row.number],
    ["view_tally", row.number],
    ["visitor_pack", row.index_number],
    ["visitor_count", row.index_number],
  ] as const) {
    const rows = await from.kysely.selectFrom(table).selectAll().where("project", "=", number).execute();
    for (let start = 0; start < rows.length; start += 500) {
      await to.kysely
        .insertInto(table)
        .values(rows.slice(start, start + 500) as never)
        .execute();
    }
  }
}
