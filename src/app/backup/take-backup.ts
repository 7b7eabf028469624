import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import type { Config } from "#app/instance/config.ts";
import { sqliteFaults } from "#app/instance/store-faults.ts";
import { secretsFile } from "#app/instance/secrets-file.ts";
import { createGitRunner, DEFAULT_GIT_ENVIRONMENT, GitError } from "#git/process/runner.ts";
import { AppError, errorText } from "#lib/app-error.ts";
import { readRelease } from "#lib/version.ts";
import { mapConcurrently } from "#lib/waiting/concurrency.ts";
import { type BackupFolder, ifDamaged } from "./backup-folder.ts";
import { copySqlite, dumpPostgres } from "./database-copy.ts";
import { readStoreRows, repositoryMissing, type StoreRows } from "./store-rows.ts";
import { RESTORED_PACKS } from "#repositories/restored-packs.ts";
import { isIntactObject } from "./object-integrity.ts";
import { addPacks, packObjectsNow, Vanished } from "./pack-copy.ts";
import type { BackupFile, Manifest } from "./manifest.ts";
import { type BackupWriter, createBackupWriter, ifMissing } from "./backup-writer.ts";
import { isCommit, listObjectFiles, listOwnFiles, readReferences } from "./repository-copy.ts";

export interface BackupOptions {
  config: Pick<Config, "dataDirectory" | "database" | "secretKey" | "objectStorage">;
  folder: BackupFolder;
  /** Includes the key of stored secrets in an unencrypted backup. */
  includeKey: boolean;
  /** PostgreSQL is backed up separately. */
  withoutDatabase: boolean;
  /** Environment of `pg_dump`: the path to find it, and the settings of PostgreSQL clients. */
  environment: NodeJS.ProcessEnv;
  signal: AbortSignal;
  progress(words: string): void;
}

export interface TakenBackup {
  manifest: Manifest;
  /** Bytes added to the folder. */
  writtenBytes: number;
}

const FILES_AT_ONCE = 8;
const MAX_ROUNDS = 3;
const LISTINGS = 10;
const REPOSITORY = /^[\w-]+\.git$/;
export const SQLITE_NAME = "docent.sqlite";
const DUMP_NAME = "docent.dump";

/**
 * Backs up a data directory that a server may be using, in this order:
 *
 * 1. the journal of views: views that are folded and deleted meanwhile are in the database, which is read later and
 *    skips those that it has;
 * 2. the database, in one snapshot: its rows reference only commits and trees that are on disk already;
 * 3. each repository, first its references and then its objects: an object is on disk before a reference names it, and
 *    objects are never dropped. References may be newer than the rows, as after a crash; the next start of a server
 *    reconciles them.
 *
 * Repositories that are stored in a PostgreSQL database are part of 2. Their packs in a bucket come after it: what it
 * names is there already, and stays for a time when it is replaced. The manifest is written last.
 */
export async function takeBackup(options: BackupOptions): Promise<TakenBackup> {
  for (let round = 1; ; round++) {
    try {
      return await attemptBackup(options);
    } catch (error) {
      if (!(error instanceof Vanished)) throw error;
      if (round === MAX_ROUNDS) {
        throw new AppError("unavailable", "Repositories were deleted while they were copied. Try again.", {
          cause: error,
        });
      }
    }
  }
}

