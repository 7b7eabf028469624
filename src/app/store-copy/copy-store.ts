import { existsSync, renameSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { claimCopyLock, claimServerLock } from "#app/instance/server-lock.ts";
import { readInstanceId } from "#app/instance/store.ts";
import { sqliteFaults } from "#app/instance/store-faults.ts";
import { AppError } from "#lib/app-error.ts";
import { type CopiedTable, type CopyWork, copyTables, objectionsTo, rowsAtOnce, sizedTables } from "./copy-tables.ts";
import { type CopiedConfig, openSource } from "./copy-source.ts";
import { type CopyPlace, inspectTarget, type OpenTarget, openTarget, placeName, spaceProblem } from "./copy-target.ts";
import { postgresObjection } from "./postgres-tables.ts";
import { STOP_FIRST } from "./running-servers.ts";

type Watched = Pick<CopyWork, "signal" | "progress">;

/**
 * Copies the database of an instance to the other engine, while no server uses it. No server starts on what a killed copy leaves,
 * until the same copy runs to its end. A SQLite database is renamed to `movedName` before the copy can be used: a server or
 * command without DATABASE_URL would continue with it next to the copy. Its content does not change.
 */
export async function copyStore(config: CopiedConfig, place: CopyPlace, work: Watched): Promise<CopiedTable[]> {
  requireOtherEngine(config, place);
  await using stack = new AsyncDisposableStack();
  const { database } = config;
  if (database.engine === "sqlite") stack.use(claimCopyLock(config.dataDirectory));
  const { tables, target } = await copyWhole(config, place, { work, stack });
  if (database.engine === "sqlite") {
    // A server that started since the source was closed would go on writing to the renamed file.
    stack.use(claimServerLock(config, STOP_FIRST));
    // The last connection that closes writes the WAL into the database and removes it.
    const source = new DatabaseSync(database.path);
    source.exec("pragma wal_checkpoint(truncate)");
    source.close();
    renameSync(database.path, movedName(database.path));
  }
  work.progress("Finishing");
  await target.finish();
  return tables;
}

/**
 * Gives a SQLite database its former name if a copy to `place` was killed after it was renamed and before the copy could be used.
 * The same copy then continues.
 */
export async function undoUnfinishedMove(
  { database, dataDirectory }: CopiedConfig,
  place: CopyPlace,
  { isRehearsal }: { isRehearsal: boolean },
): Promise<void> {
  if (database.engine !== "sqlite" || place.engine !== "postgres" || existsSync(database.path)) return;
  const instance = readInstanceId(dataDirectory);
  if (instance === null || !existsSync(movedName(database.path))) return;
  if ((await inspectTarget(place, instance)) !== "begun") return;
  if (isRehearsal) {
    throw new AppError(
      "conflict",
      "This copy was interrupted at its end. Run the command without --dry-run to finish it.",
    );
  }
  renameSync(movedName(database.path), database.path);
}

/** What a SQLite database is called once it is copied. */
export const movedName = (path: string): string => `${path}.moved`;

/** The target stays open, and no other copy writes to it. */
async function copyWhole(
  config: CopiedConfig,
  place: CopyPlace,
  { work, stack }: { work: Watched; stack: AsyncDisposableStack },
): Promise<{ tables: CopiedTable[]; target: OpenTarget }> {
  await using source = await openSource(config, { isRehearsal: false });
  const target = stack.use(await openTarget(place, source.instance));
  const tables = await copyTables({ ...work, source: source.tables, target: target.tables }, target);
  return { tables, target };
}

export interface CopyRehearsal {
  tables: readonly Omit<CopiedTable, "checksum">[];
  /** The first of them, a sentence each. */
  problems: readonly string[];
  /** How many there are. */
  problemCount: number;
}

const MAX_SHOWN_PROBLEMS = 50;

/** Reads everything that would be copied and checks the target, without writing. A server may be running. */
export async function rehearseCopy(config: CopiedConfig, place: CopyPlace, work: Watched): Promise<CopyRehearsal> {
  requireOtherEngine(config, place);
  const problems: string[] = [];
  let problemCount = 0;
  const tell = (problem: string) => {
    problemCount += 1;
    if (problems.length < MAX_SHOWN_PROBLEMS) problems.push(problem);
  };
  await using source = await openSource(config, { isRehearsal: true });
  await inspectTarget(place, source.instance).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
    tell(error.message);
  });
  if (config.database.engine === "sqlite") {
    work.progress("Checking the database");
    for (const fault of sqliteFaults(config.database.path, { full: false })) tell(`The database is damaged: ${fault}`);
  }
  const sized = await sizedTables(source.tables, work);
  const objection = place.engine === "postgres" ? postgresObjection : () => null;
  for (const { table, size } of sized) {
    work.progress(`Reading ${table.name}`);
    for await (const rows of source.tables.read(table, rowsAtOnce(size))) {
      work.signal.throwIfAborted();
      for (const problem of objectionsTo(rows, table, { objection })) tell(problem);
    }
  }
  const tables = sized.map(({ table, size }) => ({ name: table.name, rows: size.rows, bytes: size.bytes }));
  if (place.engine === "sqlite") {
    const problem = await spaceProblem(
      place.dataDirectory,
      tables.reduce((sum, { bytes }) => sum + bytes, 0),
    );
    if (problem !== null) tell(problem);
  }
  return { tables, problems, problemCount };
}

function requireOtherEngine({ database }: CopiedConfig, place: CopyPlace): void {
  if (database.engine !== place.engine) return;
  const message =
    place.engine === "postgres"
      ? "The database of the server is PostgreSQL already, as DATABASE_URL says. To copy the SQLite database of the data directory, remove " +
        "DATABASE_URL. To copy from one PostgreSQL server to another, use pg_dump and pg_restore."
      : `The database of the server is SQLite already. To copy from PostgreSQL to ${placeName(place)}, set DATABASE_URL to the server's value.`;
  throw new AppError("invalid", message);
}
