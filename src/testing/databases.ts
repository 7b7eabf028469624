import path from "node:path";
import { type Database, type Engine, openDatabase } from "#db/database.ts";
import { silentLogger } from "#lib/logger.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { createTestDatabase } from "./postgres.ts";
import { createTestDirectory } from "./repositories.ts";

export const ENGINES: readonly Engine[] = ["sqlite", "postgres"];

/** A migrated, empty store on either engine, and the function that removes it. */
export async function openTestDatabase(
  engine: Engine,
): Promise<{ database: Database; [Symbol.asyncDispose](): Promise<void> }> {
  await using made = new AsyncDisposableStack();
  const location =
    engine === "sqlite"
      ? { engine, path: path.join(made.use(await createTestDirectory()).path, "docent.sqlite") }
      : { engine, url: new Secret(made.use(await createTestDatabase()).url) };
  const database = made.use(await openDatabase({ location, logger: silentLogger, migrate: true }));
  const owned = made.move();
  return { database, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
