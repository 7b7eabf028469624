import path from "node:path";
import type { Database } from "#db/database.ts";
import { createTrustedTime, type TrustedTime } from "#db/trusted-time.ts";
import { createRepoStore } from "#git/directory-repo-store.ts";
import type { RepoStore } from "#git/repo-store.ts";
import type { KeyVault } from "#lib/secrets/key-vault.ts";
import { openStore } from "./instance/store.ts";
import { openStoreVault } from "./instance/store-vault.ts";
import type { Context } from "./context.ts";
import { composeOrigins } from "./host-apis.ts";

/** What is kept: rows, repositories, and the key of what is sealed in the rows. */
export interface Store {
  database: Database;
  vault: KeyVault;
  /** The time that old things are judged by. */
  time: TrustedTime;
  repoStore: RepoStore;
}

/** Opens the data directory and its database, brought up to date. `adopt`: see `StoreOptions`. */
export async function composeStore(
  { config, logger, clock, version, own }: Context,
  { adopt }: { adopt: boolean },
): Promise<Store & AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  const database = own(stack, "store", await openStore(config, { logger, schema: "update", adopt }));
  const vault = await openStoreVault({ database, config, logger, adopt });
  const root = path.join(config.dataDirectory, "repositories");
  const origin = composeOrigins({ config, clock, version }, { database, vault });
  const { maxMirrorBytes } = config;
  const repoStore = own(stack, "repositories", createRepoStore({ root, logger, origin, maxMirrorBytes }));
  const opened = stack.move();
  return {
    database,
    vault,
    time: createTrustedTime({ database, clock, logger }),
    repoStore,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
