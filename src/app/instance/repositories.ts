import path from "node:path";
import type { Config } from "./config.ts";
import { readInstanceFile } from "./instance-file.ts";
import { keepRepositoriesInDatabase, placeOfRepositories } from "./store.ts";
import type { Database } from "#db/database.ts";
import { createRepoStore } from "#git/directory-repo-store.ts";
import type { RepositoryOrigin } from "#git/mirror/mirrors.ts";
import { listRepositories } from "#git/repository-directory.ts";
import type { RepoStore } from "#git/repo-store.ts";
import { AppError } from "#lib/app-error.ts";
import type { Logger } from "#lib/logger.ts";
import { createStoredRepoStore, type StoredRepoStore } from "#repositories/stored-repo-store.ts";
import { ownersOf } from "#repositories/owners.ts";

interface RepositoriesOptions {
  config: Pick<Config, "dataDirectory" | "maxMirrorBytes" | "repositories">;
  database: Database;
  logger: Logger;
  origin?: RepositoryOrigin;
}

/**
 * Opens the repositories of a store in the directory or in the database. A server that is configured to keep them in
 * the database first moves those of its directory there: `AppError conflict` if one is missing.
 */
export async function openRepositories(
  options: RepositoriesOptions,
  { mayMove = false }: { mayMove?: boolean } = {},
): Promise<RepoStore> {
  const { config, database, logger } = options;
  const root = path.join(config.dataDirectory, "repositories");
  const how = { ...options, root, maxMirrorBytes: config.maxMirrorBytes };
  if ((await placeOfRepositories(database)) === "database") return createStoredRepoStore(how);
  if (config.repositories !== "database") return createRepoStore(how);
  if (!mayMove) {
    const message =
      "DOCENT_REPOSITORIES=database: start the server once, which moves the repositories into the database.";
    throw new AppError("conflict", message);
  }
  const running = readInstanceFile(config.dataDirectory);
  if (running) {
    const { baseUrl, pid } = running;
    throw new AppError(
      "conflict",
      `The server at ${baseUrl} (process ${pid}) runs on ${config.dataDirectory}. Stop it and all other nodes before the repositories are ` +
        "moved into the database: what it takes meanwhile would be lost.",
    );
  }
  const stored = createStoredRepoStore(how);
  await moveIntoDatabase(stored, { database, root, logger });
  return stored;
}

/** After a kill the directory is still authoritative, and the next start moves all of them again. */
async function moveIntoDatabase(
  stored: StoredRepoStore,
  { database, root, logger }: { database: Database; root: string; logger: Logger },
): Promise<void> {
  const there = await listRepositories(root);
  const owners = await ownersOf(database);
  const missing = owners.filter(({ id, isMirror }) => !isMirror && !there.has(id));
  const [first] = missing;
  if (first) {
    const others = missing.length > 1 ? ` (and ${missing.length - 1} more)` : "";
    throw new AppError(
      "conflict",
      `The repository of ${first.name}${others} is not in ${root}. Start on the data directory that holds all of them: the server moves ` +
        "them into the database.",
    );
  }
  const present = owners.filter(({ id }) => there.has(id));
  for (const [index, { id, name }] of present.entries()) {
    logger.info({ project: id, name, number: index + 1, of: present.length }, "moving a repository into the database");
    await stored.moveIn(id);
  }
  await keepRepositoriesInDatabase(database);
  logger.info({ repositories: present.length }, "the repositories are in the database now");
}
