import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { silentLogger } from "#lib/logger.ts";
import type { PlainAnswer, WholeRequest } from "#lib/network/plain-http.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { type HttpServer, listen } from "./server.ts";

let app: TestApp;
let server: HttpServer;
let answerWith: (request: WholeRequest, slug: string) => PlainAnswer | Promise<PlainAnswer>;

beforeAll(async () => {
  app = await createTestApp("sqlite");
  const site = async (request: WholeRequest, slug: string) => answerWith(request, slug);
  server = await listen({ app: { ...app.app, site }, logger: silentLogger }, { host: "127.0.0.1", port: 0 });
});
afterAll(async () => {
  await server.close();
  await app[Symbol.asyncDispose]();
});

const nothing: PlainAnswer = { status: 204, headers: {}, body: null };

/** Sends raw bytes and returns the whole response. */
async function exchange(text: string): Promise<string> {
  const socket = connect(server.port, "127.0.0.1");
  socket.setTimeout(5_000, () => socket.destroy());
  socket.write(text);
  const chunks: Buffer[] = [];
  socket.on("data", (chunk) => chunks.push(chunk));
  await once(socket, "close");
  return Buffer.concat(chunks).toString("latin1");
}

const head = (line: string, host = "harbor.localhost:4000", more = "") =>
  `${line} HTTP/1.1\r\nHost: ${host}\r\n${more}\r\n`;
const CLOSE = "Connection: close\r\n";

it.each([
  ["/guide?a=1#b", "harbor.localhost:4000", "http://harbor.localhost:4000/guide?a=1#b", "harbor"],
  ["/a/../b", "Harbor.LOCALHOST", "http://harbor.localhost/b", "harbor"],
  ["//evil.example/x", "harbor.localhost", "http://harbor.localhost//evil.example/x", "harbor"],
  ["http://harbor.localhost/guide?q", "evil.example", "http://harbor.localhost/guide?q", "harbor"],
  ["http://harbor.localhost", "localhost", "http://harbor.localhost/", "harbor"],
  ["http://evil.example/", "harbor.localhost", "http://evil.example/", ""],
  ["/", "a_b.localhost", "http://a_b.localhost/", ""],
])("reads the target %s of %s", async (target, host, url, slug) => {
  const seen: unknown[] = [];
  answerWith = (request, of) => {
    seen.push(request.url, of);
    return nothing;
  };
  expect(await exchange(head(`GET ${target}`, host, CLOSE))).toMatch(/^HTTP\/1\.1 204 /);
  expect(seen).toEqual([url, slug]);
});

it.each([
  ["*", "harbor.localhost"],
  ["/a\\..\\b", "harbor.localhost"],
  ["/", "harbor.localhost:99999"],
])("rejects the target %s of %s in the standard error format", async (target, host) => {
  answerWith = () => nothing;
  const answer = await exchange(head(`OPTIONS ${target}`, host, CLOSE));
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(JSON.parse(answer.split("\r\n\r\n")[1] ?? "")).toMatchObject({ code: "invalid" });
});

it("passes headers on unchanged, without inherited object properties", async () => {
  const names = ["x-forwarded-for", "accept", "constructor", "__proto__", "toString", "set-cookie"];
  let seen: (string | null)[] = [];
  answerWith = ({ headers }) => {
    seen = names.map((name) => headers.get(name));
    return nothing;
  };
  const more = "X-Forwarded-For: 192.0.2.1\r\nAccept:  text/html \r\nX-Forwarded-For: 192.0.2.2\r\n";
  await exchange(head("GET /", undefined, more + CLOSE));
  expect(seen).toEqual(["192.0.2.1, 192.0.2.2", "text/html", null, null, null, null]);
});

