import { placeOfRepositories } from "./store.ts";
import type { Database } from "#db/database.ts";
import { repeat } from "#kit/tasks/repeat.ts";
import type { Logger } from "#lib/logger.ts";
import { StorageUnavailable } from "#lib/storage-unavailable.ts";
import { countMisplaced, movePacks } from "#repositories/move-packs.ts";
import type { PackPlaces } from "#repositories/pack-places.ts";
import { removeUnused } from "#repositories/unused-objects.ts";

const FIRST_AFTER_MS = 5_000;
const EVERY_MS = 10 * 60_000;

/**
 * Moves packs to where new ones go, and removes objects that no pack names any more, in the background. If nodes are
 * configured differently, only those move packs that agree with what was noted last.
 */
export function keepPacks(deps: { database: Database; places: PackPlaces; logger: Logger }): AsyncDisposable {
  const { database, places, logger } = deps;
  const { bucket, writesTo: to } = places;
  if (bucket === null) return { [Symbol.asyncDispose]: async () => undefined };
  async function run(signal: AbortSignal): Promise<void> {
    const misplaced = await countMisplaced(database, to);
    if (misplaced > 0 && (await placeOfRepositories(database)) === to) {
      logger.info({ packs: misplaced, to }, "moving packs of repositories");
      const moved = await movePacks({ database, places }, { signal });
      logger.info({ packs: moved, left: await countMisplaced(database, to), to }, "packs of repositories were moved");
    }
    await removeUnused({ database, bucket: bucket! }, { signal });
  }
  const work = (signal: AbortSignal) =>
    run(signal).catch((error: unknown) => {
      // The outage of a bucket is logged already.
      if (!(error instanceof StorageUnavailable)) logger.warn({ err: error }, "packs could not be moved or removed");
    });
  return repeat(work, { firstAfterMs: FIRST_AFTER_MS, everyMs: EVERY_MS });
}