async function attemptBackup(options: BackupOptions): Promise<TakenBackup> {
  const { config, folder, progress } = options;
  const { dataDirectory } = config;
  const startedAt = new Date();
  const writer = createBackupWriter(options, await knownObjects(folder));
  progress("Journal of views");
  for (const name of ["instance-id", "agents.json", "agent-addresses.json"]) await writer.addOptional(name);
  const key = await addKey(options, writer);
  await addJournal(dataDirectory, writer);
  progress("Database");
  const databaseAt = new Date();
  const rows = await readStoreRows(config.database).catch(errorText);
  const objects = await packObjectsNow(config);
  const { database, faults } = await addDatabase(options, writer);
  const lostPacks = await addPacks(options, writer, objects);
  // Repositories in the database are in its backup; the directory only has copies.
  const isStored = typeof rows !== "string" && rows.stored !== null;
  const damaged = isStored ? [] : await addRepositories(options, { writer, rows });
  const manifest: Manifest = {
    format: 1,
    id: idAfter((await folder.list()).at(-1), startedAt),
    startedAt: startedAt.toISOString(),
    databaseAt: databaseAt.toISOString(),
    finishedAt: new Date().toISOString(),
    release: typeof rows === "string" ? null : rows.release,
    madeBy: readRelease(),
    missing: [...(await missingRepositories(rows, options)), ...faults, ...lostPacks, ...damaged],
    database,
    objectsChecked: true,
    key,
    files: writer.files,
  };
  options.signal.throwIfAborted();
  await folder.finish(manifest);
  return { manifest, writtenBytes: writer.writtenBytes() };
}

/** The start time, or the moment after the newest backup if that was taken with a clock that was ahead. */
function idAfter(newest: string | undefined, startedAt: Date): string {
  const idOf = (date: Date) => date.toISOString().replaceAll(/[-:.]/g, "");
  if (newest === undefined || newest < idOf(startedAt)) return idOf(startedAt);
  const [, date, hour, minute, second, ms] = /^(\d{8})T(\d\d)(\d\d)(\d\d)(\d{3})Z$/.exec(newest)!;
  const day = date!.replace(/^(....)(..)(..)$/, "$1-$2-$3");
  return idOf(new Date(Date.parse(`${day}T${hour}:${minute}:${second}.${ms}Z`) + 1));
}

/**
 * Repositories of the database that do not exist. One whose project is deleted meanwhile counts as `Vanished`, not as
 * lost.
 */
async function missingRepositories(rows: StoreRows | string, { config }: BackupOptions): Promise<string[]> {
  if (typeof rows === "string") return [`The database cannot be read: ${rows}`];
  const there = rows.stored ?? new Set(await repositoriesIn(config.dataDirectory));
  const lost = [...rows.repositories].filter(([name]) => !there.has(name));
  if (lost.length === 0) return [];
  const now = await readStoreRows(config.database);
  for (const [name] of lost) if (!now.repositories.has(name)) throw new Vanished(name);
  return lost.map(([name, { project }]) => repositoryMissing(name, project));
}

const repositoriesIn = async (dataDirectory: string) =>
  (await readdir(path.join(dataDirectory, "repositories")).catch(ifMissing([] as string[])))
    .filter((name) => REPOSITORY.test(name))
    .sort();

/**
 * Object files of the newest complete backup. Their names identify the content, so they are not read again. An incomplete one may
 * have damaged objects, and so may one that was taken before objects were checked.
 */
async function knownObjects(folder: BackupFolder): Promise<Map<string, BackupFile>> {
  let files: readonly BackupFile[] = [];
  let areChecked = false;
  for (const id of (await folder.list()).toReversed()) {
    const manifest = await folder.read(id).catch(ifDamaged);
    if (manifest?.missing.length !== 0) continue;
    files = manifest.files;
    areChecked = manifest.objectsChecked;
    break;
  }
  const isNamedByContent = ({ path: name }: BackupFile) =>
    (areChecked && name.includes(".git/objects/")) || name.startsWith(`${RESTORED_PACKS}/`);
  return new Map(files.filter(isNamedByContent).map((file) => [file.path, file]));
}

async function addKey({ config, folder, includeKey }: BackupOptions, writer: BackupWriter): Promise<Manifest["key"]> {
  if (config.secretKey !== null) return "environment";
  if (!folder.isEncrypted && !includeKey) return "left out";
  return (await writer.addOptional(path.basename(secretsFile(config.dataDirectory)))) ? "included" : "left out";
}

async function addJournal(dataDirectory: string, writer: BackupWriter): Promise<void> {
  const folder = await readdir(path.join(dataDirectory, "journal")).catch(ifMissing([] as string[]));
  const slots = folder.filter((name) => /^\d+$/.test(name));
  for (const slot of slots) {
    const names = await readdir(path.join(dataDirectory, "journal", slot));
    for (const name of names.filter((one) => one === "id" || /\.(?:journal|damaged)$/.test(one)).sort()) {
      await writer.addOptional(`journal/${slot}/${name}`); // a missing file was folded: its views are in the database
    }
  }
}