it("reads a body up to its limit, announced or not, and the connection's next request after a refused one", async () => {
  const seen: Promise<string | null>[] = [];
  answerWith = async (request) => {
    seen.push(request.textUpTo(10));
    await seen.at(-1);
    return nothing;
  };
  const announced = (body: string) =>
    head("POST /view", undefined, `Content-Length: ${Buffer.byteLength(body)}\r\n`) + body;
  const inChunks = (...chunks: string[]) =>
    head("POST /view", undefined, "Transfer-Encoding: chunked\r\n") +
    [...chunks, ""].map((chunk) => `${Buffer.byteLength(chunk).toString(16)}\r\n${chunk}\r\n`).join("");
  const answer = await exchange(
    announced("Grüße") +
      announced("x".repeat(100_000)) +
      inChunks("12345", "67890") +
      inChunks("1234567890", "1", "2".repeat(50_000)) +
      head("GET /", undefined, CLOSE),
  );
  expect(answer.match(/HTTP\/1\.1 204/g)).toHaveLength(5);
  expect(await Promise.all(seen)).toEqual(["Grüße", null, "1234567890", null, ""]);
});

it("rejects a body that ends before its announced length", async () => {
  const failed = Promise.withResolvers<unknown>();
  answerWith = async (request) => {
    await request.textUpTo(1_000).catch(failed.resolve);
    return nothing;
  };
  const socket = connect(server.port, "127.0.0.1");
  socket.write(`${head("POST /view", undefined, "Content-Length: 100\r\n")}half`);
  await new Promise((resolve) => setTimeout(resolve, 50));
  socket.destroy();
  expect(await failed.promise).toMatchObject({ code: "invalid" });
});

it.each<[string, PlainAnswer, RegExp, string]>([
  ["GET", { status: 200, headers: {}, body: "Grüße" }, /content-length: 7\r\n/i, "Gr\u00c3\u00bc\u00c3\u009fe"],
  ["HEAD", { status: 200, headers: { "Content-Length": "7" }, body: null }, /content-length: 7\r\n/i, ""],
  ["GET", { status: 413, headers: {}, body: null }, /content-length: 0\r\n/i, ""],
  ["GET", { status: 304, headers: { ETag: "a" }, body: null }, /^(?![^]*content-length)[^]*etag: a\r\n/i, ""],
])("frames a response to %s so that its end is known", async (method, answer, framing, body) => {
  answerWith = () => answer;
  const [sent = "", content] = (await exchange(head(`${method} /`, undefined, CLOSE))).split("\r\n\r\n");
  expect(`${sent}\r\n`).toMatch(framing);
  expect(sent).not.toMatch(/transfer-encoding/i);
  expect(content).toBe(body);
});

it("responds with 500 if a response cannot be sent, and keeps working", async () => {
  answerWith = () => ({ status: 200, headers: { Location: "/a\r\nSet-Cookie: b" }, body: null });
  expect(await exchange(head("GET /", undefined, CLOSE))).toMatch(/^HTTP\/1\.1 500 (?![^]*Set-Cookie)/);
  answerWith = () => nothing;
  expect(await exchange(head("GET /", undefined, CLOSE))).toMatch(/^HTTP\/1\.1 204 /);
});

it("cuts a connection whose client reads nothing of the response, and no other", async () => {
  const SIZE = 16 * 1024 * 1024; // more than the buffers of a socket hold
  const site = async (): Promise<PlainAnswer> => ({ status: 200, headers: {}, body: new Uint8Array(SIZE) });
  const address = { host: "127.0.0.1", port: 0 };
  const hasty = await listen({ app: { ...app.app, site }, logger: silentLogger }, address, { answerIdleMs: 1_000 });
  const idle = connect(hasty.port, "127.0.0.1");
  idle.write(head("GET /"));
  idle.pause();
  const slow = connect(hasty.port, "127.0.0.1");
  slow.write(head("GET /"));
  let taken = 0;
  slow.on("data", (chunk: Buffer) => {
    taken += chunk.length;
    slow.pause();
    setTimeout(() => slow.resume(), 8); // 64 KiB per read, which takes twice the limit in total
  });
  await expect.poll(() => taken, { timeout: 60_000 }).toBeGreaterThan(SIZE);
  idle.resume(); // the bytes in the socket buffers, followed by the reset
  const [error] = (await once(idle, "end").catch((cause: unknown) => [cause])) as [NodeJS.ErrnoException | undefined];
  expect(error?.code ?? "ended").toMatch(/^(?:ended|ECONNRESET)$/);
  expect(idle.bytesRead).toBeLessThan(SIZE);
  slow.destroy();
  await hasty.close();
}, 120_000);
