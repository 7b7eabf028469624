import path from "node:path";
import type { Database } from "#db/database.ts";
import { repeat } from "#kit/tasks/repeat.ts";
import type { PackPlaces } from "#repositories/pack-places.ts";
import { removeUnowned } from "#repositories/owners.ts";
import { createTrustedTime, type TrustedTime } from "#db/trusted-time.ts";
import type { RepoStore } from "#git/repo-store.ts";
import type { KeyVault } from "#lib/secrets/key-vault.ts";
import { removeLeftCopies } from "./backup/database-copy.ts";
import { openRepositories } from "./instance/repositories.ts";
import { openStore } from "./instance/store.ts";
import { keepPacks } from "./instance/keep-packs.ts";
import { openStoreVault } from "./instance/store-vault.ts";
import type { Context } from "./context.ts";
import { composeOrigins } from "./host-apis.ts";

/** The stored state: rows, repositories, and the key of sealed values. */
export interface Store {
  database: Database;
  vault: KeyVault;
  /** The clock by which records expire. */
  time: TrustedTime;
  repoStore: RepoStore;
  /** Where packs of repositories are; null if the repositories are in the directory. */
  places: PackPlaces | null;
}

/** Another node may have deleted a project. */
const SWEEP_EVERY_MS = 10 * 60_000;
const FIRST_SWEEP_MS = 5_000;

/** Opens the data directory and its database, and migrates it. `adopt`: see `StoreOptions`. */
export async function composeStore(
  { config, logger, clock, version, own }: Context,
  { adopt }: { adopt: boolean },
): Promise<Store & AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  const isWorker = config.role !== "web" && config.jobs.atOnce > 0;
  const database = own(stack, "store", await openStore(config, { logger, schema: "update", adopt, isWorker }));
  await removeLeftCopies(config.dataDirectory);
  const vault = await openStoreVault({ database, config, logger, adopt });
  const origin = composeOrigins({ config, clock, version }, { database, vault });
  const repositories = await openRepositories({ config, database, logger, origin }, { isServer: true });
  const { places } = repositories;
  const repoStore = own(stack, "repositories", repositories.repoStore);
  if (places) {
    const root = path.join(config.dataDirectory, "repositories");
    const sweep = () =>
      removeUnowned({ database, repoStore, root }).catch((error: unknown) => {
        logger.warn({ err: error }, "copies of deleted repositories could not be removed");
      });
    own(stack, "copies of repositories", repeat(sweep, { firstAfterMs: FIRST_SWEEP_MS, everyMs: SWEEP_EVERY_MS }));
    if (config.role !== "web") own(stack, "packs", keepPacks({ database, places, logger }));
  }
  const opened = stack.move();
  return {
    database,
    vault,
    time: createTrustedTime({ database, clock, logger }),
    repoStore,
    places,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
