import { createReadStream } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import type { Database } from "#db/database.ts";
import type { Logger } from "#lib/logger.ts";
import type { Bucket } from "#object-storage/bucket.ts";
import { readPackObjects } from "./pack-objects.ts";

/** Folder of a data directory into which `docent restore` writes the packs of a backup; below it, the names of objects. */
export const RESTORED_PACKS = "packs";

/** Stores the packs of a restored backup that the database names and the bucket lacks, then removes the folder. */
export async function storeRestoredPacks({
  database,
  bucket,
  dataDirectory,
  logger,
}: {
  database: Database;
  bucket: Bucket;
  dataDirectory: string;
  logger: Logger;
}): Promise<void> {
  const folder = path.join(dataDirectory, RESTORED_PACKS);
  const found = await readdir(folder, { recursive: true }).catch(() => null);
  if (found === null) return;
  const { packs } = await readPackObjects(database);
  const wanted = found.filter((name) => packs.has(name));
  const there = new Set<string>();
  if (wanted.length > 0) for await (const { name } of bucket.list("")) there.add(name);
  const lacking = wanted.filter((name) => !there.has(name));
  for (const name of lacking) {
    const file = path.join(folder, name);
    const { size: sizeBytes } = await stat(file);
    await bucket.put(name, { sizeBytes, read: () => createReadStream(file) });
  }
  await rm(folder, { recursive: true });
  logger.info({ packs: wanted.length, stored: lacking.length }, "the packs of the backup are in the bucket");
}
