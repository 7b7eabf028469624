import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import type { Config } from "./config.ts";
import { openDataDirectory, refuseOtherOwner } from "./data-directory.ts";
import { type Database, isOutOfReach, isStoreFull, openDatabase } from "#db/database.ts";
import { migrate, readSchemaState } from "#db/migrations.ts";
import { AppError, errorText } from "#lib/app-error.ts";
import { isDiskFull } from "#lib/disk-full.ts";
import { makeFileOnce } from "#lib/durable-file.ts";
import type { Logger } from "#lib/logger.ts";
import { readRelease } from "#lib/version.ts";
import { logAdoptedDirectory } from "./adoption-log.ts";
import { upgradeStore } from "./upgrade-store.ts";

export interface StoreOptions {
  logger: Logger;
  /**
   * Permitted changes to the tables. `update`: create or migrate them. Only a server may do that, so that no command
   * changes them under a running server. `make`: create them if there are none. `use`: they must exist.
   */
  schema: "update" | "make" | "use";
  /** Continues with a database and a data directory that do not belong together, and links them. */
  adopt?: boolean;
  /** See `openDatabase`. */
  isWorker?: boolean;
  /** Called after tables were created. */
  onMade?(): void;
}

type StoreConfig = Pick<Config, "database" | "dataDirectory" | "repositories">;

const instanceIdFile = (dataDirectory: string) => path.join(dataDirectory, "instance-id");

/**
 * Opens the data directory and its database. Throws an `AppError` that says what to do if the store is missing, has
 * another version, cannot be read, or does not belong to the repositories next to it.
 */
export async function openStore(config: StoreConfig, options: StoreOptions): Promise<Database> {
  const { database: location, dataDirectory } = config;
  const isThere = location.engine !== "sqlite" || existsSync(location.path);
  if (options.schema === "use" && (!isThere || !existsSync(dataDirectory))) {
    if (existsSync(dataDirectory)) refuseOtherOwner(dataDirectory);
    if (isUsed(dataDirectory)) throw databaseMissing(dataDirectory);
    throw storeMissing(dataDirectory);
  }
  openDataDirectory(dataDirectory);
  if (!isThere && !options.adopt && isUsed(dataDirectory)) throw databaseMissing(dataDirectory);
  await using stack = new AsyncDisposableStack();
  try {
    const database = stack.use(await openDatabase({ ...options, location, migrate: false }));
    await bringUpToDate(database, config, options);
    const place = await choosePlace(database, config, options);
    await checkInstance(database, config, { ...options, place });
    if (options.schema === "update") await noteRelease(database);
    stack.move();
    return database;
  } catch (error) {
    throw refusal(config, error);
  }
}

async function bringUpToDate(
  { kysely, engine }: Database,
  config: StoreConfig,
  { schema, onMade, logger }: StoreOptions,
) {
  const state = await readSchemaState(kysely);
  if (state === "current") return;
  if (state === "unfinished") throw unfinished();
  if (state === "newer") {
    throw new AppError("conflict", "The database is from a newer version of Docent than this one. Update Docent.");
  }
  if (state === "none" && schema === "use") throw storeMissing(config.dataDirectory);
  if (state === "older" && schema !== "update") {
    throw new AppError(
      "conflict",
      "The database is of an older version of Docent. Restart the server with this version: `docent serve` brings it up to date.",
    );
  }
  if (state === "older") return upgradeStore({ kysely, engine }, logger);
  await migrate(kysely, engine);
  onMade?.();
}

/** Key in `instance_value` for the location of the repositories; absent for the data directory. */
const PLACE = "repositories";

/** In the data directory; in the database; or in the database with their packs in a bucket. */
type RepositoryPlace = "directory" | "database" | "s3";

/** The location of a store's repositories. */
export async function placeOfRepositories(database: Database): Promise<RepositoryPlace> {
  const noted = await readInstanceValue(database, PLACE);
  return noted === "database" || noted === "s3" ? noted : "directory";
}

/** Records, for all nodes, where new packs of repositories go. */
export async function notePlaceOfRepositories({ kysely }: Database, value: "database" | "s3"): Promise<void> {
  await kysely
    .insertInto("instance_value")
    .values({ name: PLACE, value })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
    .execute();
}

