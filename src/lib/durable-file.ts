import { randomBytes } from "node:crypto";
import { link, open, rename, unlink } from "node:fs/promises";
import path from "node:path";

/** Flushes a folder's entries to disk, so that a file that was created or renamed in it survives a power cut. */
export async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Creates a file (mode 0600) atomically, also across a power cut: it is written under another name and linked into
 * place. Of several writers the first wins. Returns false when the file exists already; that file is then durable, too.
 */
export async function makeFileOnce(file: string, text: string): Promise<boolean> {
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  const handle = await open(draft, "wx", 0o600);
  let isMade = true;
  try {
    await handle.writeFile(text);
    await handle.sync();
    await link(draft, file);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    isMade = false;
  } finally {
    await handle.close();
    await unlink(draft);
  }
  await flushFolder(path.dirname(file)); // also for another writer's file: that writer may not have flushed yet
  return isMade;
}

/**
 * Creates or replaces a file (mode 0600) atomically: readers see either the old or the new content whole, also after a
 * power cut.
 */
export async function replaceFile(file: string, text: string): Promise<void> {
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  const handle = await open(draft, "wx", 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, file);
  await flushFolder(path.dirname(file));
}
