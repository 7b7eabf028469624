import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import path from "node:path";
import type { BackupFile } from "./manifest.ts";
import type { BackupFolder } from "./backup-folder.ts";

const BLOB_BYTES = 1024 * 1024;

export type BackupWriter = ReturnType<typeof createBackupWriter>;

/** Stores files in a backup. `known`: files of the newest complete backup whose names identify their content. */
export function createBackupWriter(
  { config, folder, signal }: { config: { dataDirectory: string }; folder: BackupFolder; signal: AbortSignal },
  known: ReadonlyMap<string, BackupFile>,
) {
  const files: BackupFile[] = [];
  let writtenBytes = 0;

  const addChunks = async (name: string, chunks: AsyncIterable<Buffer> | Iterable<Buffer>) => {
    const hash = createHash("sha256");
    const blobs: string[] = [];
    let size = 0;
    for await (const chunk of inBlobs(chunks)) {
      signal.throwIfAborted();
      hash.update(chunk);
      size += chunk.length;
      const put = await folder.put(chunk);
      writtenBytes += put.written;
      blobs.push(put.name);
    }
    files.push({ path: name, size, sha256: hash.digest("hex"), blobs });
  };

  const addFrom = (name: string, source: string) =>
    addChunks(name, createReadStream(source, { highWaterMark: BLOB_BYTES }));

  return {
    files,
    writtenBytes: () => writtenBytes,
    addChunks,
    addFrom,
    /** False if the file does not exist. */
    addOptional: (name: string) =>
      addFrom(name, path.join(config.dataDirectory, name)).then(() => true, ifMissing(false)),
    async addKnown(name: string): Promise<boolean> {
      const same = known.get(name);
      if (!same || !(await all(same.blobs, folder.has))) return false;
      files.push(same);
      return true;
    },
    /** Adds a file whose name identifies its content. Returns whether the newest complete backup did not have it. */
    async addObject(name: string): Promise<boolean> {
      const source = path.join(config.dataDirectory, name);
      const same = known.get(name);
      if (same?.size !== (await stat(source)).size || !(await all(same.blobs, folder.has))) {
        await addFrom(name, source);
        return true;
      }
      files.push(same);
      return false;
    },
  };
}

const all = async <T>(items: readonly T[], holds: (item: T) => Promise<boolean>) =>
  (await Promise.all(items.map(holds))).every(Boolean);

/** Splits into blobs of fixed size, whatever size the reads have, so that equal files have equal blobs. */
async function* inBlobs(chunks: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    waiting.push(chunk);
    size += chunk.length;
    if (size < BLOB_BYTES) continue;
    let joined = Buffer.concat(waiting);
    for (; joined.length >= BLOB_BYTES; joined = joined.subarray(BLOB_BYTES)) yield joined.subarray(0, BLOB_BYTES);
    waiting = [joined];
    size = joined.length;
  }
  if (size > 0) yield Buffer.concat(waiting);
}

export const ifMissing =
  <T>(value: T) =>
  (error: unknown): T => {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return value;
    throw error;
  };