/** A new store uses the configured location. For a store with projects, a server moves them; see `openRepositories`. */
async function choosePlace(database: Database, { repositories }: StoreConfig, { schema }: StoreOptions) {
  const place = await placeOfRepositories(database);
  if (place !== "directory" && repositories === "directory") {
    throw new AppError(
      "conflict",
      "The repositories of this instance are in its database, for all its nodes: remove DOCENT_REPOSITORIES=directory.",
    );
  }
  const isChosen = repositories === "database" || repositories === "s3";
  if (place !== "directory" || !isChosen || schema === "use") return place;
  if (await hasProjects(database)) return place;
  await notePlaceOfRepositories(database, repositories);
  return repositories;
}

interface CheckOptions extends Pick<StoreOptions, "adopt" | "schema"> {
  /** Is told what `adopt` links. */
  logger?: Logger;
  place?: RepositoryPlace;
}

/**
 * Links the database and the data directory by a common ID. A directory without an ID does not belong to a database
 * that has one. This holds before the first project, too, because repositories of one node would be missing on the
 * other. If repositories are in the database, each node has its own directory, which gets the ID when the node joins.
 *
 * The first start writes the ID to a temporary file, then to the database, then renames the file, so that the next
 * start can finish one that was interrupted anywhere.
 */
export async function checkInstance(
  database: Database,
  { dataDirectory }: Pick<StoreConfig, "dataDirectory">,
  { adopt, schema, logger, place = "directory" }: CheckOptions,
) {
  const file = instanceIdFile(dataDirectory);
  const begun = `${file}.new`;
  const besideIt = readInstanceId(dataDirectory);
  const stored = await readInstanceValue(database, "id");
  if (stored !== null && stored === besideIt) return;
  if (!adopt) {
    if (besideIt !== null) throw notBelonging(dataDirectory);
    const isFull = await hasProjects(database);
    if (isUsed(dataDirectory) && !isFull) throw notBelonging(dataDirectory);
    const isBegun = stored !== null && (readId(begun) === stored || readId(file) === stored); // maybe by another node just now
    if (place === "directory" && !isUsed(dataDirectory) && stored !== null && !isBegun) {
      throw isFull ? notMounted(dataDirectory) : otherDirectory(dataDirectory);
    }
  }
  if (schema === "use") return; // commands that only read create no file
  if (adopt && logger && (stored !== null || isUsed(dataDirectory)))
    await logAdoptedDirectory({ database, dataDirectory, place }, logger);
  await makeFileOnce(begun, `${stored ?? randomUUID()}\n`);
  const proposed = readId(begun);
  const id = stored ?? (await addInstanceValue(database, "id", proposed ?? randomUUID()));
  const wasLinkedMeanwhile = stored === null && proposed !== null && proposed !== id; // by another node
  if (wasLinkedMeanwhile && !adopt && place === "directory") {
    rmSync(begun, { force: true });
    throw otherDirectory(dataDirectory);
  }
  if (besideIt !== null) rmSync(file);
  await makeFileOnce(file, `${id}\n`);
  rmSync(begun, { force: true });
}

/** The ID of the store that a data directory belongs to. */
export const readInstanceId = (dataDirectory: string): string | null => readId(instanceIdFile(dataDirectory));

/** For a store from before there were IDs (0.1.0): the ID that its next start will take. */
export async function proposeInstanceId(dataDirectory: string): Promise<string> {
  const file = `${instanceIdFile(dataDirectory)}.new`;
  await makeFileOnce(file, `${randomUUID()}\n`);
  return readId(file)!;
}

