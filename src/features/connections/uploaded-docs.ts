import { unzipSync } from "fflate";
import { AppError } from "#lib/app-error.ts";

/** Of a ZIP file. */
export const MAX_UPLOAD_BYTES = 64 * 1024 * 1024;
const MAX_UNPACKED_BYTES = 256 * 1024 * 1024;
const MAX_FILES = 20_000;

/** What systems and tools leave in folders, and files that make git act: no part of the docs. */
const LEFTOVERS = /(?:^|\/)(?:\.git[^/]*|__MACOSX|node_modules|\.DS_Store|Thumbs\.db)(?:\/|$)/i;

/**
 * The files of an uploaded ZIP by their path; a folder around all of them is taken off. `AppError invalid` for what is no ZIP
 * file, holds nothing, or is too large.
 */
export function filesOfZip(zip: Uint8Array): Map<string, Uint8Array> {
  let unpacked = 0;
  let count = 0;
  let entries: Record<string, Uint8Array>;
  try {
    entries = unzipSync(zip, {
      // Inflated into a buffer of the size that it is said to have, so a file cannot grow beyond what is added up here.
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
  const paths = Object.keys(entries);
  if (paths.length === 0) throw new AppError("invalid", "The ZIP file holds no files.");
  const [top = ""] = paths[0]!.split("/", 1);
  const isWrapped = paths.every((path) => path.startsWith(`${top}/`));
  return new Map(paths.map((path) => [isWrapped ? path.slice(top.length + 1) : path, entries[path]!]));
}

const tooLarge = () =>
  new AppError(
    "invalid",
    `The ZIP file holds more than ${MAX_UNPACKED_BYTES / 1024 / 1024} MiB or ${MAX_FILES.toLocaleString("en")} files. Push the repository with git instead.`,
  );
