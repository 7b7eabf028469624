import path from "node:path";
import type { Config } from "./config.ts";
import { readInstanceFile } from "./instance-file.ts";
import { notePlaceOfRepositories, placeOfRepositories } from "./store.ts";
import type { Database } from "#db/database.ts";
import { createRepoStore } from "#git/directory-repo-store.ts";
import type { RepositoryOrigin } from "#git/mirror/mirrors.ts";
import { listRepositories } from "#git/repository-directory.ts";
import type { RepoStore } from "#git/repo-store.ts";
import { AppError } from "#lib/app-error.ts";
import { DAY_MS } from "#lib/clock.ts";
import { type Logger, silentLogger } from "#lib/logger.ts";
import { StorageUnavailable } from "#lib/storage-unavailable.ts";
import { createBucket } from "#object-storage/bucket.ts";
import type { BucketSettings } from "#object-storage/bucket-settings.ts";
import { countMisplaced } from "#repositories/move-packs.ts";
import { ownersOf } from "#repositories/owners.ts";
import type { PackPlaces } from "#repositories/pack-places.ts";
import { storeRestoredPacks } from "#repositories/restored-packs.ts";
import { createStoredRepoStore, type StoredRepoStore } from "#repositories/stored-repo-store.ts";

interface RepositoriesOptions {
  config: Pick<Config, "dataDirectory" | "maxMirrorBytes" | "repositories" | "objectStorage">;
  database: Database;
  logger: Logger;
  origin?: RepositoryOrigin;
}

export interface OpenRepositories {
  repoStore: RepoStore;
  /** Where packs are; null for repositories in the directory. */
  places: PackPlaces | null;
}

/**
 * Opens the repositories of a store in the directory or in the database. A server that is configured to keep them in
 * the database or in a bucket first moves those of its directory there: `AppError conflict` if one is missing. It also
 * notes for all nodes whether new packs go to the database or to the bucket.
 */
export async function openRepositories(
  options: RepositoriesOptions,
  { isServer = false }: { isServer?: boolean } = {},
): Promise<OpenRepositories> {
  const { config, database, logger } = options;
  const root = path.join(config.dataDirectory, "repositories");
  const how = { ...options, root, maxMirrorBytes: config.maxMirrorBytes };
  const noted = await placeOfRepositories(database);
  const chosen = config.repositories === "directory" ? null : config.repositories;
  const writesTo = (isServer || noted === "directory" ? chosen : null) ?? noted;
  if (writesTo === "directory") return { repoStore: createRepoStore(how), places: null };
  const places = await openPlaces(options, { writesTo, isServer, mayBeAway: noted === writesTo });
  if (noted === "directory") return { repoStore: await moveRepositories(options, { places, isServer }), places };
  if (noted !== writesTo) {
    await notePlaceOfRepositories(database, writesTo);
    logger.info({ from: noted, to: writesTo }, "packs of repositories go to another place from now on");
  }
  return { repoStore: createStoredRepoStore({ ...how, places }), places };
}

async function openPlaces(
  { config: { objectStorage, dataDirectory }, database, logger }: RepositoriesOptions,
  { writesTo, isServer, mayBeAway }: { writesTo: PackPlaces["writesTo"]; isServer: boolean; mayBeAway: boolean },
): Promise<PackPlaces> {
  if (objectStorage === null) {
    const isNeeded = writesTo === "s3" || (await countMisplaced(database, "database")) > 0;
    if (!isNeeded) return { bucket: null, writesTo, keepMs: 0 };
    throw new AppError(
      "conflict",
      "Packs of this instance's repositories are in a bucket: set DOCENT_S3_BUCKET, its key and the other DOCENT_S3 settings as on its other nodes.",
    );
  }
  if (isServer) await checkBucket(objectStorage, { mayBeAway, logger });
  const bucket = createBucket({ settings: objectStorage, logger });
  if (isServer) await storeRestoredPacks({ database, bucket, dataDirectory, logger });
  return { bucket, writesTo, keepMs: objectStorage.keepDays * DAY_MS };
}

/** During an outage a node serves what it has; the first use of a bucket has to succeed. */
async function checkBucket(
  settings: BucketSettings,
  { mayBeAway, logger }: { mayBeAway: boolean; logger: Logger },
): Promise<void> {
  try {
    await createBucket({ settings, logger: silentLogger }).check();
  } catch (error) {
    if (!(error instanceof StorageUnavailable)) throw error;
    if (!mayBeAway || !error.isOutage) throw new AppError("unavailable", error.reason, { cause: error });
    logger.error({ reason: error.reason }, "the server starts without its object storage");
  }
}

async function moveRepositories(
  options: RepositoriesOptions,
  { places, isServer }: { places: PackPlaces; isServer: boolean },
): Promise<RepoStore> {
  const { config, database, logger } = options;
  const { dataDirectory, maxMirrorBytes } = config;
  if (!isServer) {
    const message = `DOCENT_REPOSITORIES=${places.writesTo}: start the server once, which moves the repositories into the database.`;
    throw new AppError("conflict", message);
  }
  const running = readInstanceFile(dataDirectory);
  if (running) {
    const { baseUrl, pid } = running;
    throw new AppError(
      "conflict",
      `The server at ${baseUrl} (process ${pid}) runs on ${dataDirectory}. Stop it and all other nodes before the repositories are ` +
        "moved into the database: what it takes meanwhile would be lost.",
    );
  }
  const root = path.join(dataDirectory, "repositories");
  const stored = createStoredRepoStore({ ...options, root, maxMirrorBytes, places });
  await moveIntoDatabase(stored, { database, root, logger });
  await notePlaceOfRepositories(database, places.writesTo);
  return stored;
}

/** After a kill the directory is still authoritative, and the next start moves all of them again. */
async function moveIntoDatabase(
  stored: StoredRepoStore,
  { database, root, logger }: { database: Database; root: string; logger: Logger },
): Promise<void> {
  const there = await listRepositories(root);
  const owners = await ownersOf(database);
  const missing = owners.filter(({ id, isMirror }) => !isMirror && !there.has(id));
  const [first] = missing;
  if (first) {
    const others = missing.length > 1 ? ` (and ${missing.length - 1} more)` : "";
    throw new AppError(
      "conflict",
      `The repository of ${first.name}${others} is not in ${root}. Start on the data directory that holds all of them: the server moves ` +
        "them into the database.",
    );
  }
  const present = owners.filter(({ id }) => there.has(id));
  for (const [index, { id, name }] of present.entries()) {
    logger.info({ project: id, name, number: index + 1, of: present.length }, "moving a repository into the database");
    await stored.moveIn(id);
  }
  logger.info({ repositories: present.length }, "the repositories are in the database now");
}
