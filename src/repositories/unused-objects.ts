import { type RawBuilder, sql } from "kysely";
import type { Database, DatabaseTransaction } from "#db/database.ts";
import type { ProjectId } from "#lib/ids.ts";
import { mapConcurrently } from "#lib/waiting/concurrency.ts";
import type { Bucket } from "#object-storage/bucket.ts";

/** The database's clock, because all nodes share it; `inMs` later. */
export const databaseClock = (inMs = 0): RawBuilder<number> =>
  sql<number>`(extract(epoch from now()) * 1000)::bigint + ${Math.round(inMs)}::bigint`;

/** Notes objects that their packs no longer name, in the transaction that removes or changes the packs. */
export async function noteUnused(
  transaction: DatabaseTransaction,
  objects: readonly (string | null)[],
  { keepMs }: { keepMs: number },
): Promise<void> {
  const rows = objects.flatMap((object) => (object === null ? [] : [{ object, remove_after: databaseClock(keepMs) }]));
  if (rows.length > 0) await transaction.insertInto("unused_object").values(rows).execute();
}

const BATCH = 50;
const AT_ONCE = 8;

/**
 * Removes the objects that are due, of one repository or of all. `StorageUnavailable` during an outage; the rest is
 * removed by a later call. Nodes may run it at the same time.
 */
export async function removeUnused(
  { database, bucket }: { database: Database; bucket: Pick<Bucket, "remove"> },
  { repository, signal }: { repository?: ProjectId; signal?: AbortSignal } = {},
): Promise<void> {
  for (let removed = BATCH; removed === BATCH && !signal?.aborted;) {
    removed = await database.transaction(async (transaction) => {
      // Locked until it is removed: a pack that is being stored for so long then finds its row gone, and is not committed.
      let due = transaction
        .selectFrom("unused_object")
        .select("object")
        .where("remove_after", "<=", databaseClock())
        .where(({ not, exists, selectFrom }) =>
          not(exists(selectFrom("repository_pack as pack").whereRef("pack.object", "=", "unused_object.object"))),
        );
      if (repository !== undefined) due = due.where("object", "like", `${repository}/%`);
      const rows = await due.orderBy("remove_after").limit(BATCH).forUpdate().skipLocked().execute();
      const objects = rows.map(({ object }) => object);
      await mapConcurrently(objects, AT_ONCE, bucket.remove);
      if (objects.length > 0) await transaction.deleteFrom("unused_object").where("object", "in", objects).execute();
      return objects.length;
    });
  }
}
