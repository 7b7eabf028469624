import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { createReadiness } from "#app/instance/readiness.ts";
import { requestSite } from "#cli/demo/demo-visits.ts";
import { openTestDatabase } from "#testing/databases.ts";
import { createTestDirectory } from "#testing/repositories.ts";
import { callApi, createTestInstance } from "#test/support/instance.ts";
import { serveLogged } from "#test/support/server.ts";

/** Overwrites the first page of a table, as a failing disk does. */
async function damage(file: string, table: string): Promise<void> {
  const { first, size } = pageOf(file, table);
  await writeFile(file, (await readFile(file)).fill(0x5a, (first - 1) * size, first * size));
}

function pageOf(file: string, table: string): { first: number; size: number } {
  using database = new DatabaseSync(file);
  database.exec("pragma wal_checkpoint(truncate)");
  const { rootpage } = database.prepare("select rootpage from sqlite_schema where name = ?").get(table) ?? {};
  const { page_size: size } = database.prepare("pragma page_size").get() ?? {};
  return { first: Number(rootpage), size: Number(size) };
}

it.each([
  ["project", 503],
  ["job", 200],
])("a server whose table %s is damaged is not ready, and refuses calls with words", async (table, page) => {
  await using instance = await createTestInstance("sqlite", { "index.md": "# Start\n" });
  await (await serveLogged(instance.data, instance.environment))[Symbol.asyncDispose](); // a first start reads more
  await damage(path.join(instance.data, "docent.sqlite"), table);
  const server = await serveLogged(instance.data, instance.environment);
  await using _ = server;
  const made = await callApi(server.baseUrl, instance, { path: "/job", body: { prompt: "Fix the broken links." } });
  expect([made.status, made.body]).toEqual([
    503,
    expect.objectContaining({
      code: "unavailable",
      error: expect.stringContaining("database is damaged") as unknown,
    }),
  ]);
  const site = { port: server.port, host: `${instance.project.slug}.localhost` };
  expect((await requestSite(site, { path: "/" })).status).toBe(page);
  await expect
    .poll(async () => (await fetch(`${server.baseUrl}/ready`)).json())
    .toEqual({ status: "unavailable", reasons: ["The database is damaged."] });
  expect(server.log()).toMatch(/restore the newest backup[^\n]*the server is not ready/);
  expect(server.log()).toContain("requests fail: the database is damaged");
});

it("a process is not ready once PostgreSQL has answered with damaged data", async () => {
  await using directory = await createTestDirectory();
  await using opened = await openTestDatabase("postgres");
  const { database } = opened;
  const ready = () => createReadiness({ database, dataDirectory: directory.path, canRender: async () => true })();
  expect(await ready()).toEqual([]);
  const damaged = sql`do $$ begin raise exception 'invalid page in block 7' using errcode = 'XX001'; end $$`;
  await expect(damaged.execute(database.kysely)).rejects.toThrow("invalid page");
  expect(await ready()).toEqual(["The database is damaged."]);
});
