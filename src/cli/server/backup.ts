import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { type BackupFolder, openForBackup } from "#app/backup/backup-folder.ts";
import { takeBackup } from "#app/backup/take-backup.ts";
import { checkFiles } from "#app/doctor/file-checks.ts";
import { type Config, loadConfig } from "#app/instance/config.ts";
import { refuseOtherOwner } from "#app/instance/data-directory.ts";
import { databaseMissing, proposeInstanceId, readInstanceId } from "#app/instance/store.ts";
import { AppError } from "#lib/app-error.ts";
import { isDiskFull } from "#lib/disk-full.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { type Command, readArguments, UsageError, wholeNumber } from "#cli/command/command.ts";
import { type CommandIo, writeLine } from "#cli/command/io.ts";
import { createProgressLine } from "#cli/command/progress.ts";
import { inheritedEnvironment } from "#cli/places/command-environment.ts";
import { requireDirectory } from "#cli/places/place.ts";

const MIN_PASSPHRASE = 12;
const MAX_KEPT = 10_000;

export const backupCommand: Command = {
  usage: `docent backup --to FOLDER [--keep N] [--passphrase-file FILE] [--include-key]

Backs up a data directory, even while its server runs. The backup contains everything that the server acknowledged before the backup
started. A folder can have any number of backups of one server, and each adds only new data. The exit status is 1 if the backup failed or
is incomplete, for example without the repository of a project. In that case, no older backup is deleted.

Options
  --to FOLDER             folder for the backups, created if it does not exist
  --keep N                delete all but the newest N complete backups afterwards (default: keep all)
  --passphrase-file FILE  encrypt with the passphrase in FILE, of at least ${MIN_PASSPHRASE} characters
  --include-key           include secrets.key in an unencrypted backup. Encrypted backups always include it
  --without-database      with PostgreSQL: leave out the database, if you back it up in another way
  --data DIR              data directory (default ./data, or DOCENT_DATA)
  --json                  one JSON object on standard output

Example
  docent backup --to /backup/docent --keep 14 --passphrase-file /etc/docent-passphrase`,
  async run(args, io) {
    const text = { type: "string" } as const;
    const flag = { type: "boolean" } as const;
    const { values } = readArguments(
      args,
      {
        to: text,
        keep: text,
        "passphrase-file": text,
        "include-key": flag,
        "without-database": flag,
      },
      { min: 0, max: 0, names: "" },
    );
    if (values.to === undefined) throw new UsageError("--to FOLDER is missing: the folder for the backups.");
    const keep = values.keep === undefined ? null : wholeNumber("--keep", values.keep, 1, MAX_KEPT);
    requireDirectory(values);
    const config = loadConfig({ data: values.data });
    const root = path.resolve(values.to);
    const instance = await requireOwnStore(root, config);
    const passphrase = await readPassphrase(values["passphrase-file"]);
    try {
      using folder = await openForBackup(root, { instance, passphrase });
      using line = createProgressLine(io);
      const { manifest, writtenBytes } = await retryWithMoreSpace({ folder, keep, io }, () =>
        takeBackup({
          config,
          folder,
          includeKey: values["include-key"] ?? false,
          withoutDatabase: values["without-database"] ?? false,
          environment: inheritedEnvironment(),
          signal: io.signal,
          progress: line.show,
        }),
      );
      line[Symbol.dispose]();
      const { files, missing, ...rest } = manifest;
      const { id, startedAt, databaseAt, database, key } = rest;
      const size = files.reduce((sum, file) => sum + file.size, 0);
      const counts = { files: files.length, size, written: writtenBytes };
      const facts = { id, startedAt, databaseAt, database, key, missing, ...counts };
      const sizes = `${files.length} files, ${megabytes(size)}, of which ${megabytes(writtenBytes)} new.`;
      if (!values.json) writeLine(io.stdout, `Backup ${id}: ${sizes}`);
      for (const note of notesOn(manifest)) writeLine(io.stderr, `Note: ${note}`);
      if (missing.length > 0) {
        process.exitCode = 1;
        if (!values.json) writeLine(io.stderr, incompleteText(missing));
      }
      const { deleted, damaged } = await prune(folder, missing.length > 0 ? null : keep);
      if (damaged.length > 0) writeLine(io.stderr, `Note: ${damagedText(damaged, root)}`);
      if (values.json) writeLine(io.stdout, JSON.stringify({ ...facts, deleted }));
      else if (deleted.length > 0) writeLine(io.stderr, `Deleted older backups: ${deleted.join(", ")}`);
    } catch (error) {
      if (!isDiskFull(error)) throw await refusal(error, config, io.signal);
      const message = `There is no space left for the backup (${(error as Error).message}). No backup was made, and those of before are whole.`;
      throw new AppError("unavailable", message, { cause: error });
    }
  },
};

