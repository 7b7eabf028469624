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
 * empty, is too large, or holds symbolic links.
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
  const links = linksIn(zip);
  if (links.length > 0) throw linksRefused(links);
  if (Object.keys(entries).length === 0) throw new AppError("invalid", "The ZIP file holds no files.");
  return withoutTopFolder(new Map(Object.entries(entries)));
}

/**
 * The paths of symbolic links, which `unzipSync` returns as files that hold the path of another. APPNOTE.TXT 6.3.10: 4.3.12
 * (central directory), 4.3.16 (its end), 4.4.2 (which systems have a file mode), 4.4.15 (the mode).
 */
function linksIn(zip: Uint8Array): string[] {
  const bytes = Buffer.from(zip.buffer, zip.byteOffset, zip.byteLength);
  const end = bytes.lastIndexOf("PK\u0005\u0006", undefined, "latin1");
  const links: string[] = [];
  if (end === -1) return links;
  let at = bytes.readUInt32LE(end + 16);
  while (at + 46 <= end && bytes.readUInt32LE(at) === 0x02014b50) {
    const [system, nameEnd] = [bytes[at + 5], at + 46 + bytes.readUInt16LE(at + 28)];
    const type = (bytes.readUInt32LE(at + 38) >>> 16) & 0o170000;
    const name = bytes.toString("utf8", at + 46, nameEnd);
    if ((system === UNIX || system === MACOS) && type === 0o120000 && !LEFTOVERS.test(name)) links.push(name);
    at = nameEnd + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return links;
}

const [UNIX, MACOS] = [3, 19];

function linksRefused(links: readonly string[]): AppError {
  const more = links.length > MAX_NAMED ? ` and ${links.length - MAX_NAMED} more` : "";
  const message = `The ZIP file holds symbolic links, which an upload cannot keep: ${links.slice(0, MAX_NAMED).join(", ")}${more}.`;
  return new AppError(
    "invalid",
    `${message} Replace each by the file that it points to, or copy the repository from its Git address.`,
  );
}

const MAX_NAMED = 5;

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
