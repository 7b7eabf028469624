import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { lockFile } from "#lib/file-lock.ts";

/** A journal folder for the exclusive use of this process, until it is released or the process dies. */
export interface JournalSlot extends Disposable {
  directory: string;
  /** Identifies the journal in `journal_position`. */
  id: string;
}

const MAX_SLOTS = 64;

/** Claims the first free folder under `root`: several processes may share a data directory. */
export async function claimJournalSlot(root: string): Promise<JournalSlot> {
  for (let number = 1; number <= MAX_SLOTS; number++) {
    const slot = await tryClaim(path.join(root, String(number)));
    if (slot) return slot;
  }
  throw new Error(`all ${MAX_SLOTS} journals under ${root} are in use`);
}

/** Claims every folder that a dead process left, one after another; the caller disposes each. */
export async function* claimLeftSlots(root: string): AsyncGenerator<JournalSlot> {
  const names = await readdir(root).catch((): string[] => []);
  for (const name of names.filter((one) => /^\d+$/.test(one))) {
    const slot = await tryClaim(path.join(root, name));
    if (slot) yield slot;
  }
}

async function tryClaim(directory: string): Promise<JournalSlot | null> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const lock = lockFile(path.join(directory, "lock"));
  if (!lock) return null;
  const release = () => lock[Symbol.dispose]();
  try {
    return { directory, id: await readOrMakeId(path.join(directory, "id")), [Symbol.dispose]: release };
  } catch (error) {
    release();
    throw error;
  }
}

async function readOrMakeId(file: string): Promise<string> {
  const known = await readFile(file, "utf8").catch(() => "");
  if (known !== "") return known;
  const id = randomUUID();
  await writeFile(file, id, { flush: true });
  return id;
}
