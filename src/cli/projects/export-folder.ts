import { createWriteStream, existsSync, readFileSync } from "node:fs";
import { mkdir, readdir, rename, rm, rmdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { AppError, errorText } from "#lib/app-error.ts";
import { lockFile } from "#lib/file-lock.ts";

/** Marks the folder of every export: a folder without it is never replaced. */
const MARKER = ".docent-export.json";

/** A folder that replaces an older export once it is complete. */
export interface ExportFolder extends AsyncDisposable {
  write(file: string, content: string | Uint8Array | AsyncIterable<Uint8Array>): Promise<void>;
  /** Moves it to the target; `about` describes the export in its marker. */
  finish(about: object): Promise<void>;
}

/**
 * Writes to `TARGET.unfinished` next to the target, and removes it when disposed. What a killed export leaves has this
 * name, and the next export removes it.
 *
 * @throws AppError `conflict` if the target, or the folder next to it, contains anything except an export, and while
 * another export writes to it.
 */
export async function openExportFolder(target: string): Promise<ExportFolder> {
  const building = `${target}.unfinished`;
  const replaced = `${target}.replaced`;
  for (const folder of [target, building, replaced]) await refuseOthers(folder);
  await using made = new AsyncDisposableStack();
  made.use(await lockTarget(target));
  made.defer(() => rm(building, { recursive: true, force: true }));
  for (const folder of [building, replaced]) await rm(folder, { recursive: true, force: true });
  await mkdir(building, { recursive: true });
  await writeFile(path.join(building, MARKER), `${JSON.stringify({ isFinished: false })}\n`);
  const folders = new Set<string>();
  const owned = made.move();
  return {
    async write(file, content) {
      const whole = path.join(building, ...file.split("/"));
      const folder = path.dirname(whole);
      if (!folders.has(folder)) await mkdir(folder, { recursive: true });
      folders.add(folder);
      if (typeof content === "string" || content instanceof Uint8Array) await writeFile(whole, content);
      else await pipeline(Readable.from(content), createWriteStream(whole));
    },
    async finish(about) {
      await writeFile(path.join(building, MARKER), `${JSON.stringify({ isFinished: true, ...about })}\n`);
      const isThere = existsSync(target);
      try {
        if (isThere && (await readdir(target)).length === 0) await rmdir(target);
        else if (isThere) await rename(target, replaced);
        await rename(building, target);
      } catch (error) {
        if (!existsSync(target) && existsSync(replaced)) await rename(replaced, target);
        throw new AppError(
          "conflict",
          `${target} cannot be replaced (${errorText(error)}). Name a folder inside of it.`,
          {
            cause: error,
          },
        );
      }
      await rm(replaced, { recursive: true, force: true });
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Two exports that build in the same folder would delete each other's files. */
async function lockTarget(target: string): Promise<AsyncDisposable> {
  const file = `${target}.lock`;
  await mkdir(path.dirname(target), { recursive: true });
  const lock = lockFile(file);
  if (lock === null) {
    throw new AppError("conflict", `Another export is writing to ${target}. Wait for it, or name another folder.`);
  }
  return {
    async [Symbol.asyncDispose]() {
      // Removes the file before it releases the lock, so that it cannot remove that of the next export.
      await rm(file, { force: true });
      lock[Symbol.dispose]();
    },
  };
}

async function refuseOthers(folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  const names = await readdir(folder).catch((error: unknown) => {
    throw new AppError("conflict", `${folder} is not a readable folder.`, { cause: error });
  });
  if (names.length === 0 || isExport(path.join(folder, MARKER))) return;
  throw new AppError("conflict", `${folder} is not empty, and no export: nothing was written. Name another folder.`);
}

function isExport(marker: string): boolean {
  try {
    return "isFinished" in (JSON.parse(readFileSync(marker, "utf8")) as object);
  } catch {
    return false;
  }
}
