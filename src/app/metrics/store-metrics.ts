import { stat, statfs } from "node:fs/promises";
import { Counter, Gauge, type Registry } from "prom-client";
import type { Config } from "#app/instance/config.ts";
import type { Database } from "#db/database.ts";
import { countWorkers } from "#db/node-locks.ts";
import { lostRepositories } from "#features/projects/lost-repositories.ts";
import type { RepoStore } from "#git/repo-store.ts";
import { countMisplaced } from "#repositories/move-packs.ts";
import type { PackPlaces } from "#repositories/pack-places.ts";
import type { Analytics } from "#features/visitors/collect/analytics.ts";
import type { Clock } from "#lib/clock.ts";
import { secondsSince } from "#lib/measure.ts";

/** Time limit of a scrape while the database hangs. */
const PATIENCE_MS = 3_000;

interface StoreMetricsDeps {
  config: Pick<Config, "dataDirectory" | "database">;
  database: Database;
  repoStore: RepoStore;
  places: PackPlaces | null;
  clock: Clock;
  /** Counts of this process's journal. */
  views(): ReturnType<Analytics["stats"]>;
}

/** Metrics of the store and the disk, read on each scrape. */
export function addStoreMetrics(registry: Registry, deps: StoreMetricsDeps) {
  const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge({ name, help, labelNames, registers: [registry] });
  const up = gauge("docent_store_up", "1 while the database answers.");
  const latency = gauge("docent_store_latency_seconds", "How long a small query took just now.");
  const size = gauge("docent_store_size_bytes", "Size of the SQLite database with its log.");
  const free = gauge("docent_disk_free_bytes", "Free space for the data directory.");
  const disk = gauge("docent_disk_size_bytes", "Size of the disk of the data directory.");
  const jobs = gauge("docent_jobs", "Jobs that are not done, by phase.", "phase");
  const oldest = gauge(
    "docent_job_queue_age_seconds",
    "How long the oldest job that could run has waited for a worker.",
  );
  const workers = gauge("docent_workers", "Processes that run jobs, on all nodes.");
  const deliveries = gauge("docent_webhook_deliveries_pending", "Webhook deliveries that are still to be made.");
  const mail = gauge("docent_mail_delayed", "Mail that could not be sent at the first attempt and waits for another.");
  const missing = gauge("docent_repositories_missing", "Projects whose repository is not in the data directory.");
  const { places } = deps;
  const storageUp = gauge("docent_object_storage_up", "0 while requests to the object storage fail.");
  const toMove = gauge("docent_packs_to_move", "Packs of repositories that are not yet where new ones go.");
  const failing = gauge("docent_connections_failing", "Repositories on other hosts whose last look failed.");
  const lag = gauge("docent_journal_lag_seconds", "How long the oldest view has waited to be counted.");
  const views = new Counter({
    name: "docent_views_total",
    help: "Views that the journal took, refused as too many (shed) or could not write (lost).",
    labelNames: ["result"] as const,
    registers: [registry],
  });

  const readRows = async () => {
    const { kysely } = deps.database;
    const now = deps.clock.now().getTime();
    const startMs = performance.now();
    await kysely.selectFrom("instance_value").select("name").limit(1).execute();
    latency.set(secondsSince(startMs));
    const active = await kysely
      .selectFrom("job")
      .select(({ fn }) => ["phase", fn.countAll<number>().as("count")])
      .where("status", "=", "active")
      .groupBy("phase")
      .execute();
    jobs.reset();
    for (const { phase, count } of active) jobs.set({ phase }, Number(count));
    const next = await kysely
      .selectFrom("job")
      .select(({ fn }) => fn.min("run_after").as("at"))
      .where("status", "=", "active")
      .whereRef("done_seq", "<", "msg_seq")
      .where(({ or, eb }) => or([eb("lease_until", "is", null), eb("lease_until", "<", now)]))
      .where("run_after", "<=", now)
      .executeTakeFirst();
    oldest.set(next?.at == null ? 0 : Math.max(0, now - Number(next.at)) / 1_000);
    workers.set(await countWorkers(deps.database));
    const pending = await kysely
      .selectFrom("webhook_delivery")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .where("status", "=", "pending")
      .executeTakeFirstOrThrow();
    deliveries.set(Number(pending.count));
    const delayed = await kysely
      .selectFrom("mail")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .where("attempt", ">", 0)
      .executeTakeFirstOrThrow();
    mail.set(Number(delayed.count));
    const inTrouble = await kysely
      .selectFrom("connection")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .where("trouble", "is not", null)
      .executeTakeFirstOrThrow();
    failing.set(Number(inTrouble.count));
    missing.set((await lostRepositories(deps)).length);
    toMove.set(places ? await countMisplaced(deps.database, places.writesTo) : 0);
  };

  const readDisk = async () => {
    const { dataDirectory, database } = deps.config;
    const { bavail, bsize, blocks } = await statfs(dataDirectory);
    free.set(bavail * bsize);
    disk.set(blocks * bsize);
    if (database.engine !== "sqlite") return;
    const files = await Promise.all(
      [database.path, `${database.path}-wal`].map((file) => stat(file).catch(() => null)),
    );
    size.set(files.reduce((sum, file) => sum + (file?.size ?? 0), 0));
  };

  return async (): Promise<void> => {
    const { accepted, shed, lost, lagSeconds } = deps.views();
    views.reset();
    for (const [result, count] of Object.entries({ accepted, shed, lost })) views.inc({ result }, count);
    lag.set(lagSeconds);
    storageUp.set(places?.bucket?.trouble() == null ? 1 : 0);
    const late = new Promise<never>((_, reject) => setTimeout(reject, PATIENCE_MS, new Error("late")).unref());
    const [rows] = await Promise.allSettled([Promise.race([readRows(), late]), readDisk()]);
    up.set(rows.status === "fulfilled" ? 1 : 0);
  };
}
