import { open } from "node:fs/promises";
import path from "node:path";

/** Flushes a folder's list of names, so that a created, renamed or removed file stays so after a power cut. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, "r").catch(() => null);
  if (!handle) return; // removed meanwhile: its parent is flushed too
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Flushes every folder that a change of these references touched: git flushes a reference's file but not its folder,
 * and without that the last acknowledged push is lost in a power cut.
 */
export async function syncReferences(directory: string, refs: readonly string[]): Promise<void> {
  const folders = new Set([directory]); // packed-refs, which a deletion rewrites
  for (const ref of refs) {
    for (let folder = path.posix.dirname(ref); folder !== "."; folder = path.posix.dirname(folder)) {
      folders.add(path.join(directory, folder));
    }
  }
  await Promise.all([...folders].map(syncDirectory));
}
