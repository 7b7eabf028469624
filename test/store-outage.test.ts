import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createTestDatabase } from "#testing/postgres.ts";
import { callApi, waitForJob } from "./support/instance.ts";
import { startTestServer } from "./support/server.ts";

/** A way to the database that can be cut and opened again. */
async function createCuttableWay(target: URL) {
  const sockets = new Set<Socket>();
  let isCut = false;
  let connections = 0;
  const proxy = createServer((client) => {
    if (isCut) {
      client.destroy();
      return;
    }
    connections++;
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
    connections: () => connections,
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
    const before = way.connections();
    await sleep(1_200);
    // The pools of the server and of this test hold one or two each; failed attempts must not have left a timer each.
    expect(way.connections() - before).toBeLessThanOrEqual(6);
    const created = await callApi(server.baseUrl, server.instance, {
      path: "/job",
      body: { prompt: "Fix the broken links." },
    });
    expect(created.status).toBe(201);
    expect((await waitForJob(server.baseUrl, server.instance, created.body.id)).status).toBe("completed");
  });
});
