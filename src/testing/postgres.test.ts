import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { describe, expect, test } from "vitest";
import { isRunning } from "#lib/subprocess.ts";
import { startPostgresServer } from "./postgres-server.ts";
import { createTestDatabase } from "./postgres.ts";

async function query(connectionString: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const result = await client.query<Record<string, unknown>>(sql);
    return result.rows;
  } finally {
    await client.end();
  }
}

describe("createTestDatabase", () => {
  test("gives each caller an empty database of its own", async () => {
    await using first = await createTestDatabase();
    await using second = await createTestDatabase();
    await query(first.url, "CREATE TABLE page (id int)");
    const tables = `SELECT count(*)::int AS count FROM pg_tables WHERE schemaname = 'public'`;
    expect(await query(first.url, tables)).toEqual([{ count: 1 }]);
    expect(await query(second.url, tables)).toEqual([{ count: 0 }]);
  });

  test("serves many callers at once", async () => {
    const databases = await Promise.all(Array.from({ length: 8 }, () => createTestDatabase()));
    expect(new Set(databases.map((database) => database.url)).size).toBe(8);
    await Promise.all(databases.map((database) => database.drop()));
  });

  test("drops a database that still has connections", async () => {
    const database = await createTestDatabase();
    const client = new pg.Client({ connectionString: database.url });
    client.on("error", () => {});
    await client.connect();
    const lost = once(client, "error");
    await database.drop();
    await expect(lost).resolves.toMatchObject([{ code: "57P01" }]);
    await expect(query(database.url, "SELECT 1")).rejects.toMatchObject({ code: "3D000" });
  });

  test("listens on the loopback address only and requires a password", async () => {
    await using database = await createTestDatabase();
    expect(await query(database.url, "SHOW listen_addresses")).toEqual([{ listen_addresses: "127.0.0.1" }]);
    const url = new URL(database.url);
    url.password = "wrong";
    await expect(query(url.href, "SELECT 1")).rejects.toMatchObject({ code: "28P01" });
  });
});

describe("startPostgresServer", () => {
  test("waits for the disk in durable mode, and removes its files on stop", async () => {
    const server = await startPostgresServer({ durable: true });
    expect(await query(server.url("postgres"), "SHOW fsync")).toEqual([{ fsync: "on" }]);
    expect(isRunning(server.pid)).toBe(true);
    await server.stop();
    expect(isRunning(server.pid)).toBe(false);
  });

  test("stops soon after its owner was killed with SIGKILL", async () => {
    const module = JSON.stringify(new URL("postgres-server.ts", import.meta.url).href);
    const script = `
      const { startPostgresServer } = await import(${module});
      console.log((await startPostgresServer()).pid);
      setInterval(() => {}, 1000);
    `;
    const owner = spawn(process.execPath, ["--input-type=module", "--eval", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [line] = (await Promise.race([once(owner.stdout, "data"), once(owner, "exit")])) as [unknown];
    const pid = Number(line);
    expect(isRunning(pid)).toBe(true);
    owner.kill("SIGKILL");
    await once(owner, "exit");
    for (let waitedMs = 0; isRunning(pid) && waitedMs < 10_000; waitedMs += 50) await sleep(50);
    expect(isRunning(pid)).toBe(false);
  });
});
