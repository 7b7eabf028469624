import { channel } from "node:diagnostics_channel";
import path from "node:path";
import { type Database, type Engine, openDatabase } from "#db/database.ts";
import { silentLogger } from "#lib/logger.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { writeMigratedFile } from "./migrated-file.ts";
import { createTestDatabase, type TestDatabase } from "./postgres.ts";
import { createTestDirectory } from "./repositories.ts";

export const BOTH_ENGINES: readonly Engine[] = ["sqlite", "postgres"];

/**
 * The engines that most tests run on: `DOCENT_TEST_ENGINES`, SQLite by default; `npm run test:long` names both. Tests of
 * what differs between the engines (queue, locks, limits, migrations, the visitor index) take BOTH_ENGINES.
 */
export const ENGINES: readonly Engine[] = (process.env["DOCENT_TEST_ENGINES"] ?? "sqlite").split(",").map((name) => {
  const engine = BOTH_ENGINES.find((known) => known === name);
  if (engine === undefined)
    throw new Error(`DOCENT_TEST_ENGINES names "${name}", which is neither sqlite nor postgres.`);
  return engine;
});

/** A migrated, empty database that others are copied from: migrating takes longer than most tests. Created once per process. */
const templates: { postgres?: Promise<TestDatabase> } = {};

/** A migrated, empty store on either engine, and the function that removes it. */
export async function openTestDatabase(
  engine: Engine,
): Promise<{ database: Database; [Symbol.asyncDispose](): Promise<void> }> {
  await using made = new AsyncDisposableStack();
  const location =
    engine === "sqlite"
      ? { engine, path: path.join(made.use(await createTestDirectory()).path, "docent.sqlite") }
      : { engine, url: new Secret(made.use(await createMigratedDatabase()).url) };
  if (location.engine === "sqlite") {
    channel("docent.test.database").publish("sqlite");
    await writeMigratedFile(location.path);
  }
  const database = made.use(await openDatabase({ location, logger: silentLogger, migrate: false }));
  const owned = made.move();
  return { database, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** A migrated, empty database on PostgreSQL. */
export async function createMigratedDatabase(): Promise<TestDatabase> {
  return await createTestDatabase(await (templates.postgres ??= migrated()));
}

async function migrated(): Promise<TestDatabase> {
  const template = await createTestDatabase();
  const location = { engine: "postgres", url: new Secret(template.url) } as const;
  await using _ = await openDatabase({ location, logger: silentLogger, migrate: true });
  return template;
}
