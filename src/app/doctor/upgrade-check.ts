import { existsSync } from "node:fs";
import { stat, statfs } from "node:fs/promises";
import { sql } from "kysely";
import type { Config } from "#app/instance/config.ts";
import { readInstanceFile } from "#app/instance/instance-file.ts";
import { readInstanceValue } from "#app/instance/store.ts";
import { type Database, openDatabase } from "#db/database.ts";
import { pendingMigrations, readSchemaState } from "#db/migrations.ts";
import { silentLogger } from "#lib/logger.ts";
import { readRelease } from "#lib/version.ts";
import { countOf, type Diagnosis, diagnose, sizeOf } from "./diagnosis.ts";
import { checkFiles } from "./file-checks.ts";
import { checkDirectory } from "./machine-checks.ts";
import { checkKey, unfinishedCopy } from "./store-checks.ts";

/**
 * Reports what the first start of this version would do to a data directory and its database, and what blocks it.
 * Changes nothing, and can run while the old version runs.
 */
export async function examineUpgrade(config: Config, { signal }: { signal: AbortSignal }): Promise<Diagnosis[]> {
  const found = [...(await checkDirectory(config)), ...(await checkFiles(config, { signal }))];
  if (found.some(({ state }) => state === "problem")) return found.filter(({ state }) => state === "problem");
  const { database: location } = config;
  if (location.engine === "sqlite" && !existsSync(location.path)) {
    const advice = "With PostgreSQL, set DATABASE_URL to the server's value. With SQLite, check --data.";
    return [diagnose.problem("database", `The database ${location.path} is missing.`, advice)];
  }
  await using database = await openDatabase({ location, logger: silentLogger, migrate: false });
  const state = await readSchemaState(database.kysely);
  if (state === "unfinished") return [unfinishedCopy("migrations")];
  const release = state === "none" ? null : await readInstanceValue(database, "release").catch(() => null); // not in 0.1.0
  const versions = diagnose.ok("version", `${release ?? "an early version"} ran last, and this is ${readRelease()}.`);
  if (state === "none") return [diagnose.ok("migrations", "The database is empty: the first start makes its tables.")];
  if (state === "newer") {
    const advice = "Use the version that ran last, or a later one.";
    return [
      versions,
      diagnose.problem("migrations", "A later version than this one has migrated the database.", advice),
    ];
  }
  const pending = await pendingMigrations(database.kysely);
  if (pending.length === 0)
    return [versions, diagnose.ok("migrations", "None: you can start this version now."), server(config)];
  const steps = diagnose.ok("migrations", `${countOf(pending.length, "migration")}: ${pending.join(", ")}.`);
  // Stores that ran a version with releases have the table of the vault.
  const key = release === null ? [] : await checkKey({ database, config, full: false });
  return [versions, steps, await room(config, database), ...key, server(config)];
}

/** A migration may rewrite a whole table, and needs space for both copies. */
async function room({ dataDirectory, database: location }: Config, { kysely }: Database): Promise<Diagnosis> {
  if (location.engine === "postgres") {
    const { rows } = await sql<{ bytes: number }>`select pg_database_sizeOf(current_database()) as bytes`.execute(
      kysely,
    );
    return diagnose.ok(
      "disk",
      `The database has ${sizeOf(Number(rows[0]?.bytes))}. PostgreSQL needs up to as much free space.`,
    );
  }
  const files = await Promise.all([location.path, `${location.path}-wal`].map((file) => stat(file).catch(() => null)));
  const bytes = files.reduce((sum, file) => sum + (file?.size ?? 0), 0);
  const { bavail, bsize } = await statfs(dataDirectory);
  const words = `The database has ${sizeOf(bytes)}, and ${sizeOf(bavail * bsize)} are free.`;
  const advice = `Free some space first: a migration needs up to ${sizeOf(bytes)}.`;
  return bavail * bsize > bytes ? diagnose.ok("disk", words) : diagnose.problem("disk", words, advice);
}

function server({ dataDirectory }: Config): Diagnosis {
  const running = readInstanceFile(dataDirectory);
  if (running === null) return diagnose.ok("server", "None runs on this data directory.");
  const words = `A server runs at ${running.baseUrl} (process ${running.pid}).`;
  return diagnose.warning("server", words, "Stop it before you start this version, and make a backup then.");
}
