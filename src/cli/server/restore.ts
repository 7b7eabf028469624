import { RESTORED_PACKS } from "#repositories/restored-packs.ts";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { type BackupFolder, openForRestore } from "#app/backup/backup-folder.ts";
import { checkRestored } from "#app/backup/check-restored.ts";
import type { Manifest } from "#app/backup/manifest.ts";
import { requireEmpty, restoreBackup } from "#app/backup/restore-backup.ts";
import { AppError } from "#lib/app-error.ts";
import { isDiskFull } from "#lib/disk-full.ts";
import { type Command, readArguments, UsageError } from "#cli/command/command.ts";
import { type CommandIo, table, writeLine } from "#cli/command/io.ts";
import { createProgressLine } from "#cli/command/progress.ts";
import { damagedText, megabytes, readPassphrase } from "./backup.ts";

export const restoreCommand: Command = {
  usage: `docent restore --from FOLDER [--to DIR] [--backup ID] [--check] [--list]

Restores a backup into a new data directory and verifies the checksum of every file.

Options
  --from FOLDER           folder of the backups
  --to DIR                data directory to create. It must not exist or must be empty
  --backup ID             the backup to restore (default: the newest)
  --check                 also check the database and every repository. Without --to, the backup is restored into a
                          temporary folder (TMPDIR), which is then deleted
  --list                  list the backups
  --passphrase-file FILE  the passphrase of encrypted backups
  --json                  one JSON object on standard output

Example
  docent restore --from /backup/docent --to /var/lib/docent`,
  async run(args, io) {
    const text = { type: "string" } as const;
    const flag = { type: "boolean" } as const;
    const { values } = readArguments(
      args,
      { from: text, to: text, backup: text, check: flag, list: flag, "passphrase-file": text },
      { min: 0, max: 0, names: "" },
    );
    const { from, to, check = false, list = false } = values;
    if (from === undefined) throw new UsageError("--from FOLDER is missing: the folder of the backups.");
    if (!list && to === undefined && !check) throw new UsageError("Add --to DIR, --check or --list.");
    if (to !== undefined) await requireEmpty(path.resolve(to));
    const folder = await openForRestore(path.resolve(from), await readPassphrase(values["passphrase-file"]));
    if (list) return printBackups(folder, { root: path.resolve(from), asJson: values.json ?? false, io });
    const id = values.backup ?? (await folder.list()).at(-1);
    if (id === undefined) throw new AppError("not_found", `There is no finished backup in ${from}.`);
    const manifest = await folder.read(id);
    if (to !== undefined && values.backup === undefined && manifest.missing.length > 0) {
      throw await newestIncomplete(folder, manifest);
    }
    using line = createProgressLine(io);
    const options = { folder, manifest, signal: io.signal, progress: line.show };
    const temporary = to === undefined ? await mkdtemp(path.join(os.tmpdir(), "docent-restore-")) : null;
    const directory = temporary ?? path.resolve(to!);
    try {
      await restoreBackup(directory, options);
      if (check) await checkRestored(directory, options);
    } catch (error) {
      if (isDiskFull(error))
        throw new AppError("unavailable", `There is no space left in ${directory}.`, { cause: error });
      throw error;
    } finally {
      // Files that are still being written when one is found damaged make a folder that is being removed not empty.
      if (temporary !== null) await rm(temporary, { recursive: true, force: true, maxRetries: 5 });
    }
    line[Symbol.dispose]();
    const facts = { id, startedAt: manifest.startedAt, files: manifest.files.length, checked: check };
    if (values.json)
      return writeLine(io.stdout, JSON.stringify({ ...facts, directory: temporary === null ? directory : null }));
    writeLine(
      io.stdout,
      `Backup ${id}: ${manifest.files.length} files are ${temporary === null ? `in ${directory}` : "whole"}.`,
    );
    if (temporary === null) for (const step of stepsAfter(manifest, directory)) writeLine(io.stderr, step);
  },
};

async function newestIncomplete(folder: BackupFolder, { id, missing }: Manifest): Promise<AppError> {
  const complete = (await folder.readAll()).findLast(({ manifest }) => manifest?.missing.length === 0);
  const other = complete ? `The newest complete one: --backup ${complete.id}.` : "No other one is complete.";
  return new AppError(
    "conflict",
    `The newest backup is incomplete:\n${missing.join("\n")}\n${other} To restore this one nevertheless: --backup ${id}.`,
  );
}

interface ListOptions {
  root: string;
  asJson: boolean;
  io: CommandIo;
}

async function printBackups(folder: BackupFolder, { root, asJson, io }: ListOptions): Promise<void> {
  const backups = await folder.readAll();
  const damaged = backups.filter(({ manifest }) => manifest === null).map(({ id }) => id);
  const rows = backups.flatMap(({ manifest }) => (manifest === null ? [] : [rowOf(manifest)]));
  if (damaged.length > 0) writeLine(io.stderr, `Note: ${damagedText(damaged, root)}`);
  if (asJson) return writeLine(io.stdout, JSON.stringify(rows));
  const lines = rows.map((row) => [
    row.id,
    row.startedAt,
    row.missing.length === 0 ? "complete" : "incomplete",
    String(row.files),
    megabytes(row.size),
    row.key,
    row.release ?? "unknown",
    row.madeBy,
  ]);
  writeLine(io.stdout, table(["id", "started", "state", "files", "size", "secrets.key", "server", "made by"], lines));
}

const rowOf = ({ id, startedAt, release, madeBy, missing, database, key, files }: Manifest) => ({
  id,
  startedAt,
  release,
  madeBy,
  missing,
  database,
  key,
  files: files.length,
  size: files.reduce((sum, file) => sum + file.size, 0),
});

function stepsAfter({ key, database, databaseAt, files }: Manifest, directory: string): string[] {
  return [
    ...(key === "left out" ? [`Put your copy of secrets.key into ${directory}, mode 0600.`] : []),
    ...(key === "environment" ? ["Set DOCENT_SECRET_KEY to the key of the server that was backed up."] : []),
    ...(database === "pg_dump"
      ? [
          `Restore the database into an empty one: pg_restore --no-owner --exit-on-error --dbname=URL ${path.join(directory, "docent.dump")}`,
        ]
      : []),
    ...(database === "none" ? [`Restore the database to ${databaseAt}.`] : []),
    ...(files.some(({ path: name }) => name.startsWith(`${RESTORED_PACKS}/`))
      ? [
          `When the server starts with its DOCENT_S3 settings, it stores the packs that the bucket lacks from ${path.join(directory, RESTORED_PACKS)}.`,
        ]
      : []),
    `Then start the server: docent serve --data ${directory}`,
    "If the server that was backed up still runs, this one would do its work a second time: send its webhooks, run its jobs. Stop one of them.",
  ];
}
