import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { describe, expect, it } from "vitest";
import { createTestDatabase } from "#testing/postgres.ts";
import { callApi, waitForJob } from "./support/instance.ts";
import { startTestServer } from "./support/server.ts";

/** A way to the database that can be cut and opened again. */
async function createCuttableWay(target: URL) {
  const sockets = new Set<Socket>();
  let isCut = false;
  const proxy = createServer((client) => {
    if (isCut) {
      client.destroy();
      return;
    }
    const upstream = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      from.on("error", () => to.destroy());
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const url = new URL(target);
  url.hostname = "127.0.0.1";
  url.port = String((proxy.address() as { port: number }).port);
  const cutAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    cut() {
      isCut = true;
      cutAll();
    },
    open: () => (isCut = false),
    async [Symbol.asyncDispose]() {
      cutAll();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}

/** Of the server, of its thread that folds views, and of the test. */
const LISTENERS = 3;

/** A look at the database that does not go the way that is cut. */
async function openDirect(url: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return {
    async listeners(): Promise<number> {
      const { rows } = await client.query<{ count: string }>(
        "select count(*) from pg_stat_activity where datname = current_database() and application_name = 'docent-listen'",
      );
      return Number(rows[0]?.count);
    },
    [Symbol.asyncDispose]: () => client.end(),
  };
}

describe("a database that goes away", () => {
  it("is answered with 503 and Retry-After, and everything goes on when it is back", async () => {
    await using database = await createTestDatabase();
    await using way = await createCuttableWay(new URL(database.url));
    await using server = await startTestServer({
      engine: "postgres",
      files: { "index.md": "# Start\n" },
      environment: { DATABASE_URL: way.url },
    });
    const poll = () => callApi(server.baseUrl, server.instance, { path: "/jobs" });
    expect((await poll()).status).toBe(200);
    await using direct = await openDirect(database.url);
    await expect.poll(() => direct.listeners(), { timeout: 10_000 }).toBe(LISTENERS);

    way.cut();
    for (let calls = 0; calls < 3; calls++) {
      const answer = await poll();
      expect(answer.status).toBe(503);
      expect(answer.body).toMatchObject({ code: "unavailable" });
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    expect((await fetch(`${server.baseUrl}/health`)).status).toBe(503);
    await sleep(2_500); // several attempts to listen for wake-ups fail

    way.open();
    await expect.poll(() => direct.listeners(), { timeout: 10_000 }).toBe(LISTENERS);
    // Each failed attempt must have made way for the next: another one of theirs would be there within a second.
    await sleep(1_500);
    expect(await direct.listeners()).toBe(LISTENERS);
    const created = await callApi(server.baseUrl, server.instance, {
      path: "/job",
      body: { prompt: "Fix the broken links." },
    });
    expect(created.status).toBe(201);
    expect((await waitForJob(server.baseUrl, server.instance, created.body.id)).status).toBe("completed");
  });
});
