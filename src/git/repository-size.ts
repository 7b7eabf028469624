import { readdir, stat } from "node:fs/promises";
import path from "node:path";

/** Size of a bare repository on disk in bytes: packs, loose objects and references. 0 if it is missing. */
export async function repositoryBytes(directory: string): Promise<number> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  let bytes = 0;
  for (const entry of entries) {
    // A file may be packed or renamed meanwhile.
    if (entry.isFile()) bytes += (await stat(path.join(entry.parentPath, entry.name)).catch(() => null))?.size ?? 0;
  }
  return bytes;
}
