import { readdir } from "node:fs/promises";
import path from "node:path";
import type { Repository } from "./process/runner.ts";
import { isPartial, PROMISED } from "./transfer/partial.ts";

const MAX_PACKS = 40;
/** Limit for one of the 256 folders of loose objects: about 4,000 objects in total. */
const MAX_LOOSE_IN_SAMPLE = 16;
const TIMEOUT_MS = 30 * 60_000;

/**
 * Packs loose objects and small packs once there are many; returns whether it did. Unreachable objects are kept: the
 * tree that an unfinished job works on has no reference, and a new commit may reuse an old object at any time.
 */
export async function maintainRepository(repository: Repository): Promise<boolean> {
  const folder = path.join(repository.directory, "objects");
  const names = await namesIn(path.join(folder, "pack"));
  // Git does not repack a pack with a `.keep` file.
  const packs = names.filter((name) => name.endsWith(".pack") && !names.includes(name.replace(/pack$/, "keep"))).length;
  const loose = (await namesIn(path.join(folder, "17"))).length;
  if (packs <= MAX_PACKS && loose <= MAX_LOOSE_IN_SAMPLE) return false;
  await repository.run({
    args: ["gc", "--quiet", "--cruft", "--prune=never"],
    config: (await isPartial(repository.directory)) ? PROMISED : {},
    timeoutMs: TIMEOUT_MS,
  });
  return true;
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}
