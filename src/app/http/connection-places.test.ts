import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { silentLogger } from "#lib/logger.ts";
import { parseAddressRanges } from "#lib/network/network-address.ts";
import { createTestApp } from "#testing/test-app.ts";
import { listen } from "./server.ts";

async function startServer(trustedProxies: readonly string[]) {
  await using stack = new AsyncDisposableStack();
  const { app } = stack.use(await createTestApp("sqlite"));
  const server = await listen(
    { app, logger: silentLogger },
    { host: "127.0.0.1", port: 0 },
    { connections: { perAddress: 3, isTrustedProxy: parseAddressRanges(trustedProxies) } },
  );
  stack.defer(() => server.close());
  const opened = stack.move();
  return { port: server.port, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

/** Opens a connection from one of the many loopback addresses, with a request head that never ends. */
async function open(port: number, from: string): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", localAddress: from });
  await once(socket, "connect");
  socket.write("GET /health HTTP/1.1\r\nHost: localhost\r\n");
  return socket;
}

async function ask(port: number, from: string): Promise<string> {
  const socket = await open(port, from);
  socket.write("Connection: close\r\n\r\n");
  return text(socket).catch(() => "cut");
}

it("limits the open connections of an address until one closes; other addresses have their own limit", async () => {
  await using server = await startServer([]);
  const slow = await Promise.all([1, 2, 3].map(() => open(server.port, "127.0.0.2")));
  const refused = connect({ port: server.port, host: "127.0.0.1", localAddress: "127.0.0.2" });
  const answer = await text(refused);
  expect(answer).toMatch(/^HTTP\/1\.1 503 /);
  expect(answer).toContain("Retry-After: 5");
  expect(answer).toContain('"error":"Your address has too many connections open."');
  expect(await ask(server.port, "127.0.0.3")).toMatch(/^HTTP\/1\.1 200 /);
  slow[0]!.destroy();
  await expect.poll(() => ask(server.port, "127.0.0.2")).toMatch(/^HTTP\/1\.1 200 /);
  for (const socket of slow) socket.destroy();
});

it("does not limit the connections of a trusted proxy", async () => {
  await using server = await startServer(["127.0.0.2"]);
  const slow = await Promise.all([1, 2, 3, 4, 5].map(() => open(server.port, "127.0.0.2")));
  expect(await ask(server.port, "127.0.0.2")).toMatch(/^HTTP\/1\.1 200 /);
  for (const socket of slow) socket.destroy();
});
