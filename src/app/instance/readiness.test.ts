import { stat } from "node:fs/promises";
import { expect, it } from "vitest";
import { sql } from "kysely";
import type { Database } from "#db/database.ts";
import { openTestDatabase } from "#testing/databases.ts";
import { createTestDirectory } from "#testing/repositories.ts";
import { createReadiness } from "./readiness.ts";

it("a process without processor time for longer than the timeout does not report the database as down", async () => {
  await using directory = await createTestDirectory();
  const dataDirectory = directory.path;
  // Responds at once, but the event loop reads the response after the expired timers.
  const database = { transaction: () => stat(dataDirectory), sawDamage: () => false } as unknown as Database;
  const patience = { rounds: 10, everyMs: 30 };
  const ready = createReadiness({ database, dataDirectory, canRender: async () => true, patience });
  const reasons = ready();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 350);
  expect(await reasons).toEqual([]);
});

it("a process is not ready once a newer version has migrated the database, and says so", async () => {
  await using directory = await createTestDirectory();
  const dataDirectory = directory.path;
  await using database = await openTestDatabase("sqlite");
  const readyNow = () => createReadiness({ ...database, dataDirectory, canRender: async () => true })();
  expect(await readyNow()).toEqual([]);
  await sql`insert into kysely_migration values ('9999-later', '')`.execute(database.database.kysely);
  expect(await readyNow()).toEqual([expect.stringContaining("newer version of Docent has migrated")]);
});
