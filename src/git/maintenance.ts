import { readdir } from "node:fs/promises";
import path from "node:path";
import type { Repository } from "./process/runner.ts";
import { isPartial, PROMISED } from "./transfer/partial.ts";

const MAX_PACKS = 40;
/** Of one of the 256 folders that loose objects are spread over: about 4,000 in all. */
const MAX_LOOSE_IN_SAMPLE = 16;
const TIMEOUT_MS = 30 * 60_000;

/**
 * Packs what has piled up, when it is much; answers whether it did. Nothing is ever dropped: a tree that an unfinished
 * job stands on has no reference, and a new commit may take up an old object at any moment.
 */
export async function maintainRepository(repository: Repository): Promise<boolean> {
  const folder = path.join(repository.directory, "objects");
  const names = await namesIn(path.join(folder, "pack"));
  // Git leaves a pack with a `.keep` as it is.
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
