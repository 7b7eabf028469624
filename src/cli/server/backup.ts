import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { openForBackup } from "#app/backup/backup-folder.ts";
import { takeBackup } from "#app/backup/take-backup.ts";
import { loadConfig } from "#app/instance/config.ts";
import { refuseOtherOwner } from "#app/instance/data-directory.ts";
import { AppError } from "#lib/app-error.ts";
import { isDiskFull } from "#lib/disk-full.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { type Command, readArguments, UsageError, wholeNumber } from "#cli/command/command.ts";
import { writeLine } from "#cli/command/io.ts";
import { createProgressLine } from "#cli/command/progress.ts";
import { inheritedEnvironment } from "#cli/places/command-environment.ts";
import { requireDirectory } from "#cli/places/place.ts";

const MIN_PASSPHRASE = 12;
const MAX_KEPT = 10_000;

export const backupCommand: Command = {
  usage: `docent backup --to FOLDER [--keep N] [--passphrase-file FILE] [--include-key]

Backs up a data directory, also while its server runs. Everything that the server acknowledged before the start is in the backup. A
folder holds any number of backups, and each adds only what is new.

Options
  --to FOLDER             folder of the backups, created if it does not exist
  --keep N                delete all but the newest N backups afterwards (default: keep all)
  --passphrase-file FILE  encrypt with the passphrase in FILE, at least ${MIN_PASSPHRASE} characters
  --include-key           put secrets.key into a backup that is not encrypted. An encrypted backup has it always
  --without-database      with PostgreSQL: leave out the database, which you back up by other means
  --data DIR              data directory (default ./data, or DOCENT_DATA)
  --json                  one JSON object on standard output

Example
  docent backup --to /backup/docent --keep 14 --passphrase-file /root/docent-passphrase`,
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
    if (values.to === undefined) throw new UsageError("Say where the backups go: --to FOLDER.");
    const keep = values.keep === undefined ? null : wholeNumber("--keep", values.keep, 1, MAX_KEPT);
    requireDirectory(values);
    const config = loadConfig({ data: values.data });
    const root = path.resolve(values.to);
    requireOwnStore(root, config.dataDirectory);
    const passphrase = await readPassphrase(values["passphrase-file"]);
    try {
      using folder = await openForBackup(root, passphrase);
      using line = createProgressLine(io);
      const { manifest, writtenBytes } = await takeBackup({
        config,
        folder,
        includeKey: values["include-key"] ?? false,
        withoutDatabase: values["without-database"] ?? false,
        environment: inheritedEnvironment(),
        signal: io.signal,
        progress: line.show,
      });
      line[Symbol.dispose]();
      const { id, startedAt, databaseAt, database, key, files } = manifest;
      const size = files.reduce((sum, file) => sum + file.size, 0);
      const facts = { id, startedAt, databaseAt, database, key, files: files.length, size, written: writtenBytes };
      const sizes = `${files.length} files, ${megabytes(size)}, of which ${megabytes(writtenBytes)} new.`;
      if (!values.json) writeLine(io.stdout, `Backup ${id}: ${sizes}`);
      for (const note of notesOn(manifest)) writeLine(io.stderr, `Note: ${note}`);
      const deleted = keep === null ? [] : await folder.keepNewest(keep);
      if (values.json) writeLine(io.stdout, JSON.stringify({ ...facts, deleted }));
      else if (deleted.length > 0) writeLine(io.stderr, `Deleted older backups: ${deleted.join(", ")}`);
    } catch (error) {
      if (!isDiskFull(error)) throw error;
      const message = `There is no space left for the backup (${(error as Error).message}). No backup was made; those of before are whole.`;
      throw new AppError("unavailable", message, { cause: error });
    }
  },
};

function requireOwnStore(root: string, dataDirectory: string): void {
  if (!existsSync(dataDirectory)) throw new AppError("invalid", `There is no data directory ${dataDirectory}.`);
  if (!existsSync(path.join(dataDirectory, "instance-id"))) {
    throw new AppError("invalid", `There is no Docent store in ${dataDirectory}. Say where it is with --data DIR.`);
  }
  refuseOtherOwner(dataDirectory); // SQLite leaves files there, which the server could not write
  if (`${root}${path.sep}`.startsWith(`${dataDirectory}${path.sep}`)) {
    throw new AppError("invalid", "Backups belong outside of the data directory, best on another disk.");
  }
}

/** The first line of a file, which is no secret of the environment or of a list of processes. */
export async function readPassphrase(file: string | undefined): Promise<Secret | null> {
  if (file === undefined) return null;
  const text = await readFile(file, "utf8").catch((cause: Error) => {
    throw new AppError("invalid", `The passphrase cannot be read: ${cause.message}`, { cause });
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
