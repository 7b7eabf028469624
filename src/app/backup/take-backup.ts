import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import type { Config } from "#app/instance/config.ts";
import { secretsFile } from "#app/instance/secrets-file.ts";
import { createGitRunner, DEFAULT_GIT_ENVIRONMENT, GitError } from "#git/process/runner.ts";
import { AppError, errorText } from "#lib/app-error.ts";
import { readRelease } from "#lib/version.ts";
import { mapConcurrently } from "#lib/waiting/concurrency.ts";
import { type BackupFolder, ifDamaged } from "./backup-folder.ts";
import { copySqlite, dumpPostgres } from "./database-copy.ts";
import { readStoreRows, repositoryMissing, type StoreRows } from "./store-rows.ts";
import type { BackupFile, Manifest } from "./manifest.ts";
import { listObjectFiles, listOwnFiles, readReferences } from "./repository-copy.ts";

export interface BackupOptions {
  config: Pick<Config, "dataDirectory" | "database" | "secretKey">;
  folder: BackupFolder;
  /** Puts the key of stored secrets into a backup that is not encrypted. */
  includeKey: boolean;
  /** PostgreSQL is backed up by other means. */
  withoutDatabase: boolean;
  /** What `pg_dump` sees: where it is, and the settings of PostgreSQL's clients. */
  environment: NodeJS.ProcessEnv;
  signal: AbortSignal;
  progress(words: string): void;
}

export interface TakenBackup {
  manifest: Manifest;
  /** What the folder grew by. */
  writtenBytes: number;
}

const BLOB_BYTES = 1024 * 1024;
const FILES_AT_ONCE = 8;
const MAX_ROUNDS = 3;
const LISTINGS = 10;
const REPOSITORY = /^[\w-]+\.git$/;
export const SQLITE_NAME = "docent.sqlite";
const DUMP_NAME = "docent.dump";

/** A repository or a file of it went while it was copied: its project was deleted, and the database is older than that. */
class Vanished extends Error {}

/**
 * Backs up a data directory that a server may be working on, in this order:
 *
 * 1. the journal of views: what is folded and deleted from it meanwhile is in the database, which is read later and skips what it has;
 * 2. the database, at one moment: its rows name only commits and trees that are on disk by then;
 * 3. each repository, its references first and then its objects: an object is on disk before a reference names it, and none is ever
 *    dropped. References may be newer than the rows, as after a crash, which the next start of a server sorts out.
 *
 * Repositories that are in a PostgreSQL database are part of 2. The manifest comes last.
 */
