import { createHash } from "node:crypto";
import { mkdir, open, readdir, rename } from "node:fs/promises";
import path from "node:path";
import { AppError } from "#lib/app-error.ts";
import { flushFolder } from "#lib/durable-file.ts";
import { mapConcurrently } from "#lib/waiting/concurrency.ts";
import type { BackupFolder } from "./backup-folder.ts";
import type { BackupFile, Manifest } from "./manifest.ts";
import { SQLITE_NAME } from "./take-backup.ts";

interface RestoreOptions {
  folder: BackupFolder;
  manifest: Manifest;
  signal: AbortSignal;
  progress(words: string): void;
}

const FILES_AT_ONCE = 4;

/** `AppError conflict` if the directory is not empty: a restore never merges or overwrites. */
export async function requireEmpty(directory: string): Promise<void> {
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw new AppError("invalid", `${directory} cannot be used: ${error.message}`, { cause: error });
  });
  if (names.length === 0) return;
  throw new AppError("conflict", `${directory} is not empty. Restore into a new directory.`);
}

/**
 * Restores a backup into an empty directory and verifies all files. The database is written last, because a server does
 * not start on a directory without it, as a killed restore leaves. `AppError conflict` lists what is damaged or missing
 * in the backup.
 */
export async function restoreBackup(directory: string, options: RestoreOptions): Promise<void> {
  const { manifest, signal, progress } = options;
  await requireEmpty(directory);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const folders = new Set(manifest.files.map((file) => path.dirname(path.join(directory, file.path))));
  for (const folder of folders) await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const folder of folders) {
    if (!folder.endsWith(".git")) continue;
    for (const name of ["objects", "refs"]) await mkdir(path.join(folder, name), { recursive: true, mode: 0o700 });
  }
  const others = manifest.files.filter((file) => file.path !== SQLITE_NAME);
  let done = 0;
  await mapConcurrently(others, FILES_AT_ONCE, async (file) => {
    signal.throwIfAborted();
    await writeFileOf(options, file, path.join(directory, file.path));
    done += 1;
    progress(`Files: ${done} of ${manifest.files.length}`);
  });
  for (const folder of folders) await flushFolder(folder);
  const database = manifest.files.find((file) => file.path === SQLITE_NAME);
  if (database) {
    progress("Database");
    const place = path.join(directory, SQLITE_NAME);
    await writeFileOf(options, database, `${place}.new`);
    await rename(`${place}.new`, place);
  }
  await flushFolder(directory);
}

async function writeFileOf({ folder, signal }: RestoreOptions, file: BackupFile, place: string): Promise<void> {
  const hash = createHash("sha256");
  const handle = await open(place, "wx", 0o600);
  try {
    for (const name of file.blobs) {
      signal.throwIfAborted();
      const content = await folder.get(name);
      hash.update(content);
      await handle.writeFile(content);
    }
    await handle.sync();
    const { size } = await handle.stat();
    if (size === file.size && hash.digest("hex") === file.sha256) return;
  } finally {
    await handle.close();
  }
  throw new AppError(
    "conflict",
    `The file ${file.path} of the backup does not match its manifest. Restore another backup.`,
  );
}
