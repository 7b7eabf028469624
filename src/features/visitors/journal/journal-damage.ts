import { open, readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { DAY_MS } from "#lib/clock.ts";
import type { Logger } from "#lib/logger.ts";
import { syncFolder } from "./journal.ts";

const ENDING = ".damaged";
/** A failing disk must not be filled with damaged data. */
const MAX_KEPT_BYTES = 64 * 1024 * 1024;
/** The files may contain addresses: operators have a month to examine them. */
const KEPT_MS = 30 * DAY_MS;

/** Data of a journal that is missing from the counts. */
interface Damage {
  segment: number;
  position: number;
  bytes: Buffer;
}

/**
 * Keeps the bytes of a journal that could not be counted in a file next to it, readable by the server's user only, and
 * logs its name. The same bytes give the same file. The caller advances only afterwards.
 */
export async function setAside(
  { directory, logger }: { directory: string; logger: Logger },
  { segment, position, bytes }: Damage,
  reason: { message: string; error?: unknown },
): Promise<void> {
  const name = `${String(segment).padStart(10, "0")}-at-${position}${ENDING}`;
  const known = await listDamage(directory);
  const kept = known.filter((one) => one.name !== name).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const file = kept + bytes.length > MAX_KEPT_BYTES ? null : path.join(directory, name);
  if (file !== null) {
    const handle = await open(file, "w", 0o600);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await syncFolder(directory);
  }
  const records = bytes.toString("latin1").split('"project":').length - 1;
  logger.error(
    {
      ...(reason.error === undefined ? {} : { err: reason.error }),
      file,
      segment,
      position,
      bytes: bytes.length,
      records,
    },
    reason.message,
  );
}

/** Deletes files that were set aside more than a month before `now`. */
export async function removeOldDamage(directory: string, now: Date): Promise<void> {
  for (const { name, changedAt } of await listDamage(directory)) {
    if (changedAt < now.getTime() - KEPT_MS) await rm(path.join(directory, name), { force: true });
  }
}

async function listDamage(directory: string) {
  const names = (await readdir(directory)).filter((name) => name.endsWith(ENDING));
  const found = await Promise.all(
    names.map(async (name) => ({ name, file: await stat(path.join(directory, name)).catch(() => null) })),
  );
  return found.flatMap(({ name, file }) =>
    file === null ? [] : [{ name, sizeBytes: file.size, changedAt: file.mtimeMs }],
  );
}