export async function takeBackup(options: BackupOptions): Promise<TakenBackup> {
  for (let round = 1; ; round++) {
    try {
      return await oneRound(options);
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

async function oneRound(options: BackupOptions): Promise<TakenBackup> {
  const { config, folder, progress } = options;
  const { dataDirectory } = config;
  const startedAt = new Date();
  const writer = createWriter(options, await knownObjects(folder));
  progress("Journal of views");
  for (const name of ["instance-id", "agents.json", "agent-addresses.json"]) await writer.addOptional(name);
  const key = await addKey(options, writer);
  await addJournal(dataDirectory, writer);
  progress("Database");
  const databaseAt = new Date();
  const rows = await readStoreRows(config.database).catch(errorText);
  const database = await addDatabase(options, writer);
  // Those that are in the database are in its backup, and the directory has copies.
  const isStored = typeof rows !== "string" && rows.stored !== null;
  const damaged = isStored ? [] : await addRepositories(options, writer);
  const manifest: Manifest = {
    format: 1,
    id: idAfter((await folder.list()).at(-1), startedAt),
    startedAt: startedAt.toISOString(),
    databaseAt: databaseAt.toISOString(),
    finishedAt: new Date().toISOString(),
    release: typeof rows === "string" ? null : rows.release,
    madeBy: readRelease(),
    missing: [...(await lacking(rows, options)), ...damaged],
    database,
    key,
    files: writer.files,
  };
  options.signal.throwIfAborted();
  await folder.finish(manifest);
  return { manifest, writtenBytes: writer.writtenBytes() };
}

/** The moment of the start, and later than the newest backup also when that was made while the clock was ahead. */
function idAfter(newest: string | undefined, startedAt: Date): string {
  const idOf = (date: Date) => date.toISOString().replaceAll(/[-:.]/g, "");
  if (newest === undefined || newest < idOf(startedAt)) return idOf(startedAt);
  const [, date, hour, minute, second, ms] = /^(\d{8})T(\d\d)(\d\d)(\d\d)(\d{3})Z$/.exec(newest)!;
  const day = date!.replace(/^(....)(..)(..)$/, "$1-$2-$3");
  return idOf(new Date(Date.parse(`${day}T${hour}:${minute}:${second}.${ms}Z`) + 1));
}

/** Repositories of the database that are not there. One whose project is deleted meanwhile is not lost: `Vanished`. */
async function lacking(rows: StoreRows | string, { config }: BackupOptions): Promise<string[]> {
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

/** Files of objects in the newest backup: their names say what is in them, so they are not read again. */
async function knownObjects(folder: BackupFolder): Promise<Map<string, BackupFile>> {
  const newest = (await folder.list()).at(-1);
  const read = newest === undefined ? null : await folder.read(newest).catch(ifDamaged);
  const files = read?.files ?? [];
  return new Map(files.filter((file) => file.path.includes(".git/objects/")).map((file) => [file.path, file]));
}

type Writer = ReturnType<typeof createWriter>;

function createWriter({ config, folder, signal }: BackupOptions, known: Map<string, BackupFile>) {
  const files: BackupFile[] = [];
  let writtenBytes = 0;

  const addChunks = async (name: string, chunks: AsyncIterable<Buffer> | Iterable<Buffer>) => {
    const hash = createHash("sha256");
    const blobs: string[] = [];
    let size = 0;
    for await (const chunk of inBlobs(chunks)) {
      signal.throwIfAborted();
      hash.update(chunk);
      size += chunk.length;
      const put = await folder.put(chunk);
      writtenBytes += put.written;
      blobs.push(put.name);
    }
    files.push({ path: name, size, sha256: hash.digest("hex"), blobs });
  };

  const addFrom = (name: string, source: string) =>
    addChunks(name, createReadStream(source, { highWaterMark: BLOB_BYTES }));

  return {
    files,
    writtenBytes: () => writtenBytes,
    addChunks,
    addFrom,
    /** False when the file is not there. */
    addOptional: (name: string) =>
      addFrom(name, path.join(config.dataDirectory, name)).then(() => true, ifMissing(false)),
    /** A file that never changes under its name. */
    async addObject(name: string) {
      const source = path.join(config.dataDirectory, name);
      const same = known.get(name);
      if (same?.size === (await stat(source)).size && (await all(same.blobs, folder.has))) files.push(same);
      else await addFrom(name, source);
    },
  };
}

const all = async <T>(items: readonly T[], holds: (item: T) => Promise<boolean>) =>
  (await Promise.all(items.map(holds))).every(Boolean);

/** Pieces of one size whatever the reads return, so that equal files have equal blobs. */
async function* inBlobs(chunks: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    waiting.push(chunk);
    size += chunk.length;
    if (size < BLOB_BYTES) continue;
    let joined = Buffer.concat(waiting);
    for (; joined.length >= BLOB_BYTES; joined = joined.subarray(BLOB_BYTES)) yield joined.subarray(0, BLOB_BYTES);
    waiting = [joined];
    size = joined.length;
  }
  if (size > 0) yield Buffer.concat(waiting);
}

async function addKey({ config, folder, includeKey }: BackupOptions, writer: Writer): Promise<Manifest["key"]> {
  if (config.secretKey !== null) return "environment";
  if (!folder.isEncrypted && !includeKey) return "left out";
  return (await writer.addOptional(path.basename(secretsFile(config.dataDirectory)))) ? "included" : "left out";
}

async function addJournal(dataDirectory: string, writer: Writer): Promise<void> {
  const folder = await readdir(path.join(dataDirectory, "journal")).catch(ifMissing([] as string[]));
  const slots = folder.filter((name) => /^\d+$/.test(name));
  for (const slot of slots) {
    const names = await readdir(path.join(dataDirectory, "journal", slot));
    for (const name of names.filter((one) => one === "id" || /\.(?:journal|damaged)$/.test(one)).sort()) {
      await writer.addOptional(`journal/${slot}/${name}`); // one that is gone was folded: its views are in the database
    }
  }
}

async function addDatabase(
  { config: { database }, withoutDatabase, environment, signal, progress }: BackupOptions,
  writer: Writer,
): Promise<Manifest["database"]> {
  if (database.engine === "sqlite") {
    const onProgress = (share: number) => progress(`Database: ${Math.floor(share * 100)} % copied`);
    await using copy = await copySqlite(database.path, { signal, onProgress });
    progress("Database: storing");
    await writer.addFrom(SQLITE_NAME, copy.file);
    return "sqlite";
  }
  if (withoutDatabase) return "none";
  await dumpPostgres(database.url, { environment, signal, read: (dump) => writer.addChunks(DUMP_NAME, dump) });
  return "pg_dump";
}

/** Answers with those that git cannot read: a damaged one must not keep the others from being backed up. */
async function addRepositories({ config, signal, progress }: BackupOptions, writer: Writer): Promise<string[]> {
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
      await writer.addChunks(`${place}/packed-refs`, [Buffer.from(references)]);
      for (const own of await listOwnFiles(directory)) await writer.addOptional(`${place}/${own}`);
      await addObjects(directory, place, writer);
    } catch (error) {
      signal.throwIfAborted();
      if (!(await stat(directory).catch(() => null))) throw new Vanished(name);
      if (!(error instanceof GitError)) throw error;
      damaged.push(`${place} cannot be read: ${error.stderr.trim().split("\n", 1)[0]}`);
    }
  }
  return damaged;
}

/** All objects of a repository that git may be packing: what went since the files were listed is in a pack that is listed next. */
async function addObjects(directory: string, place: string, writer: Writer): Promise<void> {
  const added = new Set<string>();
  for (let listing = 1; listing <= LISTINGS; listing++) {
    const listed = await listObjectFiles(directory);
    const fresh = listed.filter((name) => !added.has(name));
    const found = await mapConcurrently(fresh, FILES_AT_ONCE, (name) =>
      writer.addObject(`${place}/${name}`).then(() => true, ifMissing(false)),
    );
    fresh.forEach((name, index) => found[index] && added.add(name));
    const still = new Set(await listObjectFiles(directory));
    if (listed.every((name) => added.has(name) && still.has(name))) return;
  }
  throw new AppError("unavailable", `The repository ${directory} was packed again and again. Try again.`);
}

const ifMissing =
  <T>(value: T) =>
  (error: unknown): T => {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return value;
    throw error;
  };
