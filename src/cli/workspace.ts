import { mkdirSync } from "node:fs";
import path from "node:path";
import { type Config, loadConfig } from "#config.ts";
import { type Database, openDatabase } from "#db/database.ts";
import { createRepoStore, type RepoStore } from "#git/repo-store.ts";
import { systemClock } from "#lib/clock.ts";
import { type KeyVault, openKeyVault } from "#lib/key-vault.ts";
import { createLogger, type Logger } from "#lib/logger.ts";
import { readInstanceFile } from "#instance-file.ts";
import { publicAddress } from "#public-address.ts";
import { secretsFile } from "#secrets-file.ts";

/** What the commands work on: the data directory itself, beside a running server or without one. */
export interface Workspace extends AsyncDisposable {
  config: Config;
  database: Database;
  repoStore: RepoStore;
  clock: typeof systemClock;
  logger: Logger;
  /** Address of the server on this data directory; of the configuration when none runs. */
  baseUrl: string;
  isServing: boolean;
}

export async function openWorkspace(options: {
  data?: string | undefined;
  environment?: NodeJS.ProcessEnv;
}): Promise<Workspace> {
  const config = loadConfig({ data: options.data, logLevel: "warn" }, options.environment);
  const logger = createLogger({ level: config.logLevel });
  await using stack = new AsyncDisposableStack();
  const database = stack.use(await openDatabase({ location: config.database, logger, migrate: true }));
  const repoStore = stack.use(createRepoStore({ root: path.join(config.dataDirectory, "repositories"), logger }));
  const instance = readInstanceFile(config.dataDirectory);
  const owned = stack.move();
  return {
    config,
    database,
    repoStore,
    clock: systemClock,
    logger,
    baseUrl: instance?.baseUrl ?? publicAddress(config, config.port),
    isServing: instance !== null,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** The vault of the data directory, made with it on first use. */
export function openVault({ config }: Pick<Workspace, "config">): Promise<KeyVault> {
  mkdirSync(config.dataDirectory, { recursive: true });
  return openKeyVault(secretsFile(config.dataDirectory));
}
