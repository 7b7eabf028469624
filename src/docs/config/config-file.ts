import { posix } from "node:path";
import { isIgnoredPath } from "#docs/ignored-path.ts";
import type { Snapshot } from "#docs/snapshot.ts";

const CONFIG_NAMES = ["docs.json", "mint.json"];
const MAX_CANDIDATES = 20;
const MAX_CANDIDATE_BYTES = 8 * 1024 * 1024;

/** Path of the configuration file of a folder; null when the folder has none. */
export function configFileIn(folder: string, isThere: (path: string) => boolean): string | null {
  return CONFIG_NAMES.map((name) => posix.join(folder, name)).find(isThere) ?? null;
}

/**
 * Path of the site's configuration: `docs.json` or `mint.json` in `contentRoot` if one is given, else at the root,
 * else in `docs/`, else the shallowest one that has a navigation (other tools write a `docs.json` too).
 */
export async function findConfigFile(snapshot: Snapshot, contentRoot: string | null): Promise<string | null> {
  const files = (await snapshot.files()).filter(
    (file) => file.kind === "file" && CONFIG_NAMES.includes(posix.basename(file.path)) && !isIgnoredPath(file.path),
  );
  const paths = new Set(files.map((file) => file.path));
  const folders = contentRoot === null ? ["", "docs"] : [contentRoot];
  for (const folder of folders) {
    const found = configFileIn(folder, (path) => paths.has(path));
    if (found !== null) return found;
  }
  if (contentRoot !== null) return null;

  const depth = (path: string) => path.split("/").length;
  const others = files
    .filter((file) => file.sizeBytes <= MAX_CANDIDATE_BYTES)
    .map((file) => file.path)
    .sort((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1))
    .slice(0, MAX_CANDIDATES);
  for (const path of others) {
    const bytes = await snapshot.read(path);
    if (bytes !== null && /"navigation"\s*:\s*[[{]/.test(new TextDecoder().decode(bytes))) return path;
  }
  return null;
}
