import { afterAll, describe } from "vitest";
import { describeRepoStore } from "#git/repo-store.contract.ts";
import { silentLogger } from "#lib/logger.ts";
import { createBucket } from "#object-storage/bucket.ts";
import { openTestDatabase } from "#testing/databases.ts";
import { LONG_TESTS } from "#testing/long-tests.ts";
import { startS3Server } from "#testing/s3-server.ts";
import { createStoredRepoStore } from "./stored-repo-store.ts";

const made = new AsyncDisposableStack();
afterAll(() => made.disposeAsync());

describe("with packs in the database", () => {
  describeRepoStore(async (root) => {
    const { database } = made.use(await openTestDatabase("postgres"));
    return createStoredRepoStore({ database, root, logger: silentLogger });
  });
});

// In the gate the contract of `PackStorage` holds both places to the same.
describe.runIf(LONG_TESTS)("with packs in a bucket", () => {
  describeRepoStore(async (root) => {
    const { database } = made.use(await openTestDatabase("postgres"));
    const { settings } = made.use(await startS3Server());
    const places = { bucket: createBucket({ settings, logger: silentLogger }), writesTo: "s3", keepMs: 0 } as const;
    return createStoredRepoStore({ database, root, logger: silentLogger, places });
  });
});
