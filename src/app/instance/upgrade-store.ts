import type { Database } from "#db/database.ts";
import { migrate, pendingMigrations } from "#db/migrations.ts";
import type { Logger } from "#lib/logger.ts";

const REPORT_EVERY_MS = 2_000;

/** Migrates with log lines before and after, and with progress while it takes long: readers get 503 meanwhile. */
export async function upgradeStore(
  { kysely, engine }: Pick<Database, "kysely" | "engine">,
  logger: Logger,
): Promise<void> {
  const pending = await pendingMigrations(kysely);
  const migrations = pending.length;
  const startedAt = performance.now();
  const seconds = () => Math.round((performance.now() - startedAt) / 100) / 10;
  let reportedAt = startedAt;
  logger.info(
    { migrations, first: pending[0], last: pending.at(-1) },
    "upgrading the database. Older versions cannot use it afterwards: the way back is a backup from before",
  );
  await migrate(kysely, engine, (migration) => {
    if (performance.now() - reportedAt < REPORT_EVERY_MS) return;
    reportedAt = performance.now();
    logger.info({ migration, number: pending.indexOf(migration) + 1, of: migrations, seconds: seconds() }, "still upgrading the database"); // oxfmt-ignore
  });
  logger.info({ migrations, seconds: seconds() }, "the database is upgraded");
}
