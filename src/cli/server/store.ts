import { existsSync } from "node:fs";
import path from "node:path";
import { requireStore } from "#app/doctor/examine.ts";
import { type Config, loadConfig } from "#app/instance/config.ts";
import { secretsFile } from "#app/instance/secrets-file.ts";
import { type CopiedTable, inThousands } from "#app/store-copy/copy-tables.ts";
import {
  type CopyRehearsal,
  copyStore,
  movedName,
  rehearseCopy,
  undoUnfinishedMove,
} from "#app/store-copy/copy-store.ts";
import { type CopyPlace, placeName } from "#app/store-copy/copy-target.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { type Command, readArguments, UsageError } from "#cli/command/command.ts";
import { type CommandIo, table, writeLine } from "#cli/command/io.ts";
import { createProgressLine } from "#cli/command/progress.ts";
import { requireDirectory } from "#cli/places/place.ts";
import { megabytes } from "./backup.ts";

export const storeCommand: Command = {
  usage: `docent store copy --to TARGET [--dry-run]

Copies the database of a data directory from SQLite to PostgreSQL, or from PostgreSQL back to SQLite. Stop all servers first. The
content of the copied database does not change; a SQLite database is renamed to docent.sqlite.moved. The repositories, the encryption key and
views that are not counted yet stay in the data directory, which the server still needs. Each table is read back and compared. If the copy is
interrupted, run the same command again: it continues. No server starts on an unfinished copy.

Options
  --to TARGET  postgres://USER@HOST/NAME of an empty database, or a data directory for SQLite. Put the password in
               PGPASSWORD or ~/.pgpass to hide it from other users of the machine
  --dry-run    list the tables with their rows and sizes, and everything that prevents the copy. Writes nothing, and works
               while the server runs. The exit status is 1 if something prevents the copy
  --data DIR   data directory (default ./data, or DOCENT_DATA). If DATABASE_URL is set, its PostgreSQL database is copied
  --json       one JSON object on standard output

Example
  docent store copy --data /var/lib/docent --to postgres://docent@db.example.com/docent
  DATABASE_URL=postgres://docent@db.example.com/docent docent store copy --data /var/lib/docent --to /var/lib/docent`,
  async run([action, ...args], io) {
    if (action !== "copy") throw new UsageError("The only action is `docent store copy`.");
    await copy(args, io);
  },
};

async function copy(args: readonly string[], io: CommandIo): Promise<void> {
  const { values } = readArguments(
    args,
    { to: { type: "string" }, "dry-run": { type: "boolean" } },
    { min: 0, max: 0, names: "" },
  );
  const place = readPlace(values.to);
  requireDirectory(values);
  const config = loadConfig({ data: values.data });
  requireStore(config);
  await undoUnfinishedMove(config, place, { isRehearsal: values["dry-run"] === true });
  using line = createProgressLine(io);
  const work = { signal: io.signal, progress: steadyProgress(io, line.show) };
  const asJson = values.json ?? false;
  if (values["dry-run"]) {
    const rehearsal = await rehearseCopy(config, place, work);
    line[Symbol.dispose]();
    return tellRehearsal(rehearsal, { place, asJson, io });
  }
  const copied = await copyStore(config, place, work).catch((error: unknown) => {
    line[Symbol.dispose]();
    if (io.signal.aborted) writeLine(io.stderr, "Interrupted. Run the same command again: it continues.");
    throw error;
  });
  line[Symbol.dispose]();
  tellCopy(copied, { config, place, asJson, io });
}

