import { randomBytes } from "node:crypto";
import { mkdir, open, rename, rm } from "node:fs/promises";
import path from "node:path";

/** Flushes a file, or a folder's entries, so that creating, renaming or removing a file survives a power failure. */
export async function sync(place: string): Promise<void> {
  const handle = await open(place, "r").catch(() => null);
  if (!handle) return; // removed meanwhile: its parent is flushed too
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Flushes every folder that a change of these references touched: git flushes a reference's file but not its folder,
 * and without that a power failure loses the last acknowledged push.
 */
export async function syncReferences(directory: string, refs: readonly string[]): Promise<void> {
  const folders = new Set([directory]); // packed-refs, which a deletion rewrites
  for (const ref of refs) {
    for (let folder = path.posix.dirname(ref); folder !== "."; folder = path.posix.dirname(folder)) {
      folders.add(path.join(directory, folder));
    }
  }
  await Promise.all([...folders].map(sync));
}

/** Creates a missing folder, but not its parents: a repository that was deleted meanwhile must not reappear. */
export async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
}

/**
 * Writes a read-only file under a temporary name, flushes it and renames it, so that it exists whole or not at all. The
 * caller flushes the folder.
 */
export async function writeDurably(file: string, pieces: readonly Uint8Array[]): Promise<void> {
  // The prefix is git's own for packs and objects, so that its housekeeping removes what a crash left behind.
  const temporary = path.join(path.dirname(file), `tmp_obj_${randomBytes(8).toString("hex")}`);
  try {
    const handle = await open(temporary, "wx", 0o444);
    try {
      await handle.writeFile(pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
