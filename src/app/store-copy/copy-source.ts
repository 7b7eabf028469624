import type { Config } from "#app/instance/config.ts";
import { claimServerLock } from "#app/instance/server-lock.ts";
import { openStore, placeOfRepositories, readInstanceValue } from "#app/instance/store.ts";
import { AppError } from "#lib/app-error.ts";
import { silentLogger } from "#lib/logger.ts";
import { withFaultsNamed } from "./named-faults.ts";
import { connectForCopy, createPostgresTables } from "./postgres-tables.ts";
import { refuseConnections, refuseServerOn, STOP_FIRST } from "./running-servers.ts";
import { openSqliteTables } from "./sqlite-tables.ts";
import type { TableStore } from "./table-store.ts";

export type CopiedConfig = Pick<Config, "database" | "dataDirectory" | "repositories">;

export interface CopySource extends AsyncDisposable {
  tables: TableStore;
  /** The id of the instance. */
  instance: string;
}

/**
 * Opens the database of an instance to read it, as it is at one moment. `AppError conflict` while a server works on it, unless only a
 * rehearsal reads it.
 */
export async function openSource(config: CopiedConfig, { isRehearsal }: { isRehearsal: boolean }): Promise<CopySource> {
  await using stack = new AsyncDisposableStack();
  if (!isRehearsal) {
    stack.use(claimServerLock(config, STOP_FIRST));
    refuseServerOn(config.dataDirectory);
  }
  const { database: location, dataDirectory } = config;
  const client = location.engine === "postgres" ? stack.use(await connectForCopy(location.url)) : null;
  if (client && !isRehearsal) await refuseConnections(client, `the database of ${dataDirectory}`);
  const instance = await readInstance(config);
  await client?.query("begin isolation level repeatable read read only");
  const tables = withFaultsNamed(
    location.engine === "sqlite"
      ? stack.use(openSqliteTables(location.path, { isSource: true }))
      : createPostgresTables(client!, { isSource: true }),
  );
  const owned = stack.move();
  return { tables, instance, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** `AppError conflict` where SQLite cannot hold what the database has. */
async function readInstance(config: CopiedConfig): Promise<string> {
  await using database = await openStore(config, { logger: silentLogger, schema: "use" });
  if (config.database.engine === "postgres" && (await placeOfRepositories(database)) !== "directory") {
    throw new AppError(
      "conflict",
      "The repositories of this instance are in its PostgreSQL database (DOCENT_REPOSITORIES=database or s3), and SQLite cannot hold them: " +
        "the instance stays on PostgreSQL. To begin on SQLite, create the projects again and push clones of their repositories.",
    );
  }
  const instance = await readInstanceValue(database, "id");
  if (instance !== null) return instance;
  throw new AppError("conflict", `Start the server on ${config.dataDirectory} once before its database is copied.`);
}
