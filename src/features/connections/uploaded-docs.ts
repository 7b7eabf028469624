import { unzipSync } from "fflate";
import { AppError } from "#lib/app-error.ts";

/** Limits of one upload, a ZIP file or a folder. */
export const MAX_UPLOAD_BYTES = 64 * 1024 * 1024;
/** The limits in words. */
export const UPLOAD_LIMIT = `at most ${MAX_UPLOAD_BYTES / 1024 / 1024} MB`;
const MAX_UNPACKED_BYTES = 256 * 1024 * 1024;
const MAX_FILES = 20_000;

/** Files that systems and tools leave in folders, and files that change the behavior of git. */
const LEFTOVERS = /(?:^|\/)(?:\.git[^/]*|__MACOSX|node_modules|\.DS_Store|Thumbs\.db)(?:\/|$)/i;

/**
 * The files of an uploaded ZIP by path, without a common top folder. `AppError invalid` if it is not a ZIP file, is
 * empty, or is too large.
 */
export function filesOfZip(zip: Uint8Array): Map<string, Uint8Array> {
  let unpacked = 0;
  let count = 0;
  let entries: Record<string, Uint8Array>;
  try {
    entries = unzipSync(zip, {
      // Decompressed into a buffer of the declared size, so that a file cannot exceed the total computed here.
      filter({ name, originalSize }) {
        if (name.endsWith("/") || LEFTOVERS.test(name)) return false;
        unpacked += originalSize;
        count += 1;
        if (unpacked > MAX_UNPACKED_BYTES || count > MAX_FILES) throw tooLarge();
        return true;
      },
    });
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError("invalid", "The file is not a ZIP file, or it is damaged.", { cause: error });
  }
  if (Object.keys(entries).length === 0) throw new AppError("invalid", "The ZIP file holds no files.");
  return withoutTopFolder(new Map(Object.entries(entries)));
}

/** The files of an uploaded folder, whose names are paths, without the folder itself. `AppError invalid`. */
export async function filesOfFolder(files: readonly File[]): Promise<Map<string, Uint8Array>> {
  const kept = files.filter(({ name }) => !LEFTOVERS.test(name));
  if (kept.length === 0) throw new AppError("invalid", "The folder holds no files.");
  if (kept.length > MAX_FILES) throw tooLarge();
  return withoutTopFolder(
    new Map(
      await Promise.all(kept.map(async (file) => [file.name, new Uint8Array(await file.arrayBuffer())] as const)),
    ),
  );
}

/** Removes a common top folder. */
function withoutTopFolder(files: ReadonlyMap<string, Uint8Array>): Map<string, Uint8Array> {
  const [top = ""] = [...files.keys()][0]!.split("/", 1);
  const isWrapped = [...files.keys()].every((path) => path.startsWith(`${top}/`));
  return new Map([...files].map(([path, content]) => [isWrapped ? path.slice(top.length + 1) : path, content]));
}

const tooLarge = () =>
  new AppError(
    "invalid",
    `There are more than ${MAX_UNPACKED_BYTES / 1024 / 1024} MiB or ${MAX_FILES.toLocaleString("en")} files. Push the repository with git instead.`,
  );
