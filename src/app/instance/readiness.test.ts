import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { sql } from "kysely";
import type { Database } from "#db/database.ts";
import { openTestDatabase } from "#testing/databases.ts";
import { createReadiness } from "./readiness.ts";

it("a process without processor time for longer than the timeout does not report the database as down", async () => {
  const dataDirectory = await mkdtemp(path.join(tmpdir(), "docent-test-"));
  await using _ = { [Symbol.asyncDispose]: () => rm(dataDirectory, { recursive: true }) };
  // Responds at once, but the event loop reads the response after the expired timers.
  const database = { transaction: () => stat(dataDirectory) } as unknown as Database;
  const patience = { rounds: 10, everyMs: 30 };
  const ready = createReadiness({ database, dataDirectory, canRender: async () => true, patience });
  const reasons = ready();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 350);
  expect(await reasons).toEqual([]);
});

it("a process is not ready once a newer version has migrated the database, and says so", async () => {
  const dataDirectory = await mkdtemp(path.join(tmpdir(), "docent-test-"));
  await using _ = { [Symbol.asyncDispose]: () => rm(dataDirectory, { recursive: true }) };
  await using database = await openTestDatabase("sqlite");
  const readyNow = () => createReadiness({ ...database, dataDirectory, canRender: async () => true })();
  expect(await readyNow()).toEqual([]);
  await sql`insert into kysely_migration values ('9999-later', '')`.execute(database.database.kysely);
  expect(await readyNow()).toEqual([expect.stringContaining("newer version of Docent has migrated")]);
});
