import { randomBytes } from "node:crypto";
import { link, open, rename, unlink } from "node:fs/promises";
import path from "node:path";

/** Flushes a folder's list of names, so that a file that was made or renamed in it is there after a power cut. */
export async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Makes a file (mode 0600) that exists whole or not at all, also after a power cut. Written aside and linked into
 * place: of several writers the first wins. False when there is one already, which is as durable then.
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
  await flushFolder(path.dirname(file)); // also for a file of somebody else's: they may not have come so far
  return isMade;
}

/** Puts a file (mode 0600) in the place of one that may be there: whoever reads has one or the other whole, also after a power cut. */
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
