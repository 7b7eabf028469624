import { afterAll } from "vitest";
import { describeRepoStore } from "#git/repo-store.contract.ts";
import { silentLogger } from "#lib/logger.ts";
import { openTestDatabase } from "#testing/databases.ts";
import { createStoredRepoStore } from "./stored-repo-store.ts";

const made = new AsyncDisposableStack();
afterAll(() => made.disposeAsync());

describeRepoStore(async (root) => {
  const { database } = made.use(await openTestDatabase("postgres"));
  return createStoredRepoStore({ database, root, logger: silentLogger });
});
