import { randomBytes } from "node:crypto";
import type { Database } from "#db/database.ts";
import { AppError } from "#lib/app-error.ts";
import { DAY_MS } from "#lib/clock.ts";
import type { Bucket } from "#object-storage/bucket.ts";
import type { PackStorage } from "./pack-storage.ts";
import { databaseClock } from "./unused-objects.ts";

/** Longer than any upload takes. */
const UPLOAD_MS = DAY_MS;

/**
 * Packs as objects in a bucket. A name is never used twice: an object that is being removed cannot be one that another
 * node has just stored again. The object has a row in `unused_object` until the row of its pack is committed.
 */
export function createBucketPacks({ database, bucket }: { database: Database; bucket: Bucket }): PackStorage {
  return {
    async begin(repository, pack) {
      const object = `${repository}/${pack.name}-${randomBytes(6).toString("hex")}`;
      await database.kysely
        .insertInto("unused_object")
        .values({ object, remove_after: databaseClock(UPLOAD_MS) })
        .execute();
      // If this fails, the service may still store it later: the row stays until it certainly has not.
      await bucket.put(object, { sizeBytes: pack.sizeBytes + pack.indexBytes, read: pack.read });
      return {
        object,
        async finish(transaction) {
          const named = await transaction
            .deleteFrom("unused_object")
            .where("object", "=", object)
            .returning("object")
            .executeTakeFirst();
          if (!named) throw new AppError("unavailable", "Storing the objects took more than a day. Try again.");
        },
        async abandon(by) {
          await by.updateTable("unused_object").set({ remove_after: 0 }).where("object", "=", object).execute();
        },
      };
    },
    async *read(_repository, { object, sizeBytes, indexBytes }) {
      const content = await bucket.get(object!, sizeBytes + indexBytes);
      if (content) yield* content;
    },
  };
}
