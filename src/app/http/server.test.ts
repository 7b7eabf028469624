import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { silentLogger } from "#lib/logger.ts";
import { createTestApp } from "#testing/test-app.ts";
import { bind, listen } from "./server.ts";

it("accepts another request on the connection after it rejects an unread body", async () => {
  await using app = await createTestApp("sqlite");
  const server = await listen({ app: app.app, logger: silentLogger }, { host: "127.0.0.1", port: 0 });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ports = new Set<number | undefined>();
  const send = async (size: number, type: string, isAnnounced: boolean) => {
    const body = `{"prompt":"${"x".repeat(size)}"}`;
    const outgoing = request({
      agent,
      port: server.port,
      method: "POST",
      path: `/v2/agent/${app.project.id}/job`,
      headers: {
        Authorization: `Bearer ${app.key}`,
        "Content-Type": type,
        ...(isAnnounced && { "Content-Length": Buffer.byteLength(body) }),
      },
    });
    outgoing.write(body);
    outgoing.end();
    const [answer] = (await once(outgoing, "response")) as [IncomingMessage];
    answer.resume();
    await once(answer, "end");
    ports.add(outgoing.socket?.localPort);
    return answer.statusCode;
  };
  for (const isAnnounced of [true, false]) {
    expect(await send(3_000_000, "application/json", isAnnounced)).toBe(413);
    expect(await send(1_000, "application/json", isAnnounced)).toBe(201);
    expect(await send(200_000, "text/plain", isAnnounced)).toBe(415);
    expect(await send(1_000, "application/json", isAnnounced)).toBe(201);
  }
  expect(ports.size).toBe(1);
  agent.destroy();
  await server.close();
});

it("accepts bodies without a Content-Length, up to the limit, and requests without a body", async () => {
  await using app = await createTestApp("sqlite");
  const server = await listen({ app: app.app, logger: silentLogger }, { host: "127.0.0.1", port: 0 });
  const send = async (type: string, chunks: readonly string[], path: string) => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
        controller.close();
      },
    });
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${app.key}`, ...(type !== "" && { "Content-Type": type }) },
      redirect: "manual",
      ...(chunks.length > 0 && { body, duplex: "half" }),
    });
    await response.body?.cancel();
    return response.status;
  };
  const jobs = `/v2/agent/${app.project.id}/job`;
  const json = "application/json";
  expect(await send(json, ['{"prompt":', '"Fix the links."}'], jobs)).toBe(201);
  expect(
    await send(
      json,
      Array.from({ length: 300 }, () => "x".repeat(1024)),
      jobs,
    ),
  ).toBe(413);
  expect(await send(json, [], jobs)).toBe(400);
  expect(await send("", [], jobs)).toBe(415);
  expect(await send("application/x-www-form-urlencoded", [`key=${app.key}`], "/sign-in")).toBe(303);
  expect(await send("", [], "/harbor-docs/jobs")).toBe(303);
  await server.close();
});

it("treats a request that announces no body as one without a body", async () => {
  await using app = await createTestApp("sqlite");
  const server = await listen({ app: app.app, logger: silentLogger }, { host: "127.0.0.1", port: 0 });
  // `curl -X POST` sends neither length nor encoding; others send a length of 0.
  for (const [header, status] of [
    ["", 200],
    ["Content-Length: 0\r\n", 200],
    ["Content-Length: 00\r\n", 200],
    ["Transfer-Encoding: chunked\r\n", 415],
  ] as const) {
    const { id } = (await app.call("POST", "/job", { body: { prompt: "Fix the links." } })).json;
    const socket = connect(server.port, "127.0.0.1");
    socket.write(
      `POST /v2/agent/${app.project.id}/job/${id}/cancel HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n` +
        `Authorization: Bearer ${app.key}\r\n${header}\r\n${header.startsWith("T") ? "0\r\n\r\n" : ""}`,
    );
    expect([header, Number((await text(socket)).split(" ")[1])]).toEqual([header, status]);
  }
  await server.close();
});

it("responds that it is starting until it has an app, and reports that it is alive", async () => {
  await using app = await createTestApp("sqlite");
  const server = await bind({ logger: silentLogger }, { host: "127.0.0.1", port: 0 });
  const ask = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${server.port}${path}`);
    const { requestId: _, ...body } = (await answer.json()) as Record<string, unknown>;
    return [answer.status, answer.headers.get("retry-after"), body];
  };
  expect(await ask("/health")).toEqual([200, null, { status: "ok" }]);
  expect(await ask("/ready")).toEqual([503, "2", { status: "unavailable", reasons: ["The server is starting."] }]);
  expect(await ask("/v2/projects")).toEqual([503, "2", { error: "The server is starting.", code: "unavailable" }]);
  server.serve(app.app);
  await expect.poll(() => ask("/ready")).toEqual([200, null, { status: "ready" }]);
  await server.close();
});

it("every response has a request ID, also from sites, and a proxy can set it", async () => {
  await using app = await createTestApp("sqlite");
  const server = await listen({ app: app.app, logger: silentLogger }, { host: "127.0.0.1", port: 0 });
  const idOf = async (host: string, given?: string) => {
    const headers = { Host: host, ...(given !== undefined && { "X-Request-Id": given }) };
    const outgoing = request({ port: server.port, path: "/", headers }).end();
    const [answer] = (await once(outgoing, "response")) as [IncomingMessage];
    answer.resume();
    return answer.headers["x-request-id"];
  };
  for (const host of ["localhost", "harbor-docs.localhost"]) {
    expect(await idOf(host)).toMatch(/^req_[0-9a-z]{26}$/);
    expect(await idOf(host, "trace-0af7651916cd43dd")).toBe("trace-0af7651916cd43dd");
    expect(await idOf(host, "no")).toMatch(/^req_[0-9a-z]{26}$/);
  }
  await server.close();
});
