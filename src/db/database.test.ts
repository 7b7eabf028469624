import { sql } from "kysely";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { databaseContract } from "./database.contract.ts";
import { runSubprocess } from "#lib/subprocess.ts";
import { BOTH_ENGINES, openTestDatabase } from "#testing/databases.ts";
import { createTestDirectory } from "#testing/repositories.ts";

describe.each(BOTH_ENGINES)("the store on %s", (engine) => {
  databaseContract(() => openTestDatabase(engine));
});

describe("PostgreSQL", () => {
  it("survives the loss of a connection between two statements of a transaction", async () => {
    await using opened = await openTestDatabase("postgres");
    const { database } = opened;
    const work = database.kysely.transaction().execute(async (transaction) => {
      const own = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(transaction);
      await sql`select pg_terminate_backend(${own.rows[0]!.pid})`.execute(database.kysely);
      await sleep(200); // the connection is idle when it breaks: an error event without a listener would end the process
      await transaction.selectFrom("project").selectAll().execute();
    });
    await expect(work).rejects.toThrow(/not queryable|terminat/);
    expect(await database.kysely.selectFrom("project").selectAll().execute()).toEqual([]);
  });
});

describe("SQLite", () => {
  it("runs migrations once if several processes open a new file at the same time", async () => {
    await using directory = await createTestDirectory();
    const open = `
      import { openDatabase } from "#db/database.ts";
      import { silentLogger } from "#lib/logger.ts";
      const location = { engine: "sqlite", path: process.argv[1] };
      await using database = await openDatabase({ location, logger: silentLogger, migrate: true });
      console.log((await database.kysely.selectFrom("project").selectAll().execute()).length);`;
    const results = await Promise.all(
      Array.from({ length: 4 }, () =>
        runSubprocess({
          command: process.execPath,
          args: [
            "--disable-warning=ExperimentalWarning",
            "--input-type=module-typescript",
            "-e",
            open,
            `${directory.path}/new.sqlite`,
          ],
          cwd: path.join(import.meta.dirname, "..", ".."),
          env: {},
          timeoutMs: 25_000,
          maxOutputBytes: 1_000,
        }),
      ),
    );
    expect(results.map((result) => result.stdout.toString() + result.stderr)).toEqual(["0\n", "0\n", "0\n", "0\n"]);
  });

  it("refuses values that the driver would silently store as NULL", async () => {
    await using opened = await openTestDatabase("sqlite");
    const { database } = opened;
    const date = new Date() as unknown as string;
    const insert = database.kysely.insertInto("instance_value").values({ name: "x", value: date }).execute();
    await expect(insert).rejects.toThrow("cannot be stored");
  });
});