function readId(file: string): string | null {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

async function hasProjects({ kysely }: Database): Promise<boolean> {
  return (await kysely.selectFrom("project").select("id").limit(1).executeTakeFirst()) !== undefined;
}

/** Whether a data directory belongs to a database, or contains repositories. */
function isUsed(dataDirectory: string): boolean {
  const repositories = path.join(dataDirectory, "repositories");
  return (
    existsSync(instanceIdFile(dataDirectory)) || (existsSync(repositories) && readdirSync(repositories).length > 0)
  );
}

export async function readInstanceValue({ kysely }: Database, name: string): Promise<string | null> {
  const row = await kysely.selectFrom("instance_value").select("value").where("name", "=", name).executeTakeFirst();
  return row?.value ?? null;
}

/** Recorded for backups, which name the version to start on them. */
async function noteRelease(database: Database): Promise<void> {
  const value = readRelease();
  if ((await readInstanceValue(database, "release")) === value) return; // avoids a write on a full disk
  await database.kysely
    .insertInto("instance_value")
    .values({ name: "release", value })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
    .execute();
}

/** Stores a value unless another process has; returns the stored one. */
export async function addInstanceValue(database: Database, name: string, value: string): Promise<string> {
  await database.kysely
    .insertInto("instance_value")
    .values({ name, value })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
  return (await readInstanceValue(database, name)) ?? value;
}

const storeMissing = (dataDirectory: string) =>
  new AppError(
    "invalid",
    `There is no Docent store in ${dataDirectory}. \`docent serve\` or \`docent projects create\` with the right --data makes one. To work at a server elsewhere: \`docent login --server URL\`.`,
  );

const unfinished = () =>
  new AppError(
    "conflict",
    "The database is an unfinished copy of `docent store copy`. Run the same command again: it continues, and the database can be used when it ends. " +
      "Until then start the server on the database of before.",
  );

export const databaseMissing = (dataDirectory: string): AppError =>
  new AppError(
    "conflict",
    `The database of ${dataDirectory} is missing: its repositories are there, and its \`docent.sqlite\` is not. ` +
      (existsSync(path.join(dataDirectory, "docent.sqlite.moved"))
        ? "It was copied to PostgreSQL and is now docent.sqlite.moved. If `docent store copy` was interrupted, run the same command again. "
        : "") +
      "If the server uses PostgreSQL, set DATABASE_URL to the server's value. Otherwise stop the server if it runs, and restore the " +
      "database from a backup. To begin with an empty one on purpose: `docent serve --adopt`.",
  );

const notBelonging = (dataDirectory: string) =>
  new AppError(
    "conflict",
    `The database is not the one of ${dataDirectory}: it is empty or another's, and the repositories there would be lost from sight. ` +
      "Restore the database from a backup. To continue with this one on purpose: `docent serve --adopt`.",
  );

const notMounted = (dataDirectory: string) =>
  new AppError(
    "conflict",
    `${dataDirectory} is empty, and the database has projects whose repositories belong there: is the volume mounted, is --data right? ` +
      "Nodes without a shared directory need an instance whose repositories are in the database (DOCENT_REPOSITORIES=database or s3). " +
      "Restore the directory from a backup where it is lost. To continue without the repositories on purpose: `docent serve --adopt`.",
  );

const otherDirectory = (dataDirectory: string) =>
  new AppError(
    "conflict",
    `The database belongs to an instance with another data directory: ${dataDirectory} has never been its. All nodes of an instance share one directory: ` +
      "is the volume mounted, is --data right? For nodes without a shared directory: DOCENT_REPOSITORIES=database or s3. To begin with this directory on purpose, where the other is lost: `docent serve --adopt`.",
  );

function refusal({ database: location }: StoreConfig, error: unknown): unknown {
  if (error instanceof AppError) return error;
  if (isStoreFull(error) || isDiskFull(error)) {
    const message = `The disk of the database is full or read-only: ${errorText(error)}. Free some space and try again.`;
    return new AppError("unavailable", message, { cause: error });
  }
  const isSqlite = location.engine === "sqlite";
  if (isSqlite && (error as { code?: string }).code === "ERR_SQLITE_ERROR") {
    return new AppError(
      "unavailable",
      `The database ${location.path} cannot be used: ${errorText(error)}. Restore it from a backup when it is damaged.`,
      { cause: error },
    );
  }
  if (isOutOfReach(error)) {
    return new AppError("unavailable", `The database cannot be reached: ${errorText(error)}.`, { cause: error });
  }
  return error;
}