/**
 * If the disk is full, frees space and retries: deletes what failed backups left, or the oldest backup before the new
 * one exists.
 */
async function retryWithMoreSpace<T>(
  { folder, keep, io }: { folder: BackupFolder; keep: number | null; io: CommandIo },
  work: () => Promise<T>,
): Promise<T> {
  const makeRoom = async (error: unknown): Promise<boolean> => {
    if (!isDiskFull(error)) throw error;
    const room = await folder.makeRoom(keep).catch(() => null); // the disk is read-only
    if (room && room.deleted.length > 0) {
      writeLine(io.stderr, `The disk of the backups is full. Deleted older backups: ${room.deleted.join(", ")}`);
    }
    return room?.isMore ?? false;
  };
  try {
    return await work();
  } catch (error) {
    if (!(await makeRoom(error))) throw error;
  }
  try {
    return await work();
  } catch (error) {
    await makeRoom(error);
    throw error;
  }
}

const prune = async (folder: BackupFolder, keep: number | null) =>
  keep === null ? { deleted: [], damaged: [] } : folder.keepNewest(keep);

const incompleteText = (missing: readonly string[]) =>
  `This backup is incomplete, and --keep deletes nothing after it:\n${missing.map((line) => `  ${line}`).join("\n")}\n` +
  "Bring back each repository from a complete backup or a clone (`git clone --bare`), or delete its project.";

export const damagedText = (ids: readonly string[], root: string): string =>
  `Damaged manifests: ${ids.map((id) => path.join(root, "backups", `${id}.manifest`)).join(", ")}. These backups cannot be restored, ` +
  "and Docent deletes no blob while they are there. Delete the files.";

/** Files of another user cause errors that look unrelated: from SQLite, git or the file system. */
async function refusal(error: unknown, config: Config, signal: AbortSignal): Promise<unknown> {
  signal.throwIfAborted();
  const [found] = await checkFiles(config, { signal });
  if (found?.state === "problem") return new AppError("invalid", `${found.words} ${found.advice}`, { cause: error });
  const { code, path: place = "a file" } = error as NodeJS.ErrnoException;
  if (code !== "EACCES" && code !== "EPERM") return error;
  const what = `This user may not use ${place}. The folder of the backups must belong to the server's user, who runs the command.`;
  return new AppError("invalid", what, { cause: error });
}

/** Returns the ID of the store. */
async function requireOwnStore(root: string, { dataDirectory, database }: Config): Promise<string> {
  if (!existsSync(dataDirectory)) throw new AppError("invalid", `There is no data directory ${dataDirectory}.`);
  refuseOtherOwner(dataDirectory); // SQLite would leave files there that the server cannot write
  const id = readInstanceId(dataDirectory);
  const isThere = database.engine !== "sqlite" || existsSync(database.path);
  if (id === null && !(database.engine === "sqlite" && isThere)) {
    throw new AppError("invalid", `There is no Docent store in ${dataDirectory}. Say where it is with --data DIR.`);
  }
  if (!isThere) throw databaseMissing(dataDirectory);
  if (`${root}${path.sep}`.startsWith(`${dataDirectory}${path.sep}`)) {
    throw new AppError("invalid", "Backups belong outside of the data directory, best on another disk.");
  }
  return id ?? (await proposeInstanceId(dataDirectory));
}

/**
 * Reads the passphrase from the first line of a file, so that neither the environment nor the process list contains it.
 */
export async function readPassphrase(file: string | undefined): Promise<Secret | null> {
  if (file === undefined) return null;
  const text = await readFile(file, "utf8").catch((cause: NodeJS.ErrnoException) => {
    const what =
      cause.code === "EACCES"
        ? `This user may not read ${file}. Give it to the user that runs the backup: chown USER ${file} && chmod 600 ${file}`
        : `The passphrase cannot be read: ${cause.message}`;
    throw new AppError("invalid", what, { cause });
  });
  const [passphrase = ""] = text.split(/\r?\n/, 1);
  if (passphrase.length >= MIN_PASSPHRASE) return new Secret(passphrase);
  throw new AppError("invalid", `The passphrase in ${file} has fewer than ${MIN_PASSPHRASE} characters.`);
}

function notesOn({ key, database, databaseAt }: { key: string; database: string; databaseAt: string }): string[] {
  return [
    ...(key === "left out"
      ? [
          "secrets.key is not in this backup, as it is not encrypted. Keep a copy of it in another place: without it stored secrets are lost.",
        ]
      : []),
    ...(key === "environment" ? ["The key in DOCENT_SECRET_KEY is not in this backup. Keep it in another place."] : []),
    ...(database === "none"
      ? [`The database is not in this backup. Restore it to ${databaseAt} beside these files (point-in-time recovery).`]
      : []),
  ];
}

export const megabytes = (bytes: number): string =>
  bytes < 100_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