async function addDatabase(
  { config: { database }, withoutDatabase, environment, signal, progress }: BackupOptions,
  writer: BackupWriter,
): Promise<{ database: Manifest["database"]; faults: string[] }> {
  if (database.engine === "sqlite") {
    const onProgress = (share: number) => progress(`Database: ${Math.floor(share * 100)} % copied`);
    await using copy = await copySqlite(database.path, { signal, onProgress });
    progress("Database: checking");
    const faults = sqliteFaults(copy.file, { full: false });
    progress("Database: storing");
    await writer.addFrom(SQLITE_NAME, copy.file);
    return { database: "sqlite", faults: faults.map((fault) => `The database is damaged: ${fault}`) };
  }
  if (withoutDatabase) return { database: "none", faults: [] };
  await dumpPostgres(database.url, { environment, signal, read: (dump) => writer.addChunks(DUMP_NAME, dump) });
  return { database: "pg_dump", faults: [] };
}

/** Returns what is wrong with repositories that git cannot read: a damaged one must not prevent the backup of the others. */
async function addRepositories(
  { config, signal, progress }: BackupOptions,
  { writer, rows }: { writer: BackupWriter; rows: StoreRows | string },
): Promise<string[]> {
  const root = path.join(config.dataDirectory, "repositories");
  const names = await repositoriesIn(config.dataDirectory);
  const damaged: string[] = [];
  const run = createGitRunner({ environment: DEFAULT_GIT_ENVIRONMENT, maxProcesses: 1 });
  for (const [index, name] of names.entries()) {
    signal.throwIfAborted();
    progress(`Repositories: ${index + 1} of ${names.length}`);
    const directory = path.join(root, name);
    const place = `repositories/${name}`;
    try {
      const references = await readReferences(run, directory);
      const branch = typeof rows === "string" ? null : (rows.repositories.get(name)?.deployedBranch ?? null);
      if (branch !== null && !(await isCommit(run, directory, `refs/heads/${branch}`)))
        damaged.push(`${place} has no commit at its branch ${branch}, which its site showed`);
      await writer.addChunks(`${place}/packed-refs`, [Buffer.from(references)]);
      for (const own of await listOwnFiles(directory)) await writer.addOptional(`${place}/${own}`);
      const broken = await addObjects(directory, place, writer);
      damaged.push(...broken.map((name) => `${place}/${name} is damaged: its content does not match its checksum`));
    } catch (error) {
      signal.throwIfAborted();
      if (!(await stat(directory).catch(() => null))) throw new Vanished(name);
      if (!(error instanceof GitError)) throw error;
      damaged.push(`${place} cannot be read: ${error.stderr.trim().split("\n", 1)[0]}`);
    }
  }
  return damaged;
}

/**
 * Adds all objects of a repository, even if git packs them meanwhile: objects that disappear after a listing are in a
 * pack of the next one. Returns the damaged files among those that the last backup does not have.
 */
async function addObjects(directory: string, place: string, writer: BackupWriter): Promise<string[]> {
  const added = new Set<string>();
  const broken: string[] = [];
  const addObject = async (name: string) => {
    const isNew = await writer.addObject(`${place}/${name}`);
    if (isNew && !(await isIntactObject(path.join(directory, name)))) broken.push(name);
  };
  for (let listing = 1; listing <= LISTINGS; listing++) {
    const listed = await listObjectFiles(directory);
    const fresh = listed.filter((name) => !added.has(name));
    const found = await mapConcurrently(fresh, FILES_AT_ONCE, (name) =>
      addObject(name).then(() => true, ifMissing(false)),
    );
    fresh.forEach((name, index) => found[index] && added.add(name));
    const still = new Set(await listObjectFiles(directory));
    if (listed.every((name) => added.has(name) && still.has(name))) return broken;
  }
  throw new AppError("unavailable", `The repository ${directory} was packed again and again. Try again.`);
}
