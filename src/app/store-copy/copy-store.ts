import { renameSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { claimServerLock } from "#app/instance/server-lock.ts";
import { sqliteFaults } from "#app/instance/store-faults.ts";
import { AppError } from "#lib/app-error.ts";
import { type CopiedTable, type CopyWork, copyTables, objectionsTo, rowsAtOnce, sizedTables } from "./copy-tables.ts";
import { type CopiedConfig, openSource } from "./copy-source.ts";
import { type CopyPlace, inspectTarget, openTarget, placeName } from "./copy-target.ts";
import { postgresObjection } from "./postgres-tables.ts";
import { STOP_FIRST } from "./running-servers.ts";

type Watched = Pick<CopyWork, "signal" | "progress">;

/**
 * Copies the database of an instance to the other engine, while no server uses it. No server starts on what a killed copy leaves,
 * until the same copy runs to its end. A SQLite database is then renamed to `movedName`: a server or command without DATABASE_URL
 * would continue with it next to the copy. Its content does not change.
 */
export async function copyStore(config: CopiedConfig, place: CopyPlace, work: Watched): Promise<CopiedTable[]> {
  requireOtherEngine(config, place);
  const tables = await copyWhole(config, place, work);
  const { database } = config;
  if (database.engine === "sqlite") {
    // A server that started since the copy ended would go on writing to the renamed file.
    using _ = claimServerLock(config, STOP_FIRST);
    // The last connection that closes writes the WAL into the database and removes it.
    const source = new DatabaseSync(database.path);
    source.exec("pragma wal_checkpoint(truncate)");
    source.close();
    renameSync(database.path, movedName(database.path));
  }
  return tables;
}

/** What a SQLite database is called once it is copied. */
export const movedName = (path: string): string => `${path}.moved`;

async function copyWhole(config: CopiedConfig, place: CopyPlace, work: Watched): Promise<CopiedTable[]> {
  await using source = await openSource(config, { isRehearsal: false });
  await using target = await openTarget(place, source.instance);
  const tables = await copyTables({ ...work, source: source.tables, target: target.tables }, target);
  work.progress("Finishing");
  await target.finish();
  return tables;
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
