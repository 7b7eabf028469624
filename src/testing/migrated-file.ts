import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { openDatabase } from "#db/database.ts";
import { silentLogger } from "#lib/logger.ts";
import { createTestDirectory } from "./repositories.ts";

const kept: { template?: Promise<Buffer> } = {};

/** Writes a migrated, empty SQLite store: a copy of one that is made once per process, as all migrations take 80 ms. */
export async function writeMigratedFile(file: string): Promise<void> {
  await writeFile(file, await (kept.template ??= migrateOnce()));
}

async function migrateOnce(): Promise<Buffer> {
  await using directory = await createTestDirectory();
  const file = path.join(directory.path, "docent.sqlite");
  const location = { engine: "sqlite", path: file } as const;
  await using database = await openDatabase({ location, logger: silentLogger, migrate: true });
  database.sqlite?.exec("pragma wal_checkpoint(truncate)");
  return await readFile(file);
}
