import { readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { AppError } from "#lib/app-error.ts";
import { isBeingWritten } from "#git/process/processes.ts";

const LOOK_EVERY_MS = 250;
/** A running fetch writes continuously, so an unfinished file this old is abandoned. */
const LEFT_AFTER_MS = 15 * 60_000;

/**
 * Fetches into a repository while its packs stay below `maxBytes`. A larger fetch is aborted, its unfinished files are
 * removed, and `AppError too_large` is thrown.
 */
export async function withinDiskLimit<T>(
  directory: string,
  { maxBytes, signal }: { maxBytes: number; signal: AbortSignal | undefined },
  fetch: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const packs = path.join(directory, "objects", "pack");
  await removeCutPacks(directory, { packs, olderThanMs: LEFT_AFTER_MS });
  const limit = new AbortController();
  const check = async () => {
    if ((await bytesIn(packs)) > maxBytes) limit.abort(beyond(maxBytes));
  };
  await check();
  limit.signal.throwIfAborted();
  const timer = setInterval(() => void check(), LOOK_EVERY_MS);
  try {
    const fetched = await fetch(signal ? AbortSignal.any([signal, limit.signal]) : limit.signal);
    await check(); // it may have finished between two checks
    limit.signal.throwIfAborted();
    return fetched;
  } catch (error) {
    await removeCutPacks(directory, { packs, olderThanMs: 0 });
    throw error;
  } finally {
    clearInterval(timer);
  }
}

async function bytesIn(folder: string): Promise<number> {
  const names = await readdir(folder).catch((): string[] => []);
  // A file may be renamed meanwhile.
  const sizes = await Promise.all(
    names.map(async (name) => (await stat(path.join(folder, name)).catch(() => null))?.size ?? 0),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Removes unfinished packs of a git process that was killed or lost power, unless another one is writing. */
async function removeCutPacks(
  directory: string,
  { packs, olderThanMs }: { packs: string; olderThanMs: number },
): Promise<void> {
  const names = await readdir(packs).catch((): string[] => []);
  const unfinished = names.filter((name) => /^tmp_(?:pack|idx|rev)_/.test(name)).map((name) => path.join(packs, name));
  if (unfinished.length === 0 || (await isBeingWritten(directory))) return;
  for (const file of unfinished) {
    const writtenAt = (await stat(file).catch(() => null))?.mtimeMs ?? Infinity;
    if (olderThanMs === 0 || Date.now() - writtenAt > olderThanMs) await rm(file, { force: true });
  }
}

function beyond(maxBytes: number): AppError {
  const shown = maxBytes >= 2 ** 30 ? `${round(maxBytes / 2 ** 30)} GiB` : `${round(maxBytes / 2 ** 20)} MiB`;
  return new AppError(
    "too_large",
    `The repository takes more than ${shown} of disk here, which is this server's limit for one (DOCENT_MIRROR_MAX_BYTES).`,
  );
}

const round = (value: number): string => String(Math.round(value * 10) / 10);
