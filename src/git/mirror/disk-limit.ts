import { readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { AppError } from "#lib/app-error.ts";
import { isBeingWritten } from "#git/process/processes.ts";

const LOOK_EVERY_MS = 250;
/** What is fetched is written to all the time: such a file is nobody's any more. */
const LEFT_AFTER_MS = 15 * 60_000;

/**
 * Fetches into a repository as long as its packs stay below `maxBytes`; what is fetched beyond that is cut off and
 * removed. `AppError too_large`.
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
    await check(); // it may have been faster than we look
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
  // A file may be renamed between.
  const sizes = await Promise.all(
    names.map(async (name) => (await stat(path.join(folder, name)).catch(() => null))?.size ?? 0),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** What a git that was killed, or whose machine was, had begun to write. Another one's is left alone. */
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
