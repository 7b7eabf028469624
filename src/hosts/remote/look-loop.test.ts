import { expect, it } from "vitest";
import { systemClock } from "#lib/clock.ts";
import { newSourceId, type SourceId } from "#lib/ids.ts";
import { silentLogger } from "#lib/logger.ts";
import { openTestDatabase } from "#testing/databases.ts";
import { insertTestProject } from "#testing/projects.ts";
import { createLookLoop } from "./look-loop.ts";

it("processes that find the same repositories due look at each of them once", async () => {
  await using store = await openTestDatabase("sqlite");
  const { database } = store;
  const project_id = await insertTestProject(database, "acme");
  const ids = Array.from({ length: 4 }, () => newSourceId());
  const place = { project_id, kind: "github" as const, url: "https://github.com/acme/api", branch: "main" };
  const state = { sealed_token: null, synced_at: null, tried_at: null, trouble: null, created_at: 0 };
  const rows = ids.map((id) => ({ id, name: id, ...place, ...state }));
  await database.kysely.insertInto("source").values(rows).execute();
  const looked: SourceId[] = [];
  const start = () =>
    createLookLoop<SourceId>(
      { database, clock: systemClock, logger: silentLogger },
      {
        rows: { table: "source", id: "id" },
        messages: { one: "one", all: "all" },
        look: async (id) => void looked.push(id),
      },
    ).start();
  const servers = [start(), start()];
  await expect.poll(() => new Set(looked).size).toBe(ids.length);
  for (const server of servers) await server[Symbol.asyncDispose]();
  expect(looked.toSorted()).toEqual(ids.toSorted());
});
