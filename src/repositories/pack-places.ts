import type { Database } from "#db/database.ts";
import { StorageUnavailable } from "#lib/storage-unavailable.ts";
import type { Bucket } from "#object-storage/bucket.ts";
import { createBucketPacks } from "./bucket-packs.ts";
import { createChunkPacks } from "./chunk-packs.ts";
import type { PackStorage } from "./pack-storage.ts";

/** Where a node stores new packs, and the bucket from which it can read others. */
export interface PackPlaces {
  bucket: Bucket | null;
  writesTo: "database" | "s3";
  /** How long objects of packs that were replaced stay in the bucket, for earlier backups of the database. */
  keepMs: number;
}

export const IN_DATABASE: PackPlaces = { bucket: null, writesTo: "database", keepMs: 0 };

/** Reads packs from wherever their rows say, and stores new ones in the database or in the bucket. */
export function createPackStorage(
  database: Database,
  { bucket, writesTo }: Pick<PackPlaces, "bucket" | "writesTo">,
): PackStorage {
  const chunks = createChunkPacks(database);
  const objects = bucket && createBucketPacks({ database, bucket });
  const bucketPacks = (): PackStorage => {
    if (objects) return objects;
    throw new StorageUnavailable(
      "Packs are in a bucket, and DOCENT_S3_BUCKET is not set: set it as on the other nodes.",
    );
  };
  return {
    begin: (repository, pack) => (writesTo === "s3" ? bucketPacks() : chunks).begin(repository, pack),
    read: (repository, pack) => (pack.object === null ? chunks : bucketPacks()).read(repository, pack),
  };
}
