import type { Config } from "#app/instance/config.ts";
import { openDatabase } from "#db/database.ts";
import { AppError } from "#lib/app-error.ts";
import { silentLogger } from "#lib/logger.ts";
import { StorageUnavailable } from "#lib/storage-unavailable.ts";
import { createBucket } from "#object-storage/bucket.ts";
import { type PackObjects, readPackObjects } from "#repositories/pack-objects.ts";
import { RESTORED_PACKS } from "#repositories/restored-packs.ts";

/** A repository or one of its files disappeared during the copy: its project was deleted after the database was read. */
export class Vanished extends Error {}

/** Of an object that no pack names any more: its transfer is given hours. */
const UNKNOWN_BYTES = 1024 ** 3;

/** Adds files to a backup. */
interface PackWriter {
  addChunks(name: string, chunks: AsyncIterable<Buffer>): Promise<void>;
  /** Adds a file that an earlier backup has under this name; false if none has. */
  addKnown(name: string): Promise<boolean>;
}

interface PackCopyOptions {
  config: Pick<Config, "database" | "objectStorage">;
  signal: AbortSignal;
  progress(words: string): void;
}

/** The objects that the database names now; none in one that an older version of Docent made. */
export async function packObjectsNow({ database: location }: Pick<Config, "database">): Promise<PackObjects> {
  const none: PackObjects = { packs: new Map(), unused: new Set() };
  if (location.engine === "sqlite") return none;
  await using database = await openDatabase({ location, logger: silentLogger, migrate: false });
  return await readPackObjects(database).catch(() => none);
}

/**
 * Adds the packs that are in a bucket: those that the database named before its snapshot or after it, and those that were
 * replaced lately. Returns a sentence for each pack that is not there.
 */
export async function addPacks(
  { config, signal, progress }: PackCopyOptions,
  writer: PackWriter,
  before: PackObjects,
): Promise<string[]> {
  const after = await packObjectsNow(config);
  const packs = new Map([...before.packs, ...after.packs]);
  const names = new Set([...packs.keys(), ...after.unused]);
  if (names.size === 0) return [];
  if (config.objectStorage === null) {
    const message =
      "Packs of repositories are in a bucket, and DOCENT_S3_BUCKET is not set. Run the command with the environment of the server.";
    throw new AppError("invalid", message);
  }
  const bucket = createBucket({ settings: config.objectStorage, logger: silentLogger });
  const missing: string[] = [];
  let done = 0;
  for (const name of names) {
    signal.throwIfAborted();
    progress(`Packs: ${++done} of ${names.size}`);
    const file = `${RESTORED_PACKS}/${name}`;
    if (await writer.addKnown(file)) continue;
    const content = await bucket.get(name, packs.get(name)?.sizeBytes ?? UNKNOWN_BYTES).catch((error: unknown) => {
      if (!(error instanceof StorageUnavailable)) throw error;
      throw new AppError("unavailable", error.reason, { cause: error });
    });
    if (content) await writer.addChunks(file, buffers(content));
    else if (packs.has(name)) missing.push(name);
  }
  if (missing.length === 0) return [];
  const now = await packObjectsNow(config);
  for (const name of missing) if (!now.packs.has(name)) throw new Vanished(name);
  return missing.map((name) => `The object ${name} is missing from the object storage: see docent doctor.`);
}

async function* buffers(content: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const chunk of content) yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
}
