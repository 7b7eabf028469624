import { silentLogger } from "#lib/logger.ts";
import { StorageUnavailable } from "#lib/storage-unavailable.ts";
import { createBucket } from "#object-storage/bucket.ts";
import { ownersOf } from "#repositories/owners.ts";
import { readPackObjects } from "#repositories/pack-objects.ts";
import { countOf, type Diagnosis, diagnose, firstOf, type DoctorInput } from "./diagnosis.ts";

const CHECK = "object storage";

/**
 * Compares the packs that are in a bucket with the objects there: each is there in full, and each object belongs to a
 * pack or is due to be removed. Reads names and sizes only.
 */
export async function checkObjectStorage(input: DoctorInput): Promise<Diagnosis[]> {
  const { config, signal, progress } = input;
  const before = await readPackObjects(input.database);
  if (config.objectStorage === null) {
    if (before.packs.size === 0) return [diagnose.ok(CHECK, "Not used: all packs are in the database.")];
    const words = `${countOf(before.packs.size, "pack is", "packs are")} in a bucket, and DOCENT_S3_BUCKET is not set.`;
    return [diagnose.problem(CHECK, words, "Run the command with the environment of the server.")];
  }
  const bucket = createBucket({ settings: config.objectStorage, logger: silentLogger });
  const there = new Map<string, number>();
  try {
    for await (const { name, sizeBytes } of bucket.list("")) {
      signal.throwIfAborted();
      there.set(name, sizeBytes);
      if (there.size % 1_000 === 0) progress(`Objects: ${there.size}`);
    }
  } catch (error) {
    if (!(error instanceof StorageUnavailable)) throw error;
    return [
      diagnose.problem(
        CHECK,
        error.reason,
        "Until it is back, pushes and jobs wait, and sites show what this node has.",
      ),
    ];
  }
  const after = await readPackObjects(input.database); // what changed while the bucket was listed is no finding
  const owners = new Map((await ownersOf(input.database)).map(({ id, name }) => [id, name]));
  const found: Diagnosis[] = [];
  for (const [name, { repository, sizeBytes }] of before.packs) {
    const size = there.get(name);
    if (size === sizeBytes || !after.packs.has(name)) continue;
    const state = size === undefined ? "is missing" : `has ${size} bytes in place of ${sizeBytes}`;
    const words = `The object ${name} of the repository of ${owners.get(repository) ?? repository} ${state}.`;
    const advice = "Restore it from a version of the bucket, or from a backup: docent restore. See troubleshooting.";
    found.push(diagnose.problem(CHECK, words, advice));
  }
  const isKnown = (name: string) => [before, after].some(({ packs, unused }) => packs.has(name) || unused.has(name));
  const strays = [...there].filter(([name]) => !isKnown(name) && !name.startsWith("check-"));
  if (strays.length > 0) {
    const words = `${countOf(strays.length, "object belongs", "objects belong")} to no repository of this instance (${megabytes(strays)}), such as ${strays[0]![0]}.`;
    const advice =
      "They are newer than a database that was restored, or of another instance with the same bucket and prefix. Docent never removes them.";
    found.push(diagnose.warning(CHECK, words, advice));
  }
  if (found.length > 0) return firstOf(found);
  const packs = countOf(before.packs.size, "pack");
  return [diagnose.ok(CHECK, `${packs} in ${bucket.url}, each in full (${megabytes([...there])}).`)];
}

const megabytes = (objects: readonly (readonly [string, number])[]) =>
  `${(objects.reduce((sum, [, size]) => sum + size, 0) / 1_000_000).toFixed(1)} MB`;
