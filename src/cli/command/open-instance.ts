import { type AgentList, createAgentLists } from "#features/visitors/clients/agent-list.ts";
import { type Config, loadConfig } from "#app/instance/config.ts";
import type { Database } from "#db/database.ts";
import type { RepoStore } from "#git/repo-store.ts";
import { systemClock } from "#lib/clock.ts";
import type { KeyVault } from "#lib/secrets/key-vault.ts";
import { createLogger, type Logger } from "#lib/logger.ts";
import { readInstanceFile } from "#app/instance/instance-file.ts";
import { publicAddress } from "#app/instance/public-address.ts";
import { hostUrl, siteUrl } from "#app/instance/site-url.ts";
import { openRepositories } from "#app/instance/repositories.ts";
import { refuseDuringCopy } from "#app/instance/server-lock.ts";
import { openStore } from "#app/instance/store.ts";
import { openStoreVault } from "#app/instance/store-vault.ts";
import { listDomains } from "#features/projects/site/domains.ts";
import type { Project } from "#features/projects/project.ts";
import { requireDirectory, type PlaceOptions } from "#cli/places/place.ts";
import { readEnvironment } from "#cli/places/command-environment.ts";
import { siteAddressOf } from "#features/sites/site-project.ts";

/** Dependencies of commands on a data directory, with or without a running server. */
export interface OpenInstance extends AsyncDisposable {
  config: Config;
  database: Database;
  repoStore: RepoStore;
  clock: typeof systemClock;
  logger: Logger;
  /** URL of the running server; of the configuration if none runs. */
  baseUrl: string;
  isServing: boolean;
}

/**
 * Opens a store; `mayMakeStore` is for the command that creates one. No command migrates tables. See
 * `requireDirectory`.
 */
export async function openInstance(
  options: PlaceOptions & {
    environment?: NodeJS.ProcessEnv;
    mayMakeStore?: boolean;
    /** Notified when a store is created in the default directory `./data`. */
    say?(words: string): void;
  },
): Promise<OpenInstance> {
  if (!options.mayMakeStore && options.environment === undefined) requireDirectory(options);
  const config = ofThisShell(loadConfig({ data: options.data, logLevel: "warn" }, options.environment));
  const logger = createLogger({ level: config.logLevel });
  await using stack = new AsyncDisposableStack();
  const isNamed = options.data !== undefined || readEnvironment(options.environment).hasDataDirectory;
  const onMade = () => (isNamed ? undefined : options.say?.(NEW_STORE));
  const schema = options.mayMakeStore ? "make" : "use";
  refuseDuringCopy(config);
  const database = stack.use(await openStore(config, { logger, schema, onMade }));
  const { repoStore } = await openRepositories({ config, database, logger });
  stack.use(repoStore);
  const running = readInstanceFile(config.dataDirectory);
  const owned = stack.move();
  return {
    config,
    database,
    repoStore,
    clock: systemClock,
    logger,
    baseUrl: running?.baseUrl ?? publicAddress(config, config.port),
    isServing: running !== null,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

const NEW_STORE =
  "Made a new store in ./data, as neither --data nor DOCENT_DATA names one. A server that runs with another --data does not see what is in it.";

/** The server may have other allowed hosts than the shell of a command, so an error says whose settings they are. */
const ofThisShell = (config: Config): Config => ({
  ...config,
  webhooks: { ...config.webhooks, isOfShell: true },
  codeHosts: { ...config.codeHosts, isOfShell: true },
});

/** The vault of the store, which is created on first use. */
export const openVault = (instance: Pick<OpenInstance, "config" | "database" | "logger">): Promise<KeyVault> =>
  openStoreVault(instance);

/** The URL at which readers know a site: its external site, its public address, its main domain, or its host at this server. */
export async function siteUrlOf(
  { database, baseUrl, config }: Pick<OpenInstance, "database" | "baseUrl" | "config">,
  project: Project,
): Promise<string> {
  if (project.settings.externalSite !== undefined) return `${project.settings.externalSite}/`;
  const domains = await listDomains(database.kysely, project.id);
  const { origin, base } = siteAddressOf(project.settings, domains, (host) => hostUrl(baseUrl, host));
  return origin === null ? siteUrl(baseUrl, config.siteDomain, project.slug) : `${origin}${base}/`;
}

/** The list of agents that a server on this data directory uses. */
export const agentsInUse = ({ config, clock, logger }: Pick<OpenInstance, "config" | "clock" | "logger">): AgentList =>
  createAgentLists({ dataDirectory: config.dataDirectory, clock, logger })();
