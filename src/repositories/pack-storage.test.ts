import { afterAll } from "vitest";
import { silentLogger } from "#lib/logger.ts";
import { createBucket } from "#object-storage/bucket.ts";
import { openTestDatabase } from "#testing/databases.ts";
import { startS3Server } from "#testing/s3-server.ts";
import { describePackStorage } from "./pack-storage.contract.ts";
import { createPackStorage } from "./pack-places.ts";
import { removeUnused } from "./unused-objects.ts";

const made = new AsyncDisposableStack();
afterAll(() => made.disposeAsync());

describePackStorage("chunks", async () => {
  const { database } = made.use(await openTestDatabase("postgres"));
  return {
    database,
    packs: createPackStorage(database, { bucket: null, writesTo: "database" }),
    async countStored() {
      return (await database.kysely.selectFrom("repository_pack_chunk").select("number").execute()).length;
    },
  };
});

describePackStorage("a bucket", async () => {
  const { database } = made.use(await openTestDatabase("postgres"));
  const { settings, objects } = made.use(await startS3Server());
  const bucket = createBucket({ settings, logger: silentLogger });
  return {
    database,
    packs: createPackStorage(database, { bucket, writesTo: "s3" }),
    async countStored() {
      await removeUnused({ database, bucket });
      return objects.size;
    },
  };
});
