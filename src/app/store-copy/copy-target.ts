import { existsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import path from "node:path";
import type pg from "pg";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { claimServerLock } from "#app/instance/server-lock.ts";
import { readInstanceId } from "#app/instance/store.ts";
import { type Database, type DatabaseLocation, openDatabase } from "#db/database.ts";
import { migrate } from "#db/migrations.ts";
import { beginCopy, endCopy, readBegunCopy, UNFINISHED_COPY } from "#db/unfinished-copy.ts";
import { AppError } from "#lib/app-error.ts";
import { silentLogger } from "#lib/logger.ts";
import { faultOf, withFaultsNamed } from "./named-faults.ts";
import { connectForCopy, createPostgresTables, withoutPassword } from "./postgres-tables.ts";
import { refuseConnections, refuseServerOn } from "./running-servers.ts";
import { openSqliteTables } from "./sqlite-tables.ts";
import type { TableStore } from "./table-store.ts";

/** Where a copy is written. With SQLite the database of a data directory. */
export type CopyPlace =
  | Extract<DatabaseLocation, { engine: "postgres" }>
  | (Extract<DatabaseLocation, { engine: "sqlite" }> & { dataDirectory: string });

export interface OpenTarget extends AsyncDisposable {
  tables: TableStore;
  /** Whether an earlier attempt has begun to fill it. */
  isContinued: boolean;
  /** After the last row: from now on servers start on it. */
  finish(): Promise<void>;
}

/** The place of a copy in messages. */
export const placeName = (place: CopyPlace): string =>
  place.engine === "postgres" ? withoutPassword(place.url) : place.path;

const STOP_OTHERS = "Stop what uses it first.";

/**
 * Opens a database for a copy of an instance, with the tables of this version and marked as unfinished. `AppError conflict` unless it
 * is empty or has an unfinished copy of the same instance.
 */
export async function openTarget(place: CopyPlace, instance: string): Promise<OpenTarget> {
  await using stack = new AsyncDisposableStack();
  const client = place.engine === "postgres" ? stack.use(await connectForCopy(place.url)) : null;
  if (place.engine === "sqlite") stack.use(claimServerLock({ ...place, database: place }, STOP_OTHERS));
  if (client) await lockAgainstOthers(client, placeName(place));
  const state = await inspect(place, instance, client);
  await prepare(place, instance, state).catch((error: unknown) => {
    throw faultOf({ name: placeName(place), isSource: false }, error);
  });
  const tables = withFaultsNamed(
    place.engine === "sqlite"
      ? stack.use(openSqliteTables(place.path, { isSource: false }))
      : createPostgresTables(client!, { isSource: false }),
  );
  const owned = stack.move();
  return {
    tables,
    isContinued: state === "begun",
    async finish() {
      await tables.settle();
      await using database = await openPlace(place);
      await endCopy(database.kysely);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/**
 * Looks whether a copy can be written there, and changes nothing. `begun`: an earlier attempt did not end. `AppError` with what is
 * in the way.
 */
export async function inspectTarget(place: CopyPlace, instance: string): Promise<TargetState> {
  await using stack = new AsyncDisposableStack();
  return await inspect(
    place,
    instance,
    place.engine === "postgres" ? stack.use(await connectForCopy(place.url)) : null,
  );
}

/** With the indexes a SQLite file has about a fifth more than the values; a batch is in the write-ahead log as well. */
const SPACE_FACTOR = 1.3;

/** What is wrong with the disk of a data directory for a copy with so many bytes of values; null for nothing. */
export async function spaceProblem(dataDirectory: string, bytes: number): Promise<string | null> {
  let folder = dataDirectory;
  while (!existsSync(folder) && path.dirname(folder) !== folder) folder = path.dirname(folder);
  const { bavail, bsize } = await statfs(folder);
  const [free, needed] = [bavail * bsize, bytes * SPACE_FACTOR];
  const megabytes = (size: number) => `${Math.ceil(size / 1_000_000).toLocaleString("en")} MB`;
  if (free >= needed) return null;
  return `The disk of ${dataDirectory} has ${megabytes(free)} left, and the copy needs about ${megabytes(needed)}. Free some space, or choose another directory.`;
}

const openPlace = (place: CopyPlace): Promise<Database> =>
  openDatabase({ location: place, logger: silentLogger, migrate: false });

type TargetState = "empty" | "begun";

async function inspect(place: CopyPlace, instance: string, client: pg.Client | null): Promise<TargetState> {
  if (client) {
    await refuseConnections(client, placeName(place));
    await requireUsable(client, placeName(place));
  }
  if (place.engine === "sqlite") {
    refuseServerOn(place.dataDirectory);
    const other = readInstanceId(place.dataDirectory);
    if (other !== null && other !== instance) {
      throw new AppError("conflict", `${place.dataDirectory} belongs to another instance. Choose another directory.`);
    }
    if (!existsSync(place.path)) return "empty";
  }
  await using database = await openPlace(place);
  const names = await tableNames(database);
  if (names.length === 0) return "empty";
  const begun = names.includes(UNFINISHED_COPY) ? await readBegunCopy(database.kysely) : undefined;
  if (begun === instance) return "begun";
  throw begun === undefined ? notEmpty(place, names) : othersCopy(place);
}

async function prepare(place: CopyPlace, instance: string, state: TargetState): Promise<void> {
  await using database = await openPlace(place);
  if (state === "empty") await beginCopy(database.kysely, instance);
  await migrate(database.kysely, database.engine);
}

async function tableNames({ kysely, engine }: Database): Promise<string[]> {
  const tables = await kysely.introspection.getTables({ withInternalKyselyTables: true });
  const { rows } =
    engine === "postgres"
      ? await sql<{ name: string }>`select current_schema() as name`.execute(kysely)
      : { rows: [{ name: undefined }] };
  return tables.filter((table) => !table.isView && table.schema === rows[0]?.name).map(({ name }) => name);
}

/** Any number that nothing else in Docent locks. */
const COPY_LOCK = 7_203_121;
const LOCK_PATIENCE = { rounds: 50, everyMs: 200 }; // PostgreSQL ends the last statement of a copy that was killed

async function lockAgainstOthers(client: pg.Client, name: string): Promise<void> {
  for (let round = 0; ; round++) {
    const { rows } = await client.query<{ locked: boolean }>(`select pg_try_advisory_lock(${COPY_LOCK}) as locked`);
    if (rows[0]?.locked === true) return;
    if (round === LOCK_PATIENCE.rounds) throw new AppError("conflict", `Another copy is being written to ${name}.`);
    await sleep(LOCK_PATIENCE.everyMs);
  }
}

async function requireUsable(client: pg.Client, name: string): Promise<void> {
  const { rows } = await client.query<{ encoding: string; may_create: boolean | null }>(
    `select current_setting('server_encoding') as encoding, has_schema_privilege(current_schema(), 'create') as may_create`,
  );
  const { encoding, may_create: mayCreate } = rows[0]!;
  if (encoding !== "UTF8") {
    throw new AppError(
      "invalid",
      `${name} has the encoding ${encoding}. Create it with UTF8: createdb --encoding=UTF8 …`,
    );
  }
  if (mayCreate === true) return;
  throw new AppError(
    "invalid",
    `The user of ${name} may not create tables there. Make the user the owner of the database.`,
  );
}

const SHOWN_NAMES = 5;

function notEmpty(place: CopyPlace, names: readonly string[]): AppError {
  const name = placeName(place);
  if (place.engine === "sqlite") {
    return new AppError(
      "conflict",
      `${name} is there already, perhaps from before the move to PostgreSQL. Move it away, with its -wal and -shm, or choose another directory.`,
    );
  }
  const more = names.length > SHOWN_NAMES ? ` and ${names.length - SHOWN_NAMES} more` : "";
  const tables = `${names.slice(0, SHOWN_NAMES).join(", ")}${more}`;
  return new AppError(
    "conflict",
    `${name} is not empty: it has the tables ${tables}. Create another database and copy to it.`,
  );
}

const othersCopy = (place: CopyPlace) =>
  new AppError("conflict", `${placeName(place)} is an unfinished copy of another instance. Copy to an empty database.`);
