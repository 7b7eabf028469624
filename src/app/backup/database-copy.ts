import { spawn } from "node:child_process";
import { readdir, rm, stat, statfs, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import { backup, DatabaseSync } from "node:sqlite";
import { AppError } from "#lib/app-error.ts";
import type { Secret } from "#lib/secrets/secret.ts";
import { isRunning } from "#lib/subprocess.ts";

/** Pages per step. A step takes a quarter of a second at most, and progress and Ctrl-C are handled in between. */
const STEP_PAGES = 4_096;
const BUSY_MS = 10_000;
/** Space that the server may need meanwhile: about a small database. */
const MAX_SPARE_BYTES = 256 * 1024 * 1024;
const COPY = /^(backup-(\d+)\.sqlite)(?:-journal|-wal|-shm)?$/;
/** SQLite creates the last two where a copy is opened, and a connection that only reads leaves them there. */
const PARTS = ["", "-journal", "-wal", "-shm"];

/**
 * Copies a SQLite database that a server may be writing to, in one read transaction, which does not block writers in
 * WAL mode. The copy is created in the data directory, where it is as private as the original, and removed when
 * disposed. Pages keep their positions, so that most blobs are the same in the next backup.
 */
export async function copySqlite(
  database: string,
  { signal, onProgress }: { signal: AbortSignal; onProgress(share: number): void },
): Promise<{ file: string } & AsyncDisposable> {
  const folder = path.dirname(database);
  await removeLeftCopies(folder);
  await requireSpace(database);
  const file = path.join(folder, `backup-${process.pid}.sqlite`);
  const remove = async () => {
    for (const part of PARTS) await rm(file + part, { force: true });
  };
  await writeFile(file, "", { mode: 0o600 }); // SQLite gives the mode to the other files of a database
  const source = new DatabaseSync(database, { readOnly: true, timeout: BUSY_MS });
  try {
    source.exec("begin; select count(*) from sqlite_schema");
    await backup(source, file, {
      rate: STEP_PAGES,
      progress({ totalPages, remainingPages }) {
        signal.throwIfAborted();
        onProgress(1 - remainingPages / totalPages);
      },
    });
    return { file, [Symbol.asyncDispose]: remove };
  } catch (error) {
    await remove();
    throw error;
  } finally {
    source.close();
  }
}

async function requireSpace(database: string): Promise<void> {
  const folder = path.dirname(database);
  const sizeOf = (file: string) =>
    stat(file).then(
      (found) => found.size,
      () => 0, // no write-ahead log
    );
  const size = (await sizeOf(database)) + (await sizeOf(`${database}-wal`));
  const spare = Math.min(size, MAX_SPARE_BYTES);
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize >= size + spare) return;
  const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`;
  throw new AppError(
    "unavailable",
    `The disk of ${folder} has ${megabytes(bavail * bsize)} left, and the backup needs ${megabytes(size + spare)} there for a while: ` +
      `${megabytes(size)} for a copy of the database, and ${megabytes(spare)} for what the server writes meanwhile. ` +
      "Free some space and try again.",
  );
}

/** Removes what is left of copies in a data directory: those of killed backups, and files beside copies that are gone. */
export async function removeLeftCopies(folder: string): Promise<void> {
  const names = await readdir(folder);
  for (const name of names) {
    const [, copy, pid] = COPY.exec(name) ?? [];
    if (copy === undefined || pid === undefined) continue;
    const isInUse = names.includes(copy) && Number(pid) !== process.pid && isRunning(Number(pid));
    if (!isInUse) await rm(path.join(folder, name), { force: true });
  }
}

/**
 * Dumps a PostgreSQL database with pg_dump, which takes a consistent snapshot. `AppError` if pg_dump is missing or
 * fails.
 */
export async function dumpPostgres(
  url: Secret,
  {
    environment,
    signal,
    read,
  }: { environment: NodeJS.ProcessEnv; signal: AbortSignal; read(dump: Readable): Promise<void> },
): Promise<void> {
  const address = new URL(url.reveal());
  const password = decodeURIComponent(address.password);
  address.password = ""; // other users of the machine can see the arguments of a process
  const child = spawn("pg_dump", ["--format=custom", "--no-owner", "--no-privileges", `--dbname=${address.href}`], {
    env: { ...environment, ...(password !== "" && { PGPASSWORD: password }) },
    stdio: ["ignore", "pipe", "pipe"],
    signal,
  });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => (said = (said + chunk.toString()).slice(-2_000)));
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", (error: NodeJS.ErrnoException) => reject(error.code === "ENOENT" ? pgDumpMissing() : error));
    child.once("close", resolve);
  });
  const [status] = await Promise.all([ended, read(child.stdout)]);
  if (status !== 0) throw new AppError("unavailable", `pg_dump failed: ${said.trim() || `exit status ${status}`}`);
}

const pgDumpMissing = () =>
  new AppError(
    "invalid",
    "The database is PostgreSQL, and `pg_dump` is not installed here. Install the client of your PostgreSQL version, " +
      "or back up the database by other means and add --without-database.",
  );