function readPlace(to: string | undefined): CopyPlace {
  if (to === undefined)
    throw new UsageError("--to is missing: postgres://USER@HOST/NAME, or a data directory for SQLite.");
  if (/^postgres(?:ql)?:\/\//.test(to) && URL.canParse(to)) return { engine: "postgres", url: new Secret(to) };
  if (/^[a-z][\w+.-]*:\/\//i.test(to)) {
    throw new UsageError("--to takes postgres://USER@HOST/NAME, or a data directory for SQLite.");
  }
  const dataDirectory = path.resolve(to);
  return { engine: "sqlite", path: path.join(dataDirectory, "docent.sqlite"), dataDirectory };
}

const LINE_MS = 5_000;

/** One line that is written over in a terminal, else a line every few seconds. */
function steadyProgress(io: CommandIo, show: (words: string) => void): (words: string) => void {
  if (io.isTerminal) return show;
  let next = performance.now() + LINE_MS;
  return (words) => {
    if (performance.now() < next) return;
    next = performance.now() + LINE_MS;
    writeLine(io.stderr, words);
  };
}

interface Telling {
  place: CopyPlace;
  asJson: boolean;
  io: CommandIo;
}

function tellRehearsal({ tables, problems, problemCount }: CopyRehearsal, { place, asJson, io }: Telling): void {
  if (problemCount > 0) process.exitCode = 1;
  const target = placeName(place);
  if (asJson) return writeLine(io.stdout, JSON.stringify({ target, tables, ...sums(tables), problems, problemCount }));
  const rows = tables
    .filter((each) => each.rows > 0)
    .map(({ name, rows: count, bytes }) => [name, inThousands(count), megabytes(bytes)]);
  writeLine(io.stdout, table(["table", "rows", "size"], rows));
  const { rows: count, bytes } = sums(tables);
  const empty = tables.length - rows.length;
  writeLine(
    io.stdout,
    `\n${inThousands(count)} rows, ${megabytes(bytes)}. ${empty} tables are empty. Nothing was copied.`,
  );
  for (const problem of problems) writeLine(io.stderr, `problem  ${problem}`);
  if (problemCount > problems.length) writeLine(io.stderr, `and ${problemCount - problems.length} more problems.`);
  writeLine(
    io.stderr,
    problemCount === 0 ? `Nothing is in the way of a copy to ${target}.` : "Solve these problems first.",
  );
}

function sums(tables: readonly { rows: number; bytes: number }[]) {
  return {
    rows: tables.reduce((sum, each) => sum + each.rows, 0),
    bytes: tables.reduce((sum, each) => sum + each.bytes, 0),
  };
}

function tellCopy(tables: readonly CopiedTable[], { config, place, asJson, io }: Telling & { config: Config }): void {
  const { rows, bytes } = sums(tables);
  const target = placeName(place);
  const next = stepsAfterCopy(config, place);
  if (asJson) return writeLine(io.stdout, JSON.stringify({ target, rows, bytes, tables, next }));
  writeLine(
    io.stdout,
    `Copied ${tables.length} tables with ${inThousands(rows)} rows (${megabytes(bytes)}) to ${target}. Counts and checksums of all tables agree.`,
  );
  for (const [index, step] of next.entries()) writeLine(io.stderr, `${index + 1}. ${step}`);
}

function stepsAfterCopy(config: Config, place: CopyPlace): string[] {
  const { dataDirectory } = config;
  const isKeyThere = config.secretKey === null && existsSync(secretsFile(dataDirectory));
  const key = isKeyThere ? "its secrets.key" : "DOCENT_SECRET_KEY";
  if (place.engine === "postgres") {
    const hasPassword = new URL(place.url.reveal()).password !== "";
    return [
      `Set DATABASE_URL=${placeName(place)} for the server and its commands${hasPassword ? ", with the password" : ""}.`,
      `Keep ${dataDirectory} and ${key}: the repositories and views that are not counted yet are in the directory, and only this key opens the stored secrets.`,
      `Start the server: docent serve --data ${dataDirectory}`,
      `The SQLite database is now ${movedName(path.join(dataDirectory, "docent.sqlite"))}: delete it when all is well. To go back to it, give it its former name.`,
    ];
  }
  const isElsewhere = place.dataDirectory !== dataDirectory;
  const carried = ["instance-id", ...(isKeyThere ? ["secrets.key"] : []), "repositories", "journal", "agents.json"];
  return [
    ...(isElsewhere
      ? [`Copy what ${dataDirectory} has of these to ${place.dataDirectory}, with cp -a: ${carried.join(", ")}.`]
      : [`Keep ${key}: only it opens the stored secrets.`]),
    `Remove DATABASE_URL from the settings of the server and its commands.`,
    `Start the server: docent serve --data ${place.dataDirectory}`,
  ];
}
